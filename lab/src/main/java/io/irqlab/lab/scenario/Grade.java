package io.irqlab.lab.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How well a value is known. Reports list the fitted ones, since a result that relies on them predicts less. */
public enum Grade {
    /** Stands in a public document. */
    READ,
    /** Arithmetic on numbers that stand in public documents. */
    INFERRED,
    /** Chosen so that the model meets one published number. */
    FITTED,
    /** Measured for this project. */
    MEASURED,
    /** Background knowledge: a prior, to be replaced. */
    MEMORY;

    /**
     * Returns the word that files use.
     *
     * @return for example {@code inferred}
     */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Grade> of(String word) {
        return Arrays.stream(values())
                .filter(grade -> grade.word().equals(word))
                .findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Grade::word).toList();
    }
}
