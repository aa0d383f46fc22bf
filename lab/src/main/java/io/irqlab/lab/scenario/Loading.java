package io.irqlab.lab.scenario;

import io.irqlab.core.spi.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One act of loading a scenario: what the user set, and what the files turned out to hold. */
final class Loading {
    private final List<Setting> settings;
    private final Set<Setting> used = new HashSet<>();
    private final Set<String> paths = new TreeSet<>();
    private final List<ProfileValue> values = new ArrayList<>();

    Loading(List<Setting> settings) {
        this.settings = settings;
    }

    /** Declares that a path exists, and returns what the user set it to; the last setting that matches counts. */
    Optional<Setting> setting(String path) {
        paths.add(path);
        Optional<Setting> last = Optional.empty();
        for (Setting setting : settings) {
            if (setting.matches(path)) {
                used.add(setting);
                last = Optional.of(setting);
            }
        }
        return last;
    }

    void add(ProfileValue value) {
        values.add(value);
    }

    /** Returns the values read, in the order of reading. */
    List<ProfileValue> values() {
        return List.copyOf(values);
    }

    /** Checks, when all files are read, that every setting met a path. */
    void checkSettings() {
        for (Setting setting : settings) {
            if (!used.contains(setting)) {
                throw setting.fault("there is no such value" + hint(setting.key()));
            }
        }
    }

    private String hint(String key) {
        Optional<String> near = NearestName.of(key, paths);
        if (near.isPresent()) {
            return ", did you mean '" + near.get() + "'?";
        }
        // Not a slip of the pen: show what stands below the part that is right.
        String parent = key;
        while (true) {
            String prefix = parent.isEmpty() ? "" : parent + ".";
            List<String> children = paths.stream()
                    .filter(path -> path.startsWith(prefix))
                    .map(path -> path.substring(prefix.length()).split("\\.", 2)[0])
                    .distinct()
                    .toList();
            if (!children.isEmpty()) {
                return "; %s has %s".formatted(parent.isEmpty() ? "a scenario" : parent, String.join(", ", children));
            }
            parent = parent.contains(".") ? parent.substring(0, parent.lastIndexOf('.')) : "";
        }
    }
}
