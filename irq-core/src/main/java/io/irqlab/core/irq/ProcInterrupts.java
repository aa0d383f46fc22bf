package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Vector;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * The counts of interrupts as {@code /proc/interrupts} shows them: a column for each online CPU, a row for each line with a
 * handler, then the rows of the CPUs' own interrupts.
 */
final class ProcInterrupts {
    private final List<Cpu> cpus;
    private final Collection<IrqDescriptor> descriptors;
    private final Collection<PercpuIrq> percpu;
    private final int numberWidth;
    private final StringBuilder text = new StringBuilder();

    ProcInterrupts(List<Cpu> cpus, Collection<IrqDescriptor> descriptors, Collection<PercpuIrq> percpu) {
        this.cpus = cpus.stream().filter(Cpu::online).toList();
        this.descriptors = descriptors;
        this.percpu = percpu;
        int greatest = Math.max(
                descriptors.stream().mapToInt(IrqDescriptor::irq).max().orElse(0),
                percpu.stream().mapToInt(PercpuIrq::irq).max().orElse(0));
        this.numberWidth = Math.max(3, Integer.toString(greatest).length());
    }

    String print() {
        text.append(" ".repeat(numberWidth + 8));
        for (Cpu cpu : cpus) {
            text.append("CPU%-8d".formatted(cpu.number()));
        }
        text.append('\n');
        for (IrqDescriptor descriptor : descriptors) {
            if (!descriptor.handlerNames().isEmpty()) {
                row(
                        Integer.toString(descriptor.irq()),
                        cpu -> descriptor.handled(cpu.number()),
                        "%8s  %d-%-8s  %s"
                                .formatted(
                                        descriptor.chip().chipName(),
                                        descriptor.irq(),
                                        descriptor.flow(),
                                        String.join(", ", descriptor.handlerNames())));
            }
        }
        for (PercpuIrq each : percpu) {
            row(
                    Integer.toString(each.irq()),
                    cpu -> each.handled(cpu.number()),
                    "%8s  %d-%-8s  %s".formatted("PERCPU", each.irq(), "percpu", each.name()));
        }
        row("LOC", cpu -> cpu.hardirqs(Vector.Source.TIMER), " Local timer interrupts");
        row("RES", cpu -> cpu.hardirqs(Vector.Source.IPI), " Rescheduling interrupts");
        return text.toString();
    }

    private void row(String label, ToLongFunction<Cpu> count, String what) {
        text.append(String.format(Locale.ROOT, "%" + numberWidth + "s:", label));
        for (Cpu cpu : cpus) {
            text.append(String.format(Locale.ROOT, " %10d", count.applyAsLong(cpu)));
        }
        text.append(' ').append(what).append('\n');
    }
}
