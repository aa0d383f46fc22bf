package io.irqlab.lab.scenario;

/** Makes text from outside safe to print as part of one line. */
public final class PrintableText {
    private static final int LONGEST_QUOTE = 60;

    private PrintableText() {}

    /**
     * Returns a text in which nothing breaks the line or drives a terminal.
     *
     * @param text any text
     * @return the text with such characters written as {@code \}{@code u001b}
     */
    public static String of(String text) {
        var result = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (printable(c)) {
                result.appendCodePoint(c);
            } else {
                result.append("\\u%04x".formatted(c));
            }
        });
        return result.toString();
    }

    /**
     * Returns a piece of input in quotes, cut if it is long.
     *
     * @param text any text
     * @return for example {@code 'gsmi'}
     */
    public static String quote(String text) {
        return "'" + (text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "...") + "'";
    }

    private static boolean printable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
