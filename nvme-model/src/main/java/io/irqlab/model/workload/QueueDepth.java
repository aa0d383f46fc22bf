package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How many I/Os a job keeps in flight, and in which portions it submits and reaps them. Everything is 1 for a
 * synchronous engine.
 *
 * @param iodepth the most in flight, 1 or more
 * @param batchSubmit how many the job gathers before it submits, 1 to {@code iodepth}
 * @param completeMin how many it waits for when it reaps, 0 (it only looks) to {@code iodepth}; a job whose depth is
 *     full waits for one at least, and none waits for more than are in flight
 * @param completeMax the most it reaps at once, {@code completeMin} or more
 * @param low once the depth is full, the job submits again only when no more than this are in flight, 1 to
 *     {@code iodepth}
 */
public record QueueDepth(int iodepth, int batchSubmit, int completeMin, int completeMax, int low) {
    /** One I/O at a time. */
    public static final QueueDepth ONE = new QueueDepth(1, 1, 1, 1, 1);

    /** Checks the ranges. */
    public QueueDepth {
        checkArgument(iodepth >= 1, "iodepth must be 1 or more, was %s", iodepth);
        checkArgument(
                batchSubmit >= 1 && batchSubmit <= iodepth,
                "batchSubmit must be 1 to %s, was %s",
                iodepth,
                batchSubmit);
        checkArgument(
                completeMin >= 0 && completeMin <= iodepth,
                "completeMin must be 0 to %s, was %s",
                iodepth,
                completeMin);
        checkArgument(completeMax >= completeMin, "completeMax must be %s or more, was %s", completeMin, completeMax);
        checkArgument(low >= 1 && low <= iodepth, "low must be 1 to %s, was %s", iodepth, low);
    }
}
