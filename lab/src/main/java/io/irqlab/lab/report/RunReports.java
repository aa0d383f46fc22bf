package io.irqlab.lab.report;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.irq.SpuriousIrq;
import io.irqlab.core.watchdog.Lockup;
import io.irqlab.lab.run.LatencyHistogram;
import io.irqlab.lab.run.RunResult;
import io.irqlab.lab.scenario.Grade;
import io.irqlab.lab.scenario.ProfileValue;
import io.irqlab.model.machine.RunStatistics;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the report of a run from its counts. */
public final class RunReports {
    private static final double NS_PER_SECOND = 1e9;

    private final String version;

    /**
     * Creates a maker of reports.
     *
     * @param version of irqlab, which every report carries
     */
    public RunReports(String version) {
        this.version = version;
    }

    /**
     * Makes the report of a run.
     *
     * @param result the run
     * @return its report
     */
    public RunReport of(RunResult result) {
        RunStatistics run = result.statistics();
        double seconds = run.durationNs() / NS_PER_SECOND;
        var all = new LatencyHistogram();
        result.latencies().forEach(all::add);
        double iops = run.completed() / seconds;
        long bytes =
                run.devices().stream().mapToLong(RunStatistics.Device::bytes).sum();
        List<ProfileValue> values = ReliedOnValues.collapse(result.scenario().values());
        return new RunReport(
                result.scenario().name(),
                result.policy().text(),
                result.seed(),
                run.warmupNs(),
                run.durationNs(),
                iops,
                bytes / seconds,
                latency(all),
                interrupts(run, seconds, iops),
                devices(result, seconds),
                cpus(run),
                rootComplexes(run),
                run.lockups().stream().map(RunReports::lockup).toList(),
                run.policies(),
                new RunReport.Engine(
                        run.engine().events(),
                        run.engine().ios(),
                        result.wallNs(),
                        run.engine().events() * NS_PER_SECOND / Math.max(1, result.wallNs())),
                littleError(run, all, iops),
                parameters(values, value -> value.grade() == Grade.FITTED),
                parameters(values, value -> value.grade() == Grade.INFERRED),
                parameters(values, ProfileValue::setByUser),
                notes(result),
                version);
    }

    private static RunReport.@Nullable Latency latency(LatencyHistogram latencies) {
        if (latencies.count() == 0) {
            return null;
        }
        return new RunReport.Latency(
                latencies.meanNs(),
                latencies.minNs(),
                latencies.maxNs(),
                latencies.percentileNs(50),
                latencies.percentileNs(90),
                latencies.percentileNs(99),
                latencies.percentileNs(99.9),
                latencies.percentileNs(99.99));
    }

    private static RunReport.Interrupts interrupts(RunStatistics run, double seconds, double iops) {
        RunStatistics.Interrupts interrupts = run.interrupts();
        double hardirqsPerSecond = interrupts.hardirqs() / seconds;
        return new RunReport.Interrupts(
                hardirqsPerSecond,
                interrupts.msis() / seconds,
                iops == 0 ? null : hardirqsPerSecond / iops,
                interrupts.deviceHardirqs() / seconds,
                interrupts.timerHardirqs() / seconds,
                interrupts.ipis() / seconds);
    }

    private static List<RunReport.Device> devices(RunResult result, double seconds) {
        var devices = ImmutableList.<RunReport.Device>builder();
        for (int i = 0; i < result.statistics().devices().size(); i++) {
            RunStatistics.Device device = result.statistics().devices().get(i);
            devices.add(new RunReport.Device(
                    device.name(),
                    device.completed() / seconds,
                    latency(result.latencies().get(i)),
                    device.inFlightMean()));
        }
        return devices.build();
    }

    private static List<RunReport.Cpu> cpus(RunStatistics run) {
        double duration = run.durationNs();
        return run.cpus().stream()
                .map(cpu -> new RunReport.Cpu(
                        cpu.cpu(),
                        cpu.hardirqNs() / duration,
                        cpu.softirqNs() / duration,
                        cpu.systemNs() / duration,
                        cpu.userNs() / duration,
                        cpu.idleNs() / duration))
                .toList();
    }

    private static List<RunReport.RootComplex> rootComplexes(RunStatistics run) {
        double duration = run.durationNs();
        return run.rootComplexes().stream()
                .map(complex -> new RunReport.RootComplex(complex.name(), complex.busyNs() / duration))
                .toList();
    }

    private static RunReport.LockupReport lockup(Lockup lockup) {
        return new RunReport.LockupReport(
                lockup.kind().toString(),
                lockup.cpu(),
                lockup.atNs(),
                lockup.stuckSeconds(),
                lockup.irqs(),
                lockup.thresholdSeconds(),
                lockup.load().isEmpty()
                        ? null
                        : lockup.load().stream().map(RunReports::load).toList(),
                lockup.storm().isEmpty()
                        ? null
                        : lockup.storm().stream()
                                .map(irq -> new RunReport.IrqCount(irq.name(), irq.count()))
                                .toList());
    }

    private static RunReport.Load load(Lockup.Load load) {
        return new RunReport.Load(
                load.systemPercent() / 100.0,
                load.softirqPercent() / 100.0,
                load.hardirqPercent() / 100.0,
                load.idlePercent() / 100.0);
    }

    /** What the user should know: of the input, and of lines that the run lost. */
    private static List<String> notes(RunResult result) {
        return Stream.concat(
                        result.scenario().notes().stream(),
                        result.statistics().spuriousIrqs().stream().map(SpuriousIrq::toString))
                .toList();
    }

    private static @Nullable Double littleError(RunStatistics run, LatencyHistogram latencies, double iops) {
        double inFlight = run.devices().stream()
                .mapToDouble(RunStatistics.Device::inFlightMean)
                .sum();
        if (inFlight == 0 || latencies.count() == 0) {
            return null;
        }
        return Math.abs(inFlight - iops * latencies.meanNs() / NS_PER_SECOND) / inFlight;
    }

    private static List<RunReport.ReliedOn> parameters(List<ProfileValue> values, Predicate<ProfileValue> wanted) {
        return values.stream()
                .filter(wanted)
                .map(value -> new RunReport.ReliedOn(
                        value.name(),
                        value.number() == null ? value.text() : value.number(),
                        value.unit() == null ? null : value.unit().symbol(),
                        value.source()))
                .toList();
    }
}
