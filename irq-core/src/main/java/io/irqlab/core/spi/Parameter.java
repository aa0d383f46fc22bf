package io.irqlab.core.spi;

import java.util.Objects;

/**
 * One setting of a policy: a whole number within a range. Help, checks, sweeps and the test kit all read it.
 *
 * @param name the kernel's own name where there is one, lower-case with underscores, such as {@code delay_us}
 * @param unit the unit of the value as users know it, such as {@code us}; empty for a bare number
 * @param min the least value allowed
 * @param max the greatest value allowed
 * @param defaultValue the value when the user says nothing, between {@code min} and {@code max}
 * @param runtime whether it may change in the middle of a run, as an administrator could do on a live host; then the
 *     policy overrides {@link Policy#settingsChanged}
 * @param summary one sentence that says what it does and where the range comes from
 */
public record Parameter(
        String name, String unit, long min, long max, long defaultValue, boolean runtime, String summary) {

    /** Checks that the range is not empty and holds the default. */
    public Parameter {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(unit, "unit");
        Objects.requireNonNull(summary, "summary");
        if (!name.matches("[a-z][a-z0-9_]*")) {
            throw new IllegalArgumentException("name must be lower-case words joined by underscores, was " + name);
        }
        if (min > max || defaultValue < min || defaultValue > max) {
            throw new IllegalArgumentException(
                    "%s: default %d must lie in %d to %d".formatted(name, defaultValue, min, max));
        }
    }

    /**
     * Returns the range as messages print it.
     *
     * @return for example {@code 0 to 500 us}
     */
    public String range() {
        return min + " to " + max + (unit.isEmpty() ? "" : " " + unit);
    }
}
