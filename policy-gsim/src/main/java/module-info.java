/**
 * Global software interrupt moderation: the policies of the flow layer.
 *
 * <p>It exports nothing: its providers are services.
 */
module io.irqlab.policy.gsim {
    requires io.irqlab.core;
    requires com.google.common;
    requires static org.jspecify;

    provides io.irqlab.core.spi.PolicyProvider with
            io.irqlab.policy.gsim.GsimProvider;
}
