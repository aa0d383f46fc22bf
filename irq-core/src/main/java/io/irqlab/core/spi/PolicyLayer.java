package io.irqlab.core.spi;

/** Where a policy acts. A stack holds at most one policy of each layer, since each layer has one exclusive hook. */
public enum PolicyLayer {
    /** On the device: its own coalescing (NVMe features 08h and 09h, NIC interrupt throttling). */
    DEVICE,
    /** On the platform: how an MSI reaches a CPU (posted delivery). */
    PLATFORM,
    /** On the flow handlers: after every handled interrupt of a CPU, whatever the device. */
    FLOW,
    /** In a driver's interrupt handling: who reaps a completion queue, when, and how much. */
    DRIVER
}
