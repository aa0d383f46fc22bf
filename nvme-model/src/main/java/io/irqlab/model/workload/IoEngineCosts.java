package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What one I/O costs the thread that submits and reaps it, by I/O engine, in nanoseconds of its CPU.
 *
 * @param userNs user time per I/O: preparing it, and taking its completion from the ring
 * @param submitNs system time per I/O: the system call, block layer, driver and doorbell of a submission
 * @param reapNs system time per I/O of fetching its completion (0 where the ring is mapped)
 * @param waitNs system time of blocking for a completion when none is there
 */
public record IoEngineCosts(long userNs, long submitNs, long reapNs, long waitNs) {

    /** Checks that no cost is negative and an I/O takes some time. */
    public IoEngineCosts {
        checkArgument(
                userNs >= 0 && submitNs > 0 && reapNs >= 0 && waitNs >= 0,
                "costs must not be negative and submit more than 0, were %s, %s, %s, %s ns",
                userNs,
                submitNs,
                reapNs,
                waitNs);
    }
}
