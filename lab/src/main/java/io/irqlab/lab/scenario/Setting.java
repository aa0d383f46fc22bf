package io.irqlab.lab.scenario;

import java.util.List;

/**
 * One value that the user gives for this run, in place of what the files say.
 *
 * @param origin what the user wrote it with, for messages: {@code --set machine.cpus} or {@code --duration}
 * @param key the value's path, such as {@code machine.cpus}; a segment {@code *} stands for any name
 * @param text the value, with or without a unit
 */
public record Setting(String origin, String key, String text) {

    /**
     * Reads what follows {@code --set}.
     *
     * @param text {@code KEY=VALUE}
     * @return the setting
     * @throws InvalidInputException if it is not of that form
     */
    public static Setting parse(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0 || equals == text.length() - 1) {
            throw new InvalidInputException(
                    "--set %s: expected KEY=VALUE, such as machine.cpus=32".formatted(PrintableText.quote(text)));
        }
        String key = text.substring(0, equals).strip();
        return new Setting("--set " + key, key, text.substring(equals + 1).strip());
    }

    /** Tells whether this setting is meant for a path. */
    boolean matches(String path) {
        List<String> mine = segments(key);
        List<String> theirs = segments(path);
        if (mine.size() != theirs.size()) {
            return false;
        }
        for (int i = 0; i < mine.size(); i++) {
            if (!mine.get(i).equals("*") && !mine.get(i).equals(theirs.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<String> segments(String path) {
        return List.of(path.split("\\.", -1));
    }

    InvalidInputException fault(String problem) {
        return new InvalidInputException(origin + ": " + problem);
    }
}
