package io.irqlab.model.workload;

/**
 * How long a job goes on, as written. The zero of each value means that it was not given.
 *
 * @param rampTimeNs time before anything is counted: fio's {@code ramp_time}
 * @param runtimeNs time that is counted: fio's {@code runtime}
 * @param sizeBytes region of the file that the job uses: fio's {@code size}
 * @param ioSizeBytes how much data it moves: fio's {@code io_size}
 */
public record Extent(long rampTimeNs, long runtimeNs, long sizeBytes, long ioSizeBytes) {
    /** Nothing given. */
    public static final Extent UNLIMITED = new Extent(0, 0, 0, 0);
}
