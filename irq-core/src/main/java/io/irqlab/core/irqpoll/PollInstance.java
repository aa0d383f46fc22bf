package io.irqlab.core.irqpoll;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import org.jspecify.annotations.Nullable;

/** One queue that can be polled ({@code struct irq_poll}). Belongs to its run's thread. */
public final class PollInstance {
    final int weight;
    final PollFunction function;
    private final String driver;
    private final IrqPoll core;

    @Nullable
    PollInstance next;

    /** The list on which it is scheduled. */
    @Nullable
    PollList list;

    /** Whether it was completed since the poll function was last called. */
    boolean completed;

    boolean disabled;
    /** The CPU that is in the middle of the poll function. */
    private @Nullable Cpu caller;

    /**
     * Creates an instance, neither scheduled nor disabled.
     *
     * @param core the machine's irq_poll
     * @param driver what reports call it, such as {@code nvme0q3}
     * @param weight the budget of one call, 1 to {@value IrqPoll#BUDGET}
     * @param function the driver's poll function
     */
    public PollInstance(IrqPoll core, String driver, int weight, PollFunction function) {
        checkArgument(
                weight >= 1 && weight <= IrqPoll.BUDGET, "weight must be 1 to %s, was %s", IrqPoll.BUDGET, weight);
        this.core = core;
        this.driver = driver;
        this.weight = weight;
        this.function = function;
    }

    /**
     * Puts the instance on the running CPU's list and raises the softirq; without effect if it is scheduled or disabled
     * ({@code irq_poll_sched}).
     *
     * @param running the CPU that executes the call
     * @return true if it was scheduled
     */
    public boolean schedule(Cpu running) {
        if (disabled || scheduled()) {
            return false;
        }
        core.add(this, running);
        return true;
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

    /**
     * Takes the instance off its list ({@code irq_poll_complete}): the driver has found fewer completions than its budget,
     * and enables its interrupt. It is to do so in the step in which its poll function returns: an interrupt that comes
     * between, on another CPU, would run that function a second time.
     *
     * @throws IllegalStateException if the instance is not scheduled
     */
    public void complete() {
        PollList on = list;
        checkState(on != null, "driver bug: %s completes a poll that is not scheduled", driver);
        on.remove(this);
        completed = true;
    }

    /**
     * Keeps the instance from being scheduled ({@code irq_poll_disable}). One that is scheduled ends with the call in which
     * it is polled next; the caller waits for {@link #scheduled} to become false, asleep.
     */
    public void disable() {
        disabled = true;
    }

    /** Lets the instance be scheduled again ({@code irq_poll_enable}). */
    public void enable() {
        disabled = false;
    }

    /**
     * Returns whether the instance is on a CPU's list.
     *
     * @return true from {@link #schedule} until {@link #complete}
     */
    public boolean scheduled() {
        return list != null;
    }

    @Override
    public String toString() {
        return driver;
    }
}
