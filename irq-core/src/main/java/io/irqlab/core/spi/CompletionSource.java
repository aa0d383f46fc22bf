package io.irqlab.core.spi;

/** A queue of completions with an interrupt of its own, as a driver policy sees it. */
public interface CompletionSource {

    /**
     * Returns the interrupt that announces completions.
     *
     * @return the line
     */
    IrqLine line();

    /**
     * Returns whether the queue's head holds a completion that has not been reaped.
     *
     * @return true if a reap would find something
     */
    boolean pending();

    /**
     * Returns the submission backlog: entries that the host has written and the device has not reported fetched, as of
     * the last completion that was reaped ({@code sq_tail - sq_head} modulo the depth).
     *
     * @return 0 to the depth less one
     */
    int backlog();

    /**
     * Returns the queue's size.
     *
     * @return entries
     */
    int depth();

    /**
     * Returns how many interrupt vectors the device's completion queues have together.
     *
     * @return 1 if all share one
     */
    int vectors();

    /**
     * Puts the queue on the running CPU's irq_poll list, so that it is polled in softirq context ({@code irq_poll_sched},
     * {@link QueuePolicy#inPoll}); without effect if it is there already. A handler, or the callback of a timer, may call it.
     *
     * @param cpu the CPU that executes the call
     * @return true if it was not scheduled before
     */
    boolean schedulePoll(PolicyCpu cpu);
}
