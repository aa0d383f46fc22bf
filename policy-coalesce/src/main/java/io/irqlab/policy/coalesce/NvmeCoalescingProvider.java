package io.irqlab.policy.coalesce;

import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicySettings;
import java.util.List;

/** Provides {@code nvme-coalescing}: the Interrupt Coalescing feature (08h), set once on every drive. */
public final class NvmeCoalescingProvider implements PolicyProvider {
    private static final int TIME_STEP_US = 100;

    static final Parameter THRESHOLD = new Parameter(
            "threshold",
            "completions",
            1,
            256,
            8,
            true,
            "Completions of a vector to gather before an interrupt; 1 is off (feature 08h, THR is this less one).");
    static final Parameter TIME_US = new Parameter(
            "time_us",
            "us",
            0,
            25_500,
            TIME_STEP_US,
            true,
            "The longest wait, a multiple of 100; 0 is off (feature 08h, TIME in steps of 100 us).");

    /** Called by the service loader. */
    public NvmeCoalescingProvider() {}

    @Override
    public String name() {
        return "nvme-coalescing";
    }

    @Override
    public PolicyLayer layer() {
        return PolicyLayer.DEVICE;
    }

    @Override
    public List<String> claims() {
        return List.of("nvme-interrupt-coalescing");
    }

    @Override
    public String summary() {
        return "The drives gather completions themselves: NVMe Interrupt Coalescing (Set Features 08h), one static value.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(THRESHOLD, TIME_US);
    }

    @Override
    public List<String> check(PolicySettings settings) {
        long timeUs = settings.get(TIME_US);
        return timeUs % TIME_STEP_US == 0
                ? List.of()
                : List.of("time_us=%d is not a step of the feature; expected a multiple of %d"
                        .formatted(timeUs, TIME_STEP_US));
    }

    @Override
    public Policy create(PolicyContext context) {
        return new NvmeCoalescing(context);
    }
}
