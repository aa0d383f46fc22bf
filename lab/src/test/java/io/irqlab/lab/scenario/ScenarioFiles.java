package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A scenario of a user's own, in files that a test may spoil; none of its numbers changes when a profile does. */
public final class ScenarioFiles {
    private static final List<String> NAMES = List.of("my.yaml", "my.fio", "machine.yaml", "drive.yaml", "costs.yaml");

    private final Path directory;

    private ScenarioFiles(Path directory) {
        this.directory = directory;
    }

    /** Writes my.yaml, my.fio, machine.yaml, drive.yaml and costs.yaml. */
    public static ScenarioFiles in(Path directory) {
        for (String name : NAMES) {
            try (InputStream file = ScenarioFiles.class.getResourceAsStream("files/" + name)) {
                assertThat(file).as(name).isNotNull();
                Files.copy(file, directory.resolve(name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new ScenarioFiles(directory);
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
