package io.irqlab.lab.report;

import io.irqlab.core.spi.PolicyStack;
import java.util.List;
import java.util.OptionalDouble;

/** What a comparison measures its rows against: the row of {@code none}, or the first where there is no such row. */
final class Baseline {
    private final RunReport report;

    private Baseline(RunReport report) {
        this.report = report;
    }

    /** Finds the baseline of one report at least. */
    static Baseline of(List<RunReport> reports) {
        return new Baseline(reports.stream()
                .filter(report -> report.policy().equals(PolicyStack.NONE))
                .findFirst()
                .orElse(reports.get(0)));
    }

    /** Returns the policy of the baseline. */
    String policy() {
        return report.policy();
    }

    /** Returns the change of IOPS in percent; none for the baseline itself, and if it did no I/O. */
    OptionalDouble changePercent(RunReport other) {
        return other.equals(report) || report.iops() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((other.iops() / report.iops() - 1) * 100);
    }
}
