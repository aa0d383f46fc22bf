package io.irqlab.policy.gsim;

import io.irqlab.core.spi.PolicySettings;

/** What all CPUs read: the parameters, and a number that changes with them. */
final class GsimParameters {
    /** The length of an epoch, {@code update_ms} in its default. */
    static final long UPDATE_NS = 5_000_000;

    private static final long NS_PER_US = 1_000;

    private int sequence;
    private long delayNs;

    GsimParameters(PolicySettings settings) {
        set(settings);
    }

    void set(PolicySettings settings) {
        delayNs = settings.get(GsimProvider.DELAY_US) * NS_PER_US;
        sequence++;
    }

    /** Returns the greatest delay, and the only one where none adapts; 0 is off. */
    long delayNs() {
        return delayNs;
    }

    int sequence() {
        return sequence;
    }

    boolean on() {
        return delayNs != 0;
    }
}
