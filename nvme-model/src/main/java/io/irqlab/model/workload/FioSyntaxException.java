package io.irqlab.model.workload;

import java.io.Serial;

/**
 * A job file, or a fio command line, cannot be followed. The message is one printable line: the place, the option, what is
 * wrong and what would be right, as in {@code my.fio:7: iodepth: 'abc' is not a whole number; expected 1 to 65536}.
 */
public final class FioSyntaxException extends RuntimeException {
    private static final int LONGEST_QUOTE = 60;

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception for a fault that belongs to no option.
     *
     * @param place such as {@code my.fio:7}
     * @param problem what is wrong and what would be right, without a full stop
     */
    public FioSyntaxException(String place, String problem) {
        super(printable(place + ": " + problem));
    }

    /**
     * Creates the exception for a fault of an option.
     *
     * @param place such as {@code my.fio:7}
     * @param option its name
     * @param problem what is wrong and what would be right, without a full stop
     */
    public FioSyntaxException(String place, String option, String problem) {
        super(printable(place + ": " + shortened(option) + ": " + problem));
    }

    /** Returns a piece of input in quotes, cut if it is long. */
    static String quote(String text) {
        return "'" + shortened(text) + "'";
    }

    /** Cuts a piece of input if it is long. */
    static String shortened(String text) {
        return text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "...";
    }

    /** Replaces whatever could break the line or drive a terminal. */
    static String printable(String text) {
        var result = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            switch (Character.getType(c)) {
                case Character.CONTROL,
                        Character.FORMAT,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR,
                        Character.SURROGATE,
                        Character.PRIVATE_USE,
                        Character.UNASSIGNED -> result.append(String.format("\\u%04x", c));
                default -> {
                    if (c != ' ' && Character.isSpaceChar(c)) {
                        result.append(String.format("\\u%04x", c));
                    } else {
                        result.appendCodePoint(c);
                    }
                }
            }
        });
        return result.toString();
    }
}
