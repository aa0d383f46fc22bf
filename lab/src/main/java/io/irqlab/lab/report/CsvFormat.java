package io.irqlab.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Prints reports as CSV: a header with units, then one row for each run. Quoting follows RFC 4180; lines end in
 * {@code \n} alone, as all output does. What is not known is an empty field.
 */
public final class CsvFormat {
    private record Column(String name, Function<RunReport, Object> value) {}

    /** Creates the format. */
    public CsvFormat() {}

    /**
     * Prints reports.
     *
     * @param reports one at least
     * @return header and rows, each with an end of line
     */
    public String print(List<RunReport> reports) {
        List<Column> columns = columns(Baseline.of(reports));
        var text = new StringBuilder();
        text.append(row(columns.stream().map(Column::name).toList()));
        for (RunReport report : reports) {
            text.append(row(columns.stream()
                    .map(column -> field(column.value().apply(report)))
                    .toList()));
        }
        return text.toString();
    }

    private static List<Column> columns(Baseline baseline) {
        var columns = new ArrayList<Column>();
        columns.add(new Column("scenario", RunReport::scenario));
        columns.add(new Column("policy", RunReport::policy));
        columns.add(new Column("seed", RunReport::seed));
        columns.add(new Column("warmup_ns", RunReport::warmupNs));
        columns.add(new Column("duration_ns", RunReport::durationNs));
        columns.add(new Column("iops_per_second", RunReport::iops));
        columns.add(new Column("iops_change_percent", baseline::changePercent));
        columns.add(new Column("bw_bytes_per_second", RunReport::bwBytesPerSecond));
        columns.add(latency("clat_mean_ns", RunReport.Latency::mean));
        columns.add(latency("clat_min_ns", RunReport.Latency::min));
        columns.add(latency("clat_max_ns", RunReport.Latency::max));
        columns.add(latency("clat_p50_ns", RunReport.Latency::p50));
        columns.add(latency("clat_p90_ns", RunReport.Latency::p90));
        columns.add(latency("clat_p99_ns", RunReport.Latency::p99));
        columns.add(latency("clat_p99.9_ns", RunReport.Latency::p999));
        columns.add(latency("clat_p99.99_ns", RunReport.Latency::p9999));
        columns.add(
                new Column("hardirqs_per_second", report -> report.interrupts().hardirqsPerSecond()));
        columns.add(new Column("msis_per_second", report -> report.interrupts().msisPerSecond()));
        columns.add(new Column(
                "hardirqs_per_io",
                report -> Optional.ofNullable(report.interrupts().perIo())));
        columns.add(busiestCpu("busiest_cpu", RunReport.Cpu::cpu));
        columns.add(busiestCpu("busiest_cpu_hardirq_percent", cpu -> cpu.hardirq() * 100));
        columns.add(busiestCpu("busiest_cpu_softirq_percent", cpu -> cpu.softirq() * 100));
        columns.add(busiestComplex("busiest_root_complex", RunReport.RootComplex::name));
        columns.add(busiestComplex("busiest_root_complex_utilization_percent", complex -> complex.utilization() * 100));
        columns.add(new Column("lockups", report -> report.lockups().size()));
        return columns;
    }

    private static Column latency(String name, Function<RunReport.Latency, Object> value) {
        return new Column(name, report -> Optional.ofNullable(report.clatNs()).map(value));
    }

    private static Column busiestCpu(String name, Function<RunReport.Cpu, Object> value) {
        return new Column(name, report -> Busiest.cpu(report).map(value));
    }

    private static Column busiestComplex(String name, Function<RunReport.RootComplex, Object> value) {
        return new Column(name, report -> Busiest.rootComplex(report).map(value));
    }

    private static String field(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.map(CsvFormat::field).orElse("");
        }
        if (value instanceof OptionalDouble optional) {
            return optional.isPresent() ? field(optional.getAsDouble()) : "";
        }
        if (value instanceof Double number) {
            return PlainDecimal.of(number);
        }
        return value.toString();
    }

    private static String row(List<String> fields) {
        return fields.stream().map(CsvFormat::quoted).collect(Collectors.joining(",", "", "\n"));
    }

    private static String quoted(String field) {
        boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? field : "\"" + field.replace("\"", "\"\"") + "\"";
    }
}
