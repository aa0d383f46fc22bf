package io.irqlab.model.host;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * What the NVMe driver and the block layer do per interrupt and per completion, in nanoseconds of the CPU that does it.
 *
 * @param reapNs reading one completion entry and finding its request
 * @param completeNs completing one request up to the submitter's ring, without waking it
 * @param mmioWriteNs one posted write to a device register, such as a doorbell
 * @param mmioReadNs one read of a device register that nothing delays, such as the read-back that flushes a mask write
 */
public record DriverCosts(long reapNs, long completeNs, long mmioWriteNs, long mmioReadNs) {

    /** Checks that no cost is negative. */
    public DriverCosts {
        checkArgument(
                reapNs >= 0 && completeNs >= 0 && mmioWriteNs >= 0 && mmioReadNs >= 0,
                "costs must not be negative, were %s, %s, %s, %s ns",
                reapNs,
                completeNs,
                mmioWriteNs,
                mmioReadNs);
    }
}
