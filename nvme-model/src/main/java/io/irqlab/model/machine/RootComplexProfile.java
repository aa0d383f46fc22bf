package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A root complex: the serial resource that every upstream write of its devices passes.
 *
 * @param name unique in the machine, such as {@code rc0}
 * @param dmaNs service time of 4 KiB of data with its completion entry ({@code a}), more than zero
 * @param msiNs service time of one MSI, interrupt remapping included ({@code b}), zero or more
 * @param postedCredits commands' worth of posted writes (data, completion entry and MSI) that each port may have
 *     waiting in the root complex; the rest waits in the device, 1 or more
 */
public record RootComplexProfile(String name, long dmaNs, long msiNs, int postedCredits) {

    /** Checks the ranges. */
    public RootComplexProfile {
        checkArgument(dmaNs > 0, "%s: dma time must be more than 0 ns, was %s", name, dmaNs);
        checkArgument(msiNs >= 0, "%s: msi time must be 0 ns or more, was %s", name, msiNs);
        checkArgument(postedCredits >= 1, "%s: posted credits must be 1 or more, was %s", name, postedCredits);
    }
}
