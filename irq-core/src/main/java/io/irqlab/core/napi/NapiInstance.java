package io.irqlab.core.napi;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.HrTimer;
import org.jspecify.annotations.Nullable;

/**
 * One queue pair of a network device as NAPI polls it ({@code struct napi_struct}). Belongs to its run's thread.
 *
 * <p>With {@code napi_defer_hard_irqs} = N and {@code gro_flush_timeout} = T, a poll that finds nothing does not unmask the
 * interrupt but polls again after T, up to N times in a row. Packets are not held back for aggregation (GRO), so T has no
 * other effect.
 */
public final class NapiInstance {
    /** The budget of one call ({@code NAPI_POLL_WEIGHT}). */
    public static final int WEIGHT = 64;

    final NapiPoll function;
    private final String driver;
    private final Napi core;
    private final HrTimer timer = HrTimer.unpinned(this::onTimer);

    @Nullable
    NapiInstance next;

    boolean scheduled;
    /** Whether it was scheduled again while it was scheduled, so that it must not end without another look. */
    boolean missed;
    /** Whether it was completed since the poll function was last called. */
    boolean completed;

    boolean disabled;
    /** The CPU that is in the middle of the poll function. */
    private @Nullable Cpu caller;

    private int deferHardIrqs;
    private long flushTimeoutNs;
    private int deferralsLeft;

    /**
     * Creates an instance, neither scheduled nor disabled.
     *
     * @param core the machine's NAPI
     * @param driver what reports call it, such as {@code eth0-rx-3}
     * @param function the driver's poll function
     */
    public NapiInstance(Napi core, String driver, NapiPoll function) {
        this.core = core;
        this.driver = driver;
        this.function = function;
    }

    /**
     * Sets how the interrupt is put off when a poll finds nothing; an administrator may do so at any time.
     *
     * @param polls {@code napi_defer_hard_irqs}: empty polls in a row before the interrupt is unmasked, 0 or more
     * @param timeoutNs {@code gro_flush_timeout}: the time to the next of them, 0 or more; 0 switches this off
     */
    public void defer(int polls, long timeoutNs) {
        checkArgument(polls >= 0, "napi_defer_hard_irqs must be 0 or more, was %s", polls);
        checkArgument(timeoutNs >= 0, "gro_flush_timeout must be 0 ns or more, was %s", timeoutNs);
        deferHardIrqs = polls;
        flushTimeoutNs = timeoutNs;
    }

    /**
     * Puts the instance on the running CPU's list and raises the softirq ({@code napi_schedule}). If it is scheduled already
     * it is polled once more instead.
     *
     * @param running the CPU that executes the call
     * @return true if it was not scheduled before
     */
    public boolean schedule(Cpu running) {
        if (disabled) {
            return false;
        }
        if (scheduled) {
            missed = true;
            return false;
        }
        scheduled = true;
        core.add(this, running);
        return true;
    }

    /**
     * Ends the polling: the poll function has found fewer packets than its budget ({@code napi_complete_done}). It is to do
     * so in the step in which it returns: an interrupt that comes between, on another CPU, would run it a second time.
     *
     * @param work the packets that this call took
     * @param running the CPU that executes the call
     * @return true if the driver is to unmask its interrupt; false if a timer or another poll follows
     * @throws IllegalStateException if the instance is not scheduled
     */
    public boolean completeDone(int work, Cpu running) {
        checkState(scheduled, "driver bug: %s completes a poll that is not scheduled", driver);
        boolean unmask = true;
        long timeoutNs = 0;
        if (work > 0) {
            deferralsLeft = deferHardIrqs;
        }
        if (deferralsLeft > 0) {
            deferralsLeft--;
            timeoutNs = flushTimeoutNs;
            unmask = timeoutNs == 0;
        }
        completed = true;
        if (missed) {
            // Even one that is being disabled takes the other look: its interrupt may be masked by what it missed.
            missed = false;
            core.add(this, running);
            return false;
        }
        scheduled = false;
        if (timeoutNs > 0 && !disabled) {
            timer.arm(running, timeoutNs, 0);
        }
        return unmask;
    }

    /** A CPU calls the poll function. */
    void begin(Cpu cpu) {
        Cpu other = caller;
        checkState(
                other == null,
                "driver bug: %s would run the poll function of %s, which has completed on %s and not returned",
                cpu,
                this,
                other);
        caller = cpu;
        completed = false;
    }

    /** The poll function has returned. */
    void end() {
        caller = null;
    }

    private void onTimer(Cpu running) {
        if (!disabled && !scheduled) {
            schedule(running);
        }
    }

    /**
     * Keeps the instance from being scheduled ({@code napi_disable}). One that is scheduled ends with the call in which it is
     * polled next; the caller waits for {@link #scheduled} to become false, asleep.
     */
    public void disable() {
        disabled = true;
        timer.cancel();
    }

    /** Lets the instance be scheduled again ({@code napi_enable}). */
    public void enable() {
        disabled = false;
        missed = false;
    }

    /**
     * Returns whether the instance is being polled.
     *
     * @return true from {@link #schedule} until {@link #completeDone}
     */
    public boolean scheduled() {
        return scheduled;
    }

    @Override
    public String toString() {
        return driver;
    }
}
