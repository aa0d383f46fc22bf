package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Vector;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The counts of interrupts as {@code /proc/interrupts} shows them: a column for each online CPU, a row for each line that has a
 * handler or has had interrupts, by number, then the rows of the CPUs' own interrupts.
 */
final class ProcInterrupts {
    private final List<Cpu> cpus;
    private final int numberWidth;
    private final TreeMap<Integer, Runnable> rows = new TreeMap<>();
    private final StringBuilder text = new StringBuilder();

    ProcInterrupts(List<Cpu> cpus, Collection<IrqDescriptor> descriptors, Collection<PercpuIrq> percpu) {
        this.cpus = cpus.stream().filter(Cpu::online).toList();
        int greatest = Math.max(
                descriptors.stream().mapToInt(IrqDescriptor::irq).max().orElse(0),
                percpu.stream().mapToInt(PercpuIrq::irq).max().orElse(0));
        this.numberWidth = Math.max(3, Integer.toString(greatest).length());
        for (IrqDescriptor each : descriptors) {
            if (!each.handlerNames().isEmpty() || each.handled() > 0) {
                rows.put(each.irq(), () -> line(each));
            }
        }
        for (PercpuIrq each : percpu) {
            rows.put(each.irq(), () -> line(each));
        }
    }

    private void line(IrqDescriptor each) {
        row(
                Integer.toString(each.irq()),
                cpu -> each.handled(cpu.number()),
                source(each.chip().chipName(), each.irq(), each.flow().toString(), each.handlerNames()));
    }

    private void line(PercpuIrq each) {
        row(
                Integer.toString(each.irq()),
                cpu -> each.handled(cpu.number()),
                source("PERCPU", each.irq(), "percpu", List.of(each.name())));
    }

    /** The chip, the hardware's number of the interrupt, which is the line's here, its flow, and the handlers. */
    private String source(String chip, int hardwareIrq, String flow, List<String> handlers) {
        String left = String.format(Locale.ROOT, "%8s %" + numberWidth + "d-%-8s", chip, hardwareIrq, flow);
        return handlers.isEmpty() ? left : left + "  " + String.join(", ", handlers);
    }

    String print() {
        text.append(" ".repeat(numberWidth + 8));
        for (Cpu cpu : cpus) {
            text.append(String.format(Locale.ROOT, "CPU%-8d", cpu.number()));
        }
        text.append('\n');
        rows.values().forEach(Runnable::run);
        row("LOC", cpu -> cpu.hardirqs(Vector.Source.TIMER), "  Local timer interrupts");
        row("RES", cpu -> cpu.hardirqs(Vector.Source.IPI), "  Rescheduling interrupts");
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
