/**
 * Policies of the device and of the platform, which merge interrupts before a CPU sees them.
 *
 * <p>It exports nothing: its providers are services.
 */
module io.irqlab.policy.coalesce {
    requires io.irqlab.model;
    requires com.google.common;
    requires static org.jspecify;

    provides io.irqlab.core.spi.PolicyProvider with
            io.irqlab.policy.coalesce.NvmeCoalescingProvider;
}
