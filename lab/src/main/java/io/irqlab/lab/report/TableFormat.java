package io.irqlab.lab.report;

import io.irqlab.lab.scenario.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints reports as a table for people, with notes below it. A long policy goes over several lines; what is not known
 * is a dash.
 */
public final class TableFormat {
    private static final int POLICY_WIDTH = 24;
    private static final int MOST_COMPLEX_COLUMNS = 2;
    private static final String UNKNOWN = "-";

    /** How far Little's law may be off in a run that is in its steady state. */
    private static final double STEADY_ERROR = 0.01;

    private record Column(String name, String unit, Function<RunReport, String> value) {}

    /** Creates the format. */
    public TableFormat() {}

    /**
     * Prints reports of one scenario.
     *
     * @param reports one at least
     * @return title, table and notes, each line with an end of line
     */
    public String print(List<RunReport> reports) {
        RunReport first = reports.get(0);
        var text = new StringBuilder();
        text.append("%s, seed %s: %s measured after %s of warm-up\n\n"
                .formatted(
                        first.scenario(),
                        first.seed(),
                        Unit.formatTime(first.durationNs()),
                        Unit.formatTime(first.warmupNs())));
        appendTable(text, reports);
        text.append('\n');
        notes(reports).forEach(note -> text.append(note).append('\n'));
        return text.toString();
    }

    private static void appendTable(StringBuilder text, List<RunReport> reports) {
        List<Column> columns = columns(reports);
        List<List<String>> policies =
                reports.stream().map(report -> wrapped(report.policy())).toList();
        int policyWidth = Math.max(
                "policy".length(),
                policies.stream()
                        .flatMap(List::stream)
                        .mapToInt(String::length)
                        .max()
                        .orElse(0));
        List<List<String>> cells = reports.stream()
                .map(report -> columns.stream()
                        .map(column -> column.value().apply(report))
                        .toList())
                .toList();
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    Math.max(
                            columns.get(i).name().length(),
                            columns.get(i).unit().length()),
                    cells.stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        appendLine(
                text, "policy", policyWidth, columns.stream().map(Column::name).toList(), widths);
        appendLine(text, "", policyWidth, columns.stream().map(Column::unit).toList(), widths);
        for (int row = 0; row < reports.size(); row++) {
            List<String> policy = policies.get(row);
            appendLine(text, policy.get(0), policyWidth, cells.get(row), widths);
            policy.stream().skip(1).forEach(more -> text.append(more).append('\n'));
        }
    }

