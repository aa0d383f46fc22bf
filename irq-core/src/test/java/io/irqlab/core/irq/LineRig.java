package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.PolicyCpu;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A machine of some CPUs whose own actions cost nothing, but for an inter-processor interrupt's 250 ns. */
final class LineRig {
    static final long IPI_NS = 250;

    final Timeline run = new Timeline();
    final List<Cpu> cpus;
    final CpuHotplug hotplug;
    final List<SpuriousIrq> reports = new ArrayList<>();
    final Interrupts interrupts;
    final FakeMsi msi = new FakeMsi(run);
    final FakeWire wire = new FakeWire(run);

    LineRig(int count) {
        this(count, null);
    }

    LineRig(int count, @Nullable FlowPolicy policy) {
        cpus = IntStream.range(0, count)
                .mapToObj(number ->
                        new Cpu(number, run.queue, TestCosts.costs().ipi(IPI_NS).build()))
                .toList();
        hotplug = new CpuHotplug(cpus);
        interrupts = new Interrupts(hotplug, run.queue, policy, reports::add);
    }

    Cpu cpu(int number) {
        return cpus.get(number);
    }

    /** Makes line 24 with the chip of its flow. */
    IrqDescriptor line(FlowType flow, int... affinity) {
        IrqDescriptor line =
                interrupts.allocate(24, "eth0", flow, flow == FlowType.LEVEL ? wire : msi, CpuMask.of(affinity));
        msi.connect(line);
        wire.connect(line);
        return line;
    }

    IrqDescriptor managed(int... group) {
        IrqDescriptor line = interrupts.allocateManaged(24, "eth0", FlowType.EDGE, msi, CpuMask.of(group));
        msi.connect(line);
        return line;
    }

    /** Code that notes where it begins, takes a time, and notes its end. */
    Routine code(String name, long ns) {
        boolean[] begun = {false};
        return on -> {
            begun[0] = !begun[0];
            run.note(name + (begun[0] ? " on " + on.number() : " done"));
            return begun[0] ? ns : Routine.DONE;
        };
    }

    /** A handler of that name that says HANDLED. */
    FakeAction handler(String name, long ns) {
        return new FakeAction(code(name, ns));
    }

    /** A handler that wakes its thread. */
    FakeAction threaded(String name, long handlerNs, long threadNs) {
        var action = new FakeAction(code(name, handlerNs), code(name + " thread", threadNs));
        action.result = IrqReturn.WAKE_THREAD;
        return action;
    }

    /** Keeps a CPU in a hardirq, so that what is raised waits in its request register. */
    void keepBusy(int cpu, long ns) {
        boolean[] begun = {false};
        Vector vector = cpu(cpu).allocateVector("busy", on -> {
            begun[0] = !begun[0];
            return begun[0] ? ns : Routine.DONE;
        });
        cpu(cpu).raise(vector);
    }

    /** What was noted from a time on. */
    List<String> logFrom(long ns) {
        return run.log().stream()
                .filter(entry -> Long.parseLong(entry.substring(0, entry.indexOf(' '))) >= ns)
                .toList();
    }

    /** A policy that does nothing of itself. */
    static final class Window implements FlowPolicy {
        boolean open;

        @Override
        public boolean onHandled(io.irqlab.core.spi.IrqLine line, PolicyCpu cpu) {
            boolean opens = open;
            if (opens) {
                open = false;
                line.moderate(cpu);
            }
            return opens;
        }
    }
}
