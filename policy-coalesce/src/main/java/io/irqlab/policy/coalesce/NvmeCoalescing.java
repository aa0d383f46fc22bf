package io.irqlab.policy.coalesce;

import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.model.nvme.InterruptCoalescing;
import io.irqlab.model.nvme.NvmeDrive;
import java.util.Collections;
import java.util.Map;

/** Sets the Interrupt Coalescing feature of every drive when the run begins. */
final class NvmeCoalescing implements Policy {
    private static final long NS_PER_US = 1_000;

    private final PolicyContext context;
    private long commands;

    NvmeCoalescing(PolicyContext context) {
        this.context = context;
    }

    @Override
    public void start() {
        PolicySettings settings = context.settings();
        var value = new InterruptCoalescing(
                (int) settings.get(NvmeCoalescingProvider.THRESHOLD),
                settings.get(NvmeCoalescingProvider.TIME_US) * NS_PER_US);
        for (NvmeDrive drive : context.devices(NvmeDrive.class)) {
            drive.setInterruptCoalescing(value);
            commands++;
        }
    }

    @Override
    public Map<String, Long> counters() {
        return Collections.singletonMap("set_features", commands);
    }
}
