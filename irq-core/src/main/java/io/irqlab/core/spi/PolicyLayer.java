package io.irqlab.core.spi;

import java.util.Locale;

/**
 * Where a policy acts. The platform, the flow handlers and the drivers have one exclusive hook each, so that a stack holds
 * at most one policy of these layers; on the device layer, policies of different features stand side by side
 * ({@link PolicyProvider#claims}).
 */
public enum PolicyLayer {
    /** On the device: its own coalescing (NVMe features 08h and 09h, NIC interrupt throttling). */
    DEVICE,
    /** On the platform: how an MSI reaches a CPU (posted delivery). */
    PLATFORM,
    /** On the flow handlers: after every handled interrupt of a CPU, whatever the device. */
    FLOW,
    /** In a driver's interrupt handling: who reaps a completion queue, when, and how much. */
    DRIVER;

    /**
     * Returns the name of the layer's own hook.
     *
     * @return for example {@code flow}
     */
    public String hook() {
        return name().toLowerCase(Locale.ROOT);
    }
}