    private static void appendLine(
            StringBuilder text, String policy, int policyWidth, List<String> cells, int[] widths) {
        var line = new StringBuilder(policy).append(" ".repeat(policyWidth - policy.length()));
        for (int i = 0; i < widths.length; i++) {
            line.append("  ")
                    .append(" ".repeat(widths[i] - cells.get(i).length()))
                    .append(cells.get(i));
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static List<Column> columns(List<RunReport> reports) {
        var columns = new ArrayList<Column>();
        columns.add(new Column("IOPS", "1/s", report -> whole(report.iops())));
        if (reports.size() > 1) {
            Baseline baseline = Baseline.of(reports);
            columns.add(new Column("change", "%", report -> signed(baseline.changePercent(report))));
        }
        columns.add(latency("mean", RunReport.Latency::mean));
        columns.add(latency("p50", clat -> (double) clat.p50()));
        columns.add(latency("p99", clat -> (double) clat.p99()));
        columns.add(latency("p99.9", clat -> (double) clat.p999()));
        columns.add(new Column(
                "hardirqs", "1/s", report -> whole(report.interrupts().hardirqsPerSecond())));
        columns.add(new Column("hardirqs", "per I/O", report -> {
            Double perIo = report.interrupts().perIo();
            return perIo == null ? UNKNOWN : fixed(perIo, 3);
        }));
        columns.add(busiestCpu("busiest", "CPU", cpu -> Integer.toString(cpu.cpu())));
        columns.add(busiestCpu("hardirq", "% of it", cpu -> percent(cpu.hardirq())));
        columns.add(busiestCpu("softirq", "% of it", cpu -> percent(cpu.softirq())));
        addRootComplexes(columns, reports.get(0).rootComplexes());
        columns.add(new Column(
                "lockups", "", report -> Integer.toString(report.lockups().size())));
        return columns;
    }

    private static void addRootComplexes(List<Column> columns, List<RunReport.RootComplex> complexes) {
        if (complexes.size() > MOST_COMPLEX_COLUMNS) {
            columns.add(new Column(
                    "busiest RC",
                    "%",
                    report -> Busiest.rootComplex(report)
                            .map(complex -> complex.name() + " " + percent(complex.utilization()))
                            .orElse(UNKNOWN)));
            return;
        }
        for (int i = 0; i < complexes.size(); i++) {
            int index = i;
            columns.add(new Column(
                    complexes.get(i).name(),
                    "% busy",
                    report -> percent(report.rootComplexes().get(index).utilization())));
        }
    }

    private static Column latency(String name, Function<RunReport.Latency, Double> valueNs) {
        return new Column(name, "us", report -> {
            RunReport.Latency clat = report.clatNs();
            return clat == null ? UNKNOWN : fixed(valueNs.apply(clat) / 1_000, 1);
        });
    }

    private static Column busiestCpu(String name, String unit, Function<RunReport.Cpu, String> value) {
        return new Column(name, unit, report -> Busiest.cpu(report).map(value).orElse(UNKNOWN));
    }

    private static List<String> notes(List<RunReport> reports) {
        RunReport first = reports.get(0);
        var notes = new ArrayList<String>();
        if (reports.size() > 1) {
            notes.add("change: IOPS against " + Baseline.of(reports).policy());
        }
        notes.add(
                "mean to p99.9: completion latency; busiest CPU: the one that interrupts took most of; root complexes: "
                        + first.rootComplexes().stream()
                                .map(RunReport.RootComplex::name)
                                .collect(Collectors.joining(", ")));
        for (RunReport report : reports) {
            for (RunReport.LockupReport lockup : report.lockups()) {
                notes.add("%s: %s on CPU %s at %s s, stuck for %s s (threshold %s s) by %s"
                        .formatted(
                                report.policy(),
                                lockup.kind(),
                                lockup.cpu(),
                                fixed(lockup.atNs() / 1e9, 3),
                                lockup.stuckS(),
                                lockup.thresholdS(),
                                String.join(", ", lockup.irqs())));
            }
        }
        for (RunReport report : reports) {
            Double error = report.littleError();
            if (error != null && error > STEADY_ERROR) {
                notes.add(
                        "warning: %s: I/Os in flight and IOPS x mean differ by %s %%: not a steady state; try a longer warm-up or duration"
                                .formatted(report.policy(), percent(error)));
            }
        }
        notes.add("fitted parameters: " + list(first.fittedParameters()) + "; inferred: "
                + first.inferredParameters().size() + " (--format json lists them)");
        if (!first.setParameters().isEmpty()) {
            notes.add("set on the command line: " + list(first.setParameters()));
        }
        first.notes().forEach(note -> notes.add("note: " + note));
        return notes;
    }

    private static String list(List<RunReport.ReliedOn> parameters) {
        if (parameters.isEmpty()) {
            return "none";
        }
        return parameters.stream()
                .map(parameter -> parameter.name() + " = " + parameter.value() + suffix(parameter.unit()))
                .collect(Collectors.joining(", "));
    }

    private static String suffix(@Nullable String unit) {
        boolean counted =
                Unit.COUNT.symbol().equals(unit) || Unit.NUMBER.symbol().equals(unit);
        return unit == null || counted ? "" : " " + unit;
    }

    /** Breaks a policy stack in front of its separators, so that no line is much longer than the column. */
    private static List<String> wrapped(String policy) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String part : policy.split("(?<=[,:])|(?=\\+)", -1)) {
            if (line.length() > 0 && line.length() + part.length() > POLICY_WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder("  ");
            }
            line.append(part);
        }
        lines.add(line.toString());
        return lines;
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,d", Math.round(value));
    }

    private static String percent(double fraction) {
        return fixed(fraction * 100, 1);
    }

    private static String signed(OptionalDouble percent) {
        return percent.isPresent() ? String.format(Locale.ROOT, "%+.1f", percent.getAsDouble()) : UNKNOWN;
    }

    private static String fixed(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
