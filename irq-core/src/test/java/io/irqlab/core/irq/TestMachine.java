package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.spi.FlowPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A machine of some CPUs with its interrupt layer, and what that reported. */
final class TestMachine {
    final Timeline run = new Timeline();
    final List<Cpu> cpus;
    final CpuHotplug hotplug;
    final Interrupts interrupts;
    final List<SpuriousIrq> reports = new ArrayList<>();

    TestMachine(int cpus) {
        this(cpus, TestCosts.free(), null);
    }

    TestMachine(int cpus, CpuCosts costs, FlowPolicy policy) {
        this.cpus = IntStream.range(0, cpus)
                .mapToObj(number -> new Cpu(number, run.queue, costs))
                .toList();
        this.hotplug = new CpuHotplug(this.cpus);
        this.interrupts = new Interrupts(hotplug, run.queue, policy, reports::add);
    }

    Cpu cpu(int number) {
        return cpus.get(number);
    }

    /** Makes a line with a chip that plays its device too. */
    IrqDescriptor line(int irq, String name, FakeChip chip, int... affinity) {
        return chip.connect(interrupts.allocate(irq, name, chip.flow, chip, CpuMask.of(affinity)));
    }

    /** Makes a managed line. */
    IrqDescriptor managedLine(int irq, String name, FakeChip chip, int... group) {
        return chip.connect(interrupts.allocateManaged(irq, name, chip.flow, chip, CpuMask.of(group)));
    }

    /** A handler that notes its beginning and its end with the CPU on which it is, and takes a time between. */
    FakeAction action(String name, long durationNs) {
        boolean[] began = {false};
        return new FakeAction(on -> {
            began[0] = !began[0];
            run.note(name + (began[0] ? " on " + on.number() : " done"));
            return began[0] ? durationNs : Routine.DONE;
        });
    }
}
