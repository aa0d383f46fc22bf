package io.irqlab.lab.scenario;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.spi.NearestName;
import java.util.Locale;

/** The kinds of files that are found by name among those that come with irqlab, or by path. */
enum FileKind {
    SCENARIO("scenario", "scenarios/", ".yaml", ImmutableList.of("four-gen5-ssd")),
    JOB_FILE("job file", "scenarios/", ".fio", ImmutableList.of("four-gen5-ssd")),
    MACHINE("machine", "profiles/machines/", ".yaml", ImmutableList.of("four-gen5-ssd")),
    DRIVE("drive", "profiles/drives/", ".yaml", ImmutableList.of("solidigm-ps1010")),
    COSTS("costs profile", "profiles/costs/", ".yaml", ImmutableList.of("x86-server")),
    HYPERVISOR("hypervisor profile", "profiles/hypervisors/", ".yaml", ImmutableList.of("kvm-x86"));

    private final String word;
    private final String directory;
    private final String suffix;
    private final ImmutableList<String> names;

    FileKind(String word, String directory, String suffix, ImmutableList<String> names) {
        this.word = word;
        this.directory = directory;
        this.suffix = suffix;
        this.names = names;
    }

    /** Returns the names that come with irqlab, sorted. */
    ImmutableList<String> names() {
        return names;
    }

    /** Returns the directory of the resources, for the test that the names are complete. */
    String directory() {
        return directory;
    }

    /** Returns the suffix of the file names, with its dot. */
    String suffix() {
        return suffix;
    }

    /** Tells a path from a name: a path has a separator or the suffix of its kind. */
    boolean isPath(String reference) {
        String lower = reference.toLowerCase(Locale.ROOT);
        return reference.contains("/") || lower.endsWith(suffix) || (suffix.equals(".yaml") && lower.endsWith(".yml"));
    }

    /**
     * Returns the file of a name that comes with irqlab.
     *
     * @throws InvalidInputException if there is none; the message has no place in front
     */
    SourceFile builtIn(String name) {
        if (!names.contains(name)) {
            throw new InvalidInputException("no %s is named %s%s; known: %s, or a path such as ./my%s"
                    .formatted(
                            word,
                            PrintableText.quote(name),
                            NearestName.of(name, names)
                                    .map(near -> ", did you mean '" + near + "'?")
                                    .orElse(""),
                            String.join(", ", names),
                            suffix));
        }
        return new SourceFile.BuiltIn(directory + name + suffix);
    }
}
