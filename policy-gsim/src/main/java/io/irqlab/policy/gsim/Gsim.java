package io.irqlab.policy.gsim;

import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicySettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * GSIM with a fixed delay: each CPU has one window at a time, and every eligible interrupt that is handled on the CPU while
 * it is open joins it. All eligible interrupts take part, as if the administrator had opted each in.
 */
final class Gsim implements FlowPolicy {
    private final List<CpuModeration> cpus = new ArrayList<>();
    private final GsimParameters parameters;

    Gsim(PolicyContext context) {
        this.parameters = new GsimParameters(context.settings());
        for (int cpu = 0; cpu < context.cpus(); cpu++) {
            cpus.add(new CpuModeration(context, cpu, parameters));
        }
    }

    @Override
    public boolean onHandled(IrqLine line, PolicyCpu cpu) {
        return parameters.on() && cpus.get(cpu.number()).onHandled(line, cpu);
    }

    /** Off is off at once, and open windows run out; any other delay reaches each CPU at the end of its epoch. */
    @Override
    public void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
        parameters.set(settings);
    }

    @Override
    public void onCpuOffline(int cpu, PolicyCpu running) {
        cpus.get(cpu).disallow(running);
    }

    @Override
    public void onCpuOnline(int cpu, PolicyCpu running) {
        cpus.get(cpu).allow();
    }

    @Override
    public void onSuspend(PolicyCpu running) {
        cpus.forEach(cpu -> cpu.disallow(running));
    }

    @Override
    public void onResume(PolicyCpu running) {
        cpus.forEach(CpuModeration::allow);
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
