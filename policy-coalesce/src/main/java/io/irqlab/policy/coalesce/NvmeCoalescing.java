package io.irqlab.policy.coalesce;

import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.model.nvme.InterruptCoalescing;
import io.irqlab.model.nvme.NvmeDrive;
import java.util.Collections;
import java.util.Map;

/** Sets the Interrupt Coalescing feature of every drive, when the run begins and when its settings change. */
final class NvmeCoalescing implements Policy {
    private static final long NS_PER_US = 1_000;

    private final PolicyContext context;
    private long commands;

    NvmeCoalescing(PolicyContext context) {
        this.context = context;
    }

    @Override
    public void start() {
        set(context.settings());
    }

    /** A Set Features command to every drive, which takes its time, and on some drives stalls I/O. */
    @Override
    public void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
        set(settings);
    }

    private void set(PolicySettings settings) {
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
