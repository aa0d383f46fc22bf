package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkArgument;

import io.irqlab.core.spi.PolicySettings;

/**
 * A change of a policy's settings in the middle of a run.
 *
 * @param atNs when the administrator makes it: virtual time since the run began, warm-up included
 * @param policy the name of a policy of the run's stack
 * @param settings all its values from then on, checked ({@link PolicySettings#with})
 */
public record SettingsChange(long atNs, String policy, PolicySettings settings) {

    /** Checks that the time is not before the run. */
    public SettingsChange {
        checkArgument(atNs >= 0, "a change of %s must be at 0 ns or later, was %s", policy, atNs);
    }
}
