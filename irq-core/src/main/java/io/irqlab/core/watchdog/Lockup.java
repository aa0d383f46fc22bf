package io.irqlab.core.watchdog;

import java.util.List;

/**
 * One report of a watchdog.
 *
 * @param kind which watchdog, as the kernel names it: {@code soft-lockup}
 * @param cpu the CPU that is stuck
 * @param atNs when it was reported, in virtual time since the run began
 * @param stuckSeconds what the kernel would print after "stuck for", in its seconds of 2^30 ns
 * @param thresholdSeconds the threshold used, from {@code watchdog_thresh}
 * @param irqs the interrupts that took most of the CPU's time since the last touch, most first, such as
 *     {@code nvme0q3}
 */
public record Lockup(String kind, int cpu, long atNs, long stuckSeconds, long thresholdSeconds, List<String> irqs) {

    /** Copies the list. */
    public Lockup {
        irqs = List.copyOf(irqs);
    }
}
