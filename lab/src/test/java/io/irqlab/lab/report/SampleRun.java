package io.irqlab.lab.report;

import io.irqlab.core.LatencyRecorder;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.watchdog.Lockup;
import io.irqlab.lab.run.LatencyHistogram;
import io.irqlab.lab.run.RunResult;
import io.irqlab.lab.scenario.Grade;
import io.irqlab.lab.scenario.ProfileValue;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.ScenarioCatalog;
import io.irqlab.lab.scenario.Unit;
import io.irqlab.model.machine.RunStatistics;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A run of made-up numbers: two drives of which the second is idle, two CPUs, one lockup. */
public final class SampleRun {
    private SampleRun() {}

    /** Returns what the run counted in 10 ms, 1000 I/Os of 20 us and 1000 of 40 us. */
    public static RunStatistics statistics(List<? extends LatencyRecorder> recorders) {
        for (int i = 0; i < 1_000; i++) {
            recorders.get(0).record(20_000);
            recorders.get(0).record(40_000);
        }
        return new RunStatistics(
                5_000_000,
                10_000_000,
                List.of(
                        new RunStatistics.Device("nvme0", 2_000, 8_192_000, 6.0, 2_000),
                        new RunStatistics.Device("nvme1", 0, 0, 0, 0)),
                List.of(
                        new RunStatistics.Cpu(0, 2_500_000, 0, 500_000, 1_000_000, 6_000_000),
                        new RunStatistics.Cpu(1, 3_000_000, 1_000_000, 0, 0, 6_000_000)),
                List.of(new RunStatistics.RootComplex("rc0", 9_990_000), new RunStatistics.RootComplex("rc1", 0)),
                new RunStatistics.Interrupts(1_500, 1_400, 60, 40, 2_000),
                List.of(new Lockup(
                        Lockup.Kind.SOFT_LOCKUP,
                        1,
                        14_000_000,
                        22,
                        20,
                        List.of("nvme0q1", "nvme0q2"),
                        List.of(new Lockup.Load(1, 0, 99, 0)),
                        List.of(new Lockup.IrqCount("nvme0q2", 5_000)))),
                List.of(),
                Map.of("gsim", Map.of("timer_set", 17L)),
                new RunStatistics.Engine(123_456, 3_000));
    }

    /** Returns what a run that did nothing counted. */
    static RunStatistics nothing() {
        return new RunStatistics(
                5_000_000,
                10_000_000,
                List.of(new RunStatistics.Device("nvme0", 0, 0, 0, 0), new RunStatistics.Device("nvme1", 0, 0, 0, 0)),
                List.of(new RunStatistics.Cpu(0, 0, 0, 0, 0, 10_000_000)),
                List.of(new RunStatistics.RootComplex("rc0", 0), new RunStatistics.RootComplex("rc1", 0)),
                new RunStatistics.Interrupts(0, 0, 0, 0, 0),
                List.of(),
                List.of(),
                Map.of(),
                new RunStatistics.Engine(1, 0));
    }

    static RunReport report() {
        var latencies = List.of(new LatencyHistogram(), new LatencyHistogram());
        return new RunReports("1.2.3").of(result(statistics(latencies), latencies));
    }

    static RunReport reportOfNothing() {
        return new RunReports("1.2.3").of(result(nothing(), List.of(new LatencyHistogram(), new LatencyHistogram())));
    }

    /** Returns a report like {@link #report()} with another policy and other IOPS. */
    static RunReport report(String policy, double iops) {
        return report(policy, iops, report().littleError());
    }

    /** Returns such a report of a run in which Little's law is off by a fraction. */
    static RunReport report(String policy, double iops, @Nullable Double littleError) {
        RunReport report = report();
        return new RunReport(
                report.scenario(),
                policy,
                report.seed(),
                report.warmupNs(),
                report.durationNs(),
                iops,
                report.bwBytesPerSecond(),
                report.clatNs(),
                report.interrupts(),
                report.devices(),
                report.cpus(),
                report.rootComplexes(),
                List.of(),
                report.policies(),
                report.engine(),
                littleError,
                report.fittedParameters(),
                report.inferredParameters(),
                report.setParameters(),
                report.notes(),
                report.version());
    }

    private static RunResult result(RunStatistics statistics, List<LatencyHistogram> latencies) {
        Scenario real = new ScenarioCatalog().load("four-gen5-ssd", null, List.of());
        var scenario = new Scenario(
                "sample",
                real.machine(),
                real.jobs(),
                5_000_000,
                10_000_000,
                real.compare(),
                List.of(),
                List.of(
                        value("machine.drives.nvme0.profile.read", "55", Unit.MICROSECONDS, Grade.FITTED, "a fit"),
                        value("machine.drives.nvme1.profile.read", "55", Unit.MICROSECONDS, Grade.FITTED, "a fit"),
                        value("machine.root_complexes.rc0.msi", "175", Unit.NANOSECONDS, Grade.INFERRED, "a mail"),
                        new ProfileValue(
                                "machine.drives.nvme0.root_complex", "rc0", null, null, Grade.INFERRED, "a table"),
                        value("machine.cpus", "2", Unit.COUNT, null, ProfileValue.SET_BY_USER)),
                List.of("a.fio:3: group_reporting: no effect"));
        return new RunResult(scenario, PolicyStack.none(), 7, statistics, latencies, 2_000_000);
    }

    private static ProfileValue value(String name, String text, Unit unit, Grade grade, String source) {
        return new ProfileValue(name, text, new BigDecimal(text), unit, grade, source);
    }
}
