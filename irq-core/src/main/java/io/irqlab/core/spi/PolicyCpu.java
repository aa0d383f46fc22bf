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
}
