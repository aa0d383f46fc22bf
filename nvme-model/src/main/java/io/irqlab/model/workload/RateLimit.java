package io.irqlab.model.workload;

import com.google.common.collect.Maps;
import java.util.Map;

/**
 * How fast a job may go: fio's {@code rate}, {@code rate_iops} and {@code rate_process}. Each direction has a limit of
 * its own, and each of the job's threads too.
 *
 * @param bytesPerSecond the limit in bytes, more than 0, for the directions that have one
 * @param iopsPerSecond the limit in I/Os, more than 0, for the directions that have one; a job has limits of one kind
 *     only
 * @param arrivals when the I/Os are due
 */
public record RateLimit(Map<Direction, Long> bytesPerSecond, Map<Direction, Long> iopsPerSecond, Arrivals arrivals) {
    /** As fast as it goes. */
    public static final RateLimit NONE = new RateLimit(Map.of(), Map.of(), Arrivals.LINEAR);

    /** When the I/Os of a limited job are due: fio's {@code rate_process}. */
    public enum Arrivals {
        /** At equal distances. */
        LINEAR,
        /** As a Poisson process: independent of each other and of completions, as far as the depth allows. */
        POISSON
    }

    /** Copies the limits. */
    public RateLimit {
        bytesPerSecond = Maps.immutableEnumMap(bytesPerSecond);
        iopsPerSecond = Maps.immutableEnumMap(iopsPerSecond);
    }

    /**
     * Tells whether a job has a limit.
     *
     * @return whether any direction is limited
     */
    public boolean limited() {
        return !bytesPerSecond.isEmpty() || !iopsPerSecond.isEmpty();
    }
}
