package io.irqlab.lab.report;

import java.util.Comparator;
import java.util.Optional;

/** Picks what a comparison shows of a machine that is too large for its row. */
final class Busiest {
    private Busiest() {}

    /** Returns the CPU that interrupts took most of: hardirq and softirq together, the first of equals. */
    static Optional<RunReport.Cpu> cpu(RunReport report) {
        return report.cpus().stream()
                .max(Comparator.<RunReport.Cpu>comparingDouble(cpu -> cpu.hardirq() + cpu.softirq())
                        .thenComparing(RunReport.Cpu::cpu, Comparator.reverseOrder()));
    }

    /** Returns the root complex that was busy for the longest time, the first of equals. */
    static Optional<RunReport.RootComplex> rootComplex(RunReport report) {
        Optional<RunReport.RootComplex> busiest = Optional.empty();
        for (RunReport.RootComplex complex : report.rootComplexes()) {
            if (busiest.isEmpty() || complex.utilization() > busiest.get().utilization()) {
                busiest = Optional.of(complex);
            }
        }
        return busiest;
    }
}
