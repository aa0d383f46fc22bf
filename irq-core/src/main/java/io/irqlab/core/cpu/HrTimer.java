package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import org.jspecify.annotations.Nullable;

/**
 * A high-resolution timer. It expires in the timer hardirq of a CPU ({@code HRTIMER_MODE_HARD}), or in the softirq that this
 * raises ({@code HRTIMER_MODE_SOFT}); both cost that CPU time. A pinned timer expires on one CPU; another one expires on
 * the CPU that armed it.
 *
 * <p>It expires between its delay and its delay plus slack. The CPU's timer is set for the end of that window, and every
 * timer interrupt of the CPU expires timers in order of their windows' ends, up to the first whose window has not begun: so
 * a timer alone fires at the end, and slack lets timers share interrupts (kernel/time/hrtimer.c,
 * {@code hrtimer_interrupt}).
 *
 * <p>When a CPU goes offline, its queued timers move to another one, pinned or not; the pinned ones come back with it.
 */
public final class HrTimer {
    /** What happens when a timer expires. */
    @FunctionalInterface
    public interface Callback {
        /**
         * Called in the timer's context when it has expired and is no longer queued; it may arm it again.
         *
         * @param cpu the CPU that runs it
         */
        void onExpiry(Cpu cpu);
    }

    final Callback callback;
    final boolean soft;
    final @Nullable Cpu pinnedTo;
    /** Where it is queued. */
    @Nullable
    TimerBase base;

    long softExpiryNs;
    long hardExpiryNs;

    private HrTimer(@Nullable Cpu pinnedTo, boolean soft, Callback callback) {
        this.pinnedTo = pinnedTo;
        this.soft = soft;
        this.callback = callback;
    }

    /**
     * Creates a timer, not queued, that expires in hardirq context of one CPU
     * ({@code HRTIMER_MODE_REL_PINNED_HARD}).
     *
     * @param cpu where it expires
     * @param callback what then happens
     */
    public HrTimer(Cpu cpu, Callback callback) {
        this(cpu, false, callback);
    }

    /**
     * Creates a timer, not queued, that expires in softirq context of one CPU ({@code HRTIMER_MODE_REL_PINNED_SOFT}).
     *
     * @param cpu where it expires
     * @param callback what then happens
     * @return the timer
     */
    public static HrTimer soft(Cpu cpu, Callback callback) {
        return new HrTimer(cpu, true, callback);
    }

    /**
     * Creates a timer, not queued, that expires in hardirq context of the CPU that arms it ({@code HRTIMER_MODE_REL_HARD}).
     *
     * @param callback what then happens
     * @return the timer
     */
    public static HrTimer unpinned(Callback callback) {
        return new HrTimer(null, false, callback);
    }

    /**
     * Starts the timer, or starts it anew if it is queued. The running CPU pays for programming its timer if this one is
     * then the first to expire.
     *
     * @param running the CPU that executes the call; for a pinned timer its own, unless that is offline
     * @param delayNs the least time until expiry, zero or more
     * @param slackNs how much later it may expire, zero or more
     */
    public void arm(Cpu running, long delayNs, long slackNs) {
        checkArgument(
                pinnedTo == null || running == pinnedTo || !pinnedTo.online(),
                "a timer pinned to %s was armed on %s",
                pinnedTo,
                running);
        checkArgument(
                delayNs >= 0 && slackNs >= 0, "delay %s ns and slack %s ns must not be negative", delayNs, slackNs);
        cancel();
        softExpiryNs = running.nowNs() + delayNs;
        hardExpiryNs = softExpiryNs + slackNs;
        running.timers.add(this);
    }

    /**
     * Starts the timer again so many periods after its last expiry that it lies ahead, without drift
     * ({@code hrtimer_forward_now}). Meant for the callback of a periodic timer; the slack stays what it was.
     *
     * @param running the CPU that executes the call
     * @param periodNs more than zero
     * @return how many periods it went forward: 1, or more if expiries were missed
     */
    public long forward(Cpu running, long periodNs) {
        checkArgument(periodNs > 0, "a period must be more than 0 ns, was %s", periodNs);
        checkState(base == null, "a timer that is queued cannot go forward");
        long periods = Math.max(0, running.nowNs() - softExpiryNs) / periodNs + 1;
        softExpiryNs += periods * periodNs;
        hardExpiryNs += periods * periodNs;
        running.timers.add(this);
        return periods;
    }

    /** Takes the timer out of the queue, if it is there. */
    public void cancel() {
        TimerBase queuedOn = base;
        if (queuedOn != null) {
            queuedOn.remove(this);
        }
    }

    /**
     * Returns whether the timer will expire.
     *
     * @return true from {@link #arm} until its callback begins
     */
    public boolean queued() {
        return base != null;
    }
}
