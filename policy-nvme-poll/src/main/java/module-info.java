/**
 * Policies of the NVMe driver, which decide who reaps completions, and when.
 *
 * <p>It exports nothing: its providers are services.
 */
module io.irqlab.policy.nvmepoll {
    requires io.irqlab.model;
    requires com.google.common;
    requires static org.jspecify;

    provides io.irqlab.core.spi.PolicyProvider with
            io.irqlab.policy.nvmepoll.WatermarkPollProvider;
}
