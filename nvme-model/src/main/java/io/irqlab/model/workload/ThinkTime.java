package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Pauses of a job: fio's {@code thinktime} and {@code thinktime_blocks}.
 *
 * @param pauseNs how long the job sleeps, 0 for never
 * @param blocks after how many completed I/Os, 1 or more
 */
public record ThinkTime(long pauseNs, int blocks) {
    /** No pauses. */
    public static final ThinkTime NONE = new ThinkTime(0, 1);

    /** Checks the ranges. */
    public ThinkTime {
        checkArgument(pauseNs >= 0, "pause must not be negative, was %s ns", pauseNs);
        checkArgument(blocks >= 1, "blocks must be 1 or more, was %s", blocks);
    }
}
