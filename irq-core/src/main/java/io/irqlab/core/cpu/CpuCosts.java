package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What the operating system's own actions cost on one kind of CPU, in nanoseconds of that CPU's time.
 *
 * @param hardirqEntryNs from the vector's acceptance to the first instruction of the flow handler
 * @param hardirqExitNs end of interrupt, accounting and return, without softirqs
 * @param softirqEntryNs entering softirq processing at irq exit
 * @param timerProgramNs writing the local timer's deadline
 * @param timerCallbackNs removing one expired timer and calling it, without the work of the callback itself
 * @param tickNs the scheduler's tick: the work of its callback
 * @param contextSwitchNs from one task to another, scheduler decision included
 * @param wakeupNs making a sleeping task runnable, on the waker's CPU
 * @param ipiNs from sending an inter-processor interrupt to its acceptance by an awake CPU
 * @param idleExitNs from an interrupt's arrival at an idle CPU to hardirq entry, above that of a busy CPU
 * @param clockReadNs one read of the monotonic clock
 * @param virtualization what a hypervisor adds
 */
public record CpuCosts(
        long hardirqEntryNs,
        long hardirqExitNs,
        long softirqEntryNs,
        long timerProgramNs,
        long timerCallbackNs,
        long tickNs,
        long contextSwitchNs,
        long wakeupNs,
        long ipiNs,
        long idleExitNs,
        long clockReadNs,
        VirtualizationCosts virtualization) {

    /** Checks that no cost is negative. */
    public CpuCosts {
        long[] costs = {
            hardirqEntryNs,
            hardirqExitNs,
            softirqEntryNs,
            timerProgramNs,
            timerCallbackNs,
            tickNs,
            contextSwitchNs,
            wakeupNs,
            ipiNs,
            idleExitNs,
            clockReadNs
        };
        for (long cost : costs) {
            checkArgument(cost >= 0, "a cost must not be negative, was %s ns", cost);
        }
    }
}
