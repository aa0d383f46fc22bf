package io.irqlab.policy.gsim;

import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import java.util.List;

/** Provides {@code gsim}: global software interrupt moderation with a fixed delay. */
public final class GsimProvider implements PolicyProvider {
    static final Parameter DELAY_US = new Parameter(
            "delay_us",
            "us",
            0,
            500,
            0,
            true,
            "How long a window keeps the interrupts off that fired on a CPU; 0 is off (GSIM v5, procfs file delay_us).");

    /** Called by the service loader. */
    public GsimProvider() {}

    @Override
    public String name() {
        return "gsim";
    }

    @Override
    public PolicyLayer layer() {
        return PolicyLayer.FLOW;
    }

    @Override
    public String summary() {
        return "Software moderation in the generic irq layer: after an interrupt, a per-CPU window keeps its line off "
                + "(GSIM v5, August 2026; fixed delay).";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(DELAY_US);
    }

    @Override
    public Policy create(PolicyContext context) {
        return new Gsim(context);
    }
}
