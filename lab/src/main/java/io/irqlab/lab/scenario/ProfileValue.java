package io.irqlab.lab.scenario;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One value that a run relies on, with its provenance.
 *
 * @param name its path, as {@code --set} takes it, such as {@code machine.costs.cpu.hardirq_entry}
 * @param text the value as written, such as {@code 700} or {@code rc0}
 * @param number the value as a number; null if it is a name
 * @param unit the unit in which it was written; null if it is a name
 * @param grade how well it is known; null if the user set it for this run
 * @param source where it comes from
 */
public record ProfileValue(
        String name,
        String text,
        @Nullable BigDecimal number,
        @Nullable Unit unit,
        @Nullable Grade grade,
        String source) {
    /** The source of a value that the user gave for this run. */
    public static final String SET_BY_USER = "set on the command line";

    /**
     * Tells values of the user from those of files.
     *
     * @return whether the user gave the value for this run
     */
    public boolean setByUser() {
        return grade == null;
    }
}
