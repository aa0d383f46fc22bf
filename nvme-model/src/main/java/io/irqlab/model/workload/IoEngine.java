package io.irqlab.model.workload;

import java.util.Locale;

/** How a job talks to the kernel: fio's {@code ioengine}. */
public enum IoEngine {
    /** {@code io_submit} and {@code io_getevents}. */
    LIBAIO(true, false),
    /** Rings shared with the kernel. */
    IO_URING(true, true),
    /** {@code lseek}, then {@code read} or {@code write}. */
    SYNC(false, false),
    /** {@code pread} and {@code pwrite}; what fio takes unless told otherwise. */
    PSYNC(false, false),
    /** {@code preadv} and {@code pwritev}. */
    PVSYNC(false, false),
    /** {@code preadv2} and {@code pwritev2}, which can poll. */
    PVSYNC2(false, true);

    private final boolean asynchronous;
    private final boolean pollable;

    IoEngine(boolean asynchronous, boolean pollable) {
        this.asynchronous = asynchronous;
        this.pollable = pollable;
    }

    /**
     * Tells engines that keep several I/Os in flight from those that wait for each.
     *
     * @return whether {@code iodepth} has an effect
     */
    public boolean asynchronous() {
        return asynchronous;
    }

    /**
     * Tells engines that can poll for completions.
     *
     * @return whether {@code hipri} has an effect
     */
    public boolean pollable() {
        return pollable;
    }

    /**
     * Returns the name that fio gives it.
     *
     * @return a value of the option {@code ioengine}
     */
    public String fioName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
