package io.irqlab.core.spi;

/** A high-resolution timer of a policy, pinned to one CPU. */
public interface PolicyTimer {

    /** What happens when the timer expires. */
    @FunctionalInterface
    interface Callback {
        /**
         * Called in hardirq context; the timer is no longer queued, and may be armed again.
         *
         * @param cpu the timer's CPU
         */
        void onExpiry(PolicyCpu cpu);
    }

    /**
     * Starts the timer, or starts it anew. The CPU is charged for programming its hardware if this timer is now the
     * first to expire.
     *
     * @param cpu the CPU that executes the call, which must be the timer's own
     * @param delayNs the least time until expiry, zero or more
     */
    void arm(PolicyCpu cpu, long delayNs);

    /** Stops the timer, if it is queued. */
    void cancel();

    /**
     * Returns whether it will expire.
     *
     * @return true from {@link #arm} until its callback begins
     */
    boolean queued();
}
