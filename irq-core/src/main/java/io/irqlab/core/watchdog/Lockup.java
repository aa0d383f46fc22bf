package io.irqlab.core.watchdog;

import java.util.List;

/**
 * One report of a watchdog.
 *
 * @param kind which watchdog
 * @param cpu the CPU that is stuck
 * @param atNs when it was reported, in virtual time since the run began
 * @param stuckSeconds for how long, as the kernel prints it: a soft lockup's in its seconds of 2^30 ns, the others' in
 *     seconds
 * @param thresholdSeconds the threshold used; a soft lockup's comes from {@code watchdog_thresh}
 * @param irqs the interrupts that took most of the CPU's time since it last got on, most first, such as {@code nvme0q3}
 * @param load what the CPU did in the last periods of the soft-lockup watchdog, the oldest first; empty in other reports
 * @param storm the most frequent interrupts, most first, if hardirqs have taken more than half of a period
 */
public record Lockup(
        Kind kind,
        int cpu,
        long atNs,
        long stuckSeconds,
        long thresholdSeconds,
        List<String> irqs,
        List<Load> load,
        List<IrqCount> storm) {

    /** Which watchdog reports. */
    public enum Kind {
        /** No task of the stop class has run for too long. */
        SOFT_LOCKUP("soft-lockup"),
        /** A CPU has held up an RCU grace period for too long. */
        RCU_STALL("rcu-stall"),
        /** Work has waited for a kworker for too long. */
        WORKQUEUE_LOCKUP("workqueue-lockup");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Returns what reports call it, such as {@code soft-lockup}. */
        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * What a CPU did in one period, in whole percent, as the kernel rounds them.
     *
     * @param systemPercent in tasks
     * @param softirqPercent in softirqs
     * @param hardirqPercent in hardirqs
     * @param idlePercent idle
     */
    public record Load(int systemPercent, int softirqPercent, int hardirqPercent, int idlePercent) {}

    /**
     * How often an interrupt came.
     *
     * @param name its name
     * @param count hardirqs since the storm was noticed
     */
    public record IrqCount(String name, long count) {}

    /** Copies the lists. */
    public Lockup {
        irqs = List.copyOf(irqs);
        load = List.copyOf(load);
        storm = List.copyOf(storm);
    }
}
