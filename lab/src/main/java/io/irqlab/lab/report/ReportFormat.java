package io.irqlab.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The forms in which reports are printed. */
public enum ReportFormat {
    /** Aligned columns, for people. */
    TABLE,
    /** Everything, for programs. */
    JSON,
    /** One row for each run, for spreadsheets and databases. */
    CSV;

    /**
     * Returns the word that selects the format.
     *
     * @return for example {@code table}
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds the format of a word.
     *
     * @param word what the user wrote
     * @return the format, if there is one
     */
    public static Optional<ReportFormat> of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(word))
                .findFirst();
    }

    /**
     * Returns the words of all formats.
     *
     * @return in the order in which help lists them
     */
    public static List<String> words() {
        return Arrays.stream(values()).map(ReportFormat::word).toList();
    }
}
