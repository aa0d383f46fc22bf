package io.irqlab.policy.gsim;

import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * GSIM with a fixed delay: each CPU has one window at a time, and every eligible interrupt that is handled on the CPU while
 * it is open joins it. All eligible interrupts take part, as if the administrator had opted each in.
 */
final class Gsim implements FlowPolicy {
    private static final long NS_PER_US = 1_000;

    private final List<CpuModeration> cpus = new ArrayList<>();
    private final boolean on;

    Gsim(PolicyContext context) {
        long delayNs = context.settings().get(GsimProvider.DELAY_US) * NS_PER_US;
        this.on = delayNs != 0;
        for (int cpu = 0; cpu < context.cpus(); cpu++) {
            cpus.add(new CpuModeration(context, cpu, delayNs));
        }
    }

    @Override
    public boolean onHandled(IrqLine line, PolicyCpu cpu) {
        return on && cpus.get(cpu.number()).onHandled(line, cpu);
    }

    @Override
    public Map<String, Long> counters() {
        var counters = new LinkedHashMap<String, Long>();
        counters.put(
                "timer_set", cpus.stream().mapToLong(CpuModeration::timerSet).sum());
        counters.put("enqueue", cpus.stream().mapToLong(CpuModeration::enqueue).sum());
        return counters;
    }
}
