package io.irqlab.model.nvme;

import static com.google.common.base.Preconditions.checkArgument;

import io.irqlab.core.engine.DelayDistribution;

/**
 * What a controller can do, and how fast.
 *
 * @param media time in which the media serves one command
 * @param maxIops commands per second that the controller serves at most, 1 to 10^9
 * @param commandSlots commands that it works on at once, 1 or more
 * @param fetchNs from a doorbell to the command in the controller, 0 or more
 * @param fetchBurst commands that it takes from one submission queue before the next one's turn (arbitration burst,
 *     feature 01h), 1 or more
 * @param setFeaturesNs time of a Set Features command, 0 or more
 * @param featureStallNs time for which it begins no I/O when a feature changes, 0 for none
 */
public record NvmeTiming(
        DelayDistribution media,
        long maxIops,
        int commandSlots,
        long fetchNs,
        int fetchBurst,
        long setFeaturesNs,
        long featureStallNs) {

    /** Checks the ranges. */
    public NvmeTiming {
        checkArgument(maxIops >= 1 && maxIops <= 1_000_000_000, "iops must be 1 to 10^9, was %s", maxIops);
        checkArgument(commandSlots >= 1, "command slots must be 1 or more, was %s", commandSlots);
        checkArgument(fetchNs >= 0, "fetch time must be 0 ns or more, was %s", fetchNs);
        checkArgument(fetchBurst >= 1, "fetch burst must be 1 or more, was %s", fetchBurst);
        checkArgument(
                setFeaturesNs >= 0 && featureStallNs >= 0,
                "times of a feature must be 0 ns or more, were %s and %s",
                setFeaturesNs,
                featureStallNs);
    }
}
