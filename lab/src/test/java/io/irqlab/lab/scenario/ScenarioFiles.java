package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A user's own copy of the scenario that comes with irqlab, in files that a test may spoil. */
public final class ScenarioFiles {
    private final Path directory;

    private ScenarioFiles(Path directory) {
        this.directory = directory;
    }

    /** Writes my.yaml, my.fio, machine.yaml, drive.yaml and costs.yaml. */
    public static ScenarioFiles in(Path directory) {
        var files = new ScenarioFiles(directory);
        files.write("my.yaml", builtIn("scenarios/four-gen5-ssd.yaml"));
        files.write("my.fio", builtIn("scenarios/four-gen5-ssd.fio"));
        files.write("machine.yaml", builtIn("profiles/machines/four-gen5-ssd.yaml"));
        files.write("drive.yaml", builtIn("profiles/drives/solidigm-ps1010.yaml"));
        files.write("costs.yaml", builtIn("profiles/costs/x86-server.yaml"));
        return files.edit("my.yaml", "machine: four-gen5-ssd", "machine: machine.yaml")
                .edit("my.yaml", "job_file: four-gen5-ssd.fio", "job_file: my.fio")
                .edit("my.yaml", "  - nvme-coalescing\n  - gsim:delay_us=100\n  - nvme-watermark-poll\n", "")
                .edit("machine.yaml", "costs: x86-server", "costs: costs.yaml")
                .edit("machine.yaml", "profile: solidigm-ps1010", "profile: drive.yaml");
    }

    private static String builtIn(String resource) {
        return new SourceFile.BuiltIn(resource).text();
    }

    /** Replaces every occurrence of a text, one at least. */
    public ScenarioFiles edit(String file, String old, String replacement) {
        String text = read(file);
        assertThat(text).contains(old);
        return write(file, text.replace(old, replacement));
    }

    /** Replaces a file. */
    public ScenarioFiles write(String file, String text) {
        try {
            Files.writeString(directory.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private String read(String file) {
        try {
            return Files.readString(directory.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the path of a file, as a user would write it. */
    public String path(String file) {
        return directory.resolve(file).toString();
    }

    /** Returns the number of the first line that contains a text. */
    public int line(String file, String text) {
        List<String> lines = read(file).lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i + 1;
            }
        }
        throw new AssertionError(file + " has no line with " + text);
    }

    /** Loads my.yaml. */
    Scenario load(Setting... settings) {
        return new ScenarioCatalog().load(path("my.yaml"), null, List.of(settings));
    }
}
