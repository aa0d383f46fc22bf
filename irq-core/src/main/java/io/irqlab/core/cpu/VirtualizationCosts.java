package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What a hypervisor adds to the operating system's actions when the CPU is a virtual one, in nanoseconds of that CPU's
 * time: each trap leaves the guest and comes back.
 *
 * @param injectionNs delivering an interrupt to a running virtual CPU: the exit for the physical one and the entry with the
 *     virtual one; zero with posted interrupts
 * @param eoiNs the trap for the end of interrupt; zero where the hardware virtualizes it
 * @param maskNs the trap for a write that masks or unmasks an interrupt
 * @param timerProgramNs the trap for setting the timer
 * @param ipiNs sending an inter-processor interrupt, added to its way
 * @param idleWakeNs scheduling a halted virtual CPU again, added to the exit from idle
 */
public record VirtualizationCosts(
        long injectionNs, long eoiNs, long maskNs, long timerProgramNs, long ipiNs, long idleWakeNs) {
    /** No hypervisor. */
    public static final VirtualizationCosts BARE_METAL = new VirtualizationCosts(0, 0, 0, 0, 0, 0);

    /** Checks that no cost is negative. */
    public VirtualizationCosts {
        for (long cost : new long[] {injectionNs, eoiNs, maskNs, timerProgramNs, ipiNs, idleWakeNs}) {
            checkArgument(cost >= 0, "a cost must not be negative, was %s ns", cost);
        }
    }
}
