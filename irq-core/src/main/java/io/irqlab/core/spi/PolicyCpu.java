package io.irqlab.core.spi;

/** A CPU as a policy sees it: only what kernel code on that CPU could read, at its price. */
public interface PolicyCpu {

    /**
     * Returns the CPU's number.
     *
     * @return 0 to the machine's last CPU
     */
    int number();

    /**
     * Reads the monotonic clock. The CPU is charged for it.
     *
     * @return nanoseconds since the run began
     */
    long readClockNs();

    /**
     * Returns the CPU's accumulated time in hardirq context, as {@code CPUTIME_IRQ} under
     * {@code CONFIG_IRQ_TIME_ACCOUNTING}: all handlers, timers included.
     *
     * @return nanoseconds since the run began
     */
    long hardirqTimeNs();

    /**
     * Charges the CPU for work of the policy's own, such as a walk over its state or a write to a line that other CPUs
     * share. It is added to the step that is now acting.
     *
     * @param ns nanoseconds, zero or more
     */
    void spend(long ns);

    /**
     * Returns whether a task waits that should run instead of the present one ({@code TIF_NEED_RESCHED}).
     *
     * @return true until the scheduler has run
     */
    boolean needResched();

    /**
     * Returns how many tasks want the CPU ({@code nr_running}).
     *
     * @return those that run or wait for their turn, ksoftirqd included
     */
    int runnableTasks();

    /**
     * Returns how often the CPU switched to another task.
     *
     * @return a count since the run began
     */
    long contextSwitches();
}
