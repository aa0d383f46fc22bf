package io.irqlab.core.spi;

/**
 * What the handlers of one completion queue do next. The driver's handlers ask after each thing done, so that a policy is
 * a small state machine, and the driver reaps, sleeps and pays.
 *
 * <p>The stock driver answers REAP_ALL at first, then RETURN.
 */
public interface QueuePolicy {

    /** What a handler does next. */
    enum Next {
        /** Reap until the queue is empty, then ask again. */
        REAP_ALL,
        /** Reap at most {@link QueuePolicy#budget} completions, then ask again. */
        REAP_BUDGET,
        /** Only in the thread: sleep between {@link QueuePolicy#sleepMinNs} and {@link QueuePolicy#sleepMaxNs}, then ask again. */
        SLEEP,
        /** Only in the hard handler: wake the queue's thread and return. */
        WAKE_THREAD,
        /** Return from the handler; the thread sleeps until it is woken. */
        RETURN
    }

    /**
     * Asked in hardirq context.
     *
     * @param cpu the CPU
     * @param reaped completions reaped since the last question; -1 at the handler's entry
     * @return what to do
     */
    Next inHardirq(PolicyCpu cpu, int reaped);

    /**
     * Asked in the queue's irq thread (fifo priority 50, on the interrupt's CPU).
     *
     * @param cpu the CPU
     * @param reaped completions reaped since the last question; -1 when the thread was woken by the hard handler
     * @return what to do
     */
    default Next inThread(PolicyCpu cpu, int reaped) {
        return Next.RETURN;
    }

    /**
     * Returns the most completions that {@link Next#REAP_BUDGET} takes.
     *
     * @return 1 or more
     */
    default int budget() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the least time of {@link Next#SLEEP}.
     *
     * @return nanoseconds
     */
    default long sleepMinNs() {
        return 0;
    }

    /**
     * Returns the greatest time of {@link Next#SLEEP}, before the timer's interrupt.
     *
     * @return nanoseconds, at least {@link #sleepMinNs}
     */
    default long sleepMaxNs() {
        return 0;
    }
}
