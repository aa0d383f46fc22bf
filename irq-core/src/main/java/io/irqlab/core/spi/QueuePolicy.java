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
        /** Only in the thread: let tasks of the same priority run, then ask again. */
        YIELD,
        /** Only in the hard handler: wake the queue's thread and return. */
        WAKE_THREAD,
        /** Return from the handler; the thread sleeps until it is woken, and a poll ends. */
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
     * Asked in softirq context, when the queue is polled ({@link CompletionSource#schedulePoll}, irq_poll). A call may reap
     * {@link #pollWeight} completions in all. One that has reaped them is not asked again: it stays scheduled, and the next
     * call follows when other queues have had their turn. RETURN ends the polling; a policy that has disabled the line
     * enables it before it says so.
     *
     * @param cpu the CPU
     * @param reaped completions reaped since the last question; -1 at the call's beginning
     * @return what to do: one of the REAPs, or RETURN
     */
    default Next inPoll(PolicyCpu cpu, int reaped) {
        return Next.RETURN;
    }

    /**
     * Returns the most completions of one call of the poll function. Asked once, at set-up.
     *
     * @return 1 to 256
     */
    default int pollWeight() {
        return 64;
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
