package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.spi.FlowPolicy;
import java.util.ArrayList;

/** Interrupt layers of one line, for tests of that line alone. */
final class TestInterrupts {
    private TestInterrupts() {}

    /** Makes an edge line on one CPU. */
    static IrqDescriptor edge(EventQueue queue, int irq, String name, Cpu cpu, IrqChip chip, FlowPolicy policy) {
        return line(queue, irq, name, FlowType.EDGE, cpu, chip, policy);
    }

    /** Makes a line on one CPU. */
    static IrqDescriptor line(
            EventQueue queue, int irq, String name, FlowType flow, Cpu cpu, IrqChip chip, FlowPolicy policy) {
        var cpus = new ArrayList<Cpu>();
        for (int number = 0; number < cpu.number(); number++) {
            cpus.add(new Cpu(number, queue, cpu.costs()));
        }
        cpus.add(cpu);
        return new Interrupts(new CpuHotplug(cpus), queue, policy, report -> {})
                .allocate(irq, name, flow, chip, CpuMask.of(cpu.number()));
    }
}
