package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A high-resolution timer, pinned to one CPU, that expires in its timer hardirq ({@code HRTIMER_MODE_REL_PINNED_HARD}).
 *
 * <p>It expires between its delay and its delay plus slack. The CPU's timer is set for the end of that window, and every
 * timer interrupt of the CPU expires timers in order of their windows' ends, up to the first whose window has not begun: so
 * a timer alone fires at the end, and slack lets timers share interrupts (kernel/time/hrtimer.c,
 * {@code hrtimer_interrupt}).
 */
public final class HrTimer {
    /** What happens when a timer expires. */
    @FunctionalInterface
    public interface Callback {
        /**
         * Called in hardirq context when the timer has expired and is no longer queued; it may arm it again.
         *
         * @param cpu the CPU that runs it
         */
        void onExpiry(Cpu cpu);
    }

    final Callback callback;
    private final Cpu cpu;
    long softExpiryNs;
    long hardExpiryNs;
    boolean queued;

    /**
     * Creates a timer, not queued.
     *
     * @param cpu where it expires
     * @param callback what then happens
     */
    public HrTimer(Cpu cpu, Callback callback) {
        this.cpu = cpu;
        this.callback = callback;
    }

    /**
     * Starts the timer, or starts it anew if it is queued. The running CPU pays for programming its timer if this one is
     * then the first to expire.
     *
     * @param running the CPU that executes the call; it must be the timer's own, since the timer is pinned
     * @param delayNs the least time until expiry, zero or more
     * @param slackNs how much later it may expire, zero or more
     */
    public void arm(Cpu running, long delayNs, long slackNs) {
        checkArgument(running == cpu, "a pinned timer of cpu %s was armed on cpu %s", cpu.number(), running.number());
        checkArgument(
                delayNs >= 0 && slackNs >= 0, "delay %s ns and slack %s ns must not be negative", delayNs, slackNs);
        cpu.timers.arm(this, delayNs, slackNs);
    }

    /** Takes the timer out of the queue, if it is there. */
    public void cancel() {
        cpu.timers.cancel(this);
    }

    /**
     * Returns whether the timer will expire.
     *
     * @return true from {@link #arm} until its callback begins
     */
    public boolean queued() {
        return queued;
    }
}
