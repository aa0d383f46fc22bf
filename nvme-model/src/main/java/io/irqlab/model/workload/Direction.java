package io.irqlab.model.workload;

/** What one I/O does to its data. */
public enum Direction {
    /** From the drive to memory. */
    READ,
    /** From memory to the drive. */
    WRITE,
    /** Deallocation; no data moves. */
    TRIM
}
