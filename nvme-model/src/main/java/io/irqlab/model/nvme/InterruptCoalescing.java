package io.irqlab.model.nvme;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The value of the Interrupt Coalescing feature (NVM Express Base Specification 2.0, 5.27.1.6, feature 08h). Coalescing is
 * off if either field of the register is zero, that is if the threshold is 1 or the time 0.
 *
 * @param threshold completions to gather before an interrupt, 1 to 256
 * @param timeNs the longest wait, 0 to 25 500 000 ns in steps of 100 000 ns
 */
public record InterruptCoalescing(int threshold, long timeNs) {
    /** The value after a reset: every completion interrupts. */
    public static final InterruptCoalescing OFF = new InterruptCoalescing(1, 0);

    private static final long TIME_STEP_NS = 100_000;

    /** Checks the ranges of the register. */
    public InterruptCoalescing {
        checkArgument(threshold >= 1 && threshold <= 256, "threshold must be 1 to 256, was %s", threshold);
        checkArgument(
                timeNs >= 0 && timeNs <= 255 * TIME_STEP_NS && timeNs % TIME_STEP_NS == 0,
                "time must be 0 to 25500000 ns in steps of 100000 ns, was %s ns",
                timeNs);
    }

    /**
     * Reads Command Dword 11 of a Set Features command.
     *
     * @param dword11 aggregation threshold (zero-based) in bits 7:0, aggregation time in 100 µs in bits 15:8
     * @return the setting
     */
    public static InterruptCoalescing ofDword11(int dword11) {
        return new InterruptCoalescing((dword11 & 0xFF) + 1, ((dword11 >>> 8) & 0xFF) * TIME_STEP_NS);
    }

    /**
     * Returns the value as Command Dword 11.
     *
     * @return the dword
     */
    public int toDword11() {
        return (threshold - 1) | (int) (timeNs / TIME_STEP_NS) << 8;
    }

    /**
     * Returns whether the controller gathers completions at all.
     *
     * @return false if either field of the register is zero
     */
    public boolean on() {
        return threshold > 1 && timeNs > 0;
    }
}
