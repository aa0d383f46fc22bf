package io.irqlab.lab.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run reports: the JSON object of {@code --format json}, whose names are these in snake case and whose order
 * is this order. What is not known is null here and absent there, never zero.
 *
 * @param scenario the scenario's name
 * @param policy the policy stack as written
 * @param seed of all randomness
 * @param warmupNs virtual time before anything was counted
 * @param durationNs virtual time that was counted
 * @param iops I/Os reaped per second
 * @param bwBytesPerSecond their data
 * @param clatNs completion latency over all drives; null if no I/O completed
 * @param interrupts interrupts of the whole machine
 * @param devices one for each drive
 * @param cpus one for each CPU
 * @param rootComplexes one for each root complex
 * @param lockups what the watchdogs reported
 * @param policies each policy's own counters
 * @param engine what the run took
 * @param littleError how far I/Os in flight are from IOPS times mean latency, as a fraction of the former; null if
 *     nothing was in flight
 * @param fittedParameters values chosen to match a published number, on which the run relied
 * @param inferredParameters values computed from published numbers, on which it relied
 * @param setParameters values that the user set for this run
 * @param notes what the user should know about the input
 * @param version of irqlab
 */
public record RunReport(
        String scenario,
        String policy,
        long seed,
        long warmupNs,
        long durationNs,
        double iops,
        double bwBytesPerSecond,
        @Nullable Latency clatNs,
        Interrupts interrupts,
        List<Device> devices,
        List<Cpu> cpus,
        List<RootComplex> rootComplexes,
        List<LockupReport> lockups,
        Map<String, Map<String, Long>> policies,
        Engine engine,
        @Nullable Double littleError,
        List<ReliedOn> fittedParameters,
        List<ReliedOn> inferredParameters,
        List<ReliedOn> setParameters,
        List<String> notes,
        String version) {

    /** Copies the collections. */
    public RunReport {
        devices = ImmutableList.copyOf(devices);
        cpus = ImmutableList.copyOf(cpus);
        rootComplexes = ImmutableList.copyOf(rootComplexes);
        lockups = ImmutableList.copyOf(lockups);
        policies = ImmutableMap.copyOf(policies);
        fittedParameters = ImmutableList.copyOf(fittedParameters);
        inferredParameters = ImmutableList.copyOf(inferredParameters);
        setParameters = ImmutableList.copyOf(setParameters);
        notes = ImmutableList.copyOf(notes);
    }

    /**
     * Latencies in nanoseconds.
     *
     * @param mean exact
     * @param min exact
     * @param max exact
     * @param p50 median
     * @param p90 90th percentile
     * @param p99 99th percentile
     * @param p999 99.9th percentile
     * @param p9999 99.99th percentile
     */
    public record Latency(
            double mean,
            long min,
            long max,
            long p50,
            long p90,
            long p99,
            @JsonProperty("p99.9") long p999,
            @JsonProperty("p99.99") long p9999) {}

    /**
     * Interrupts of all CPUs.
     *
     * @param hardirqsPerSecond hardirq entries, whatever the source
     * @param msisPerSecond messages that devices sent
     * @param perIo hardirq entries per I/O; null if no I/O completed
     * @param deviceHardirqsPerSecond of the entries, those from devices
     * @param timerHardirqsPerSecond of the entries, those from local timers
     * @param ipisPerSecond of the entries, those from other CPUs
     */
    public record Interrupts(
            double hardirqsPerSecond,
            double msisPerSecond,
            @Nullable Double perIo,
            double deviceHardirqsPerSecond,
            double timerHardirqsPerSecond,
            double ipisPerSecond) {}

    /**
     * One drive.
     *
     * @param name such as {@code nvme0}
     * @param iops I/Os reaped per second
     * @param clatNs completion latency; null if no I/O completed
     * @param inFlightMean time average of the I/Os in flight
     */
    public record Device(String name, double iops, @Nullable Latency clatNs, double inFlightMean) {}

    /**
     * One CPU's time as fractions of the duration.
     *
     * @param cpu its number
     * @param hardirq in hardirq context
     * @param softirq in softirq context
     * @param system in tasks, in the kernel
     * @param user in tasks, outside the kernel
     * @param idle idle
     */
    public record Cpu(int cpu, double hardirq, double softirq, double system, double user, double idle) {}

    /**
     * One root complex.
     *
     * @param name such as {@code rc0}
     * @param utilization the fraction of the duration in which it was busy
     */
    public record RootComplex(String name, double utilization) {}

    /**
     * One report of a watchdog.
     *
     * @param kind such as {@code soft-lockup}
     * @param cpu the CPU that was stuck
     * @param atNs virtual time since the run began
     * @param stuckS seconds, as the kernel prints them
     * @param irqs the interrupts that took most of its time, most first
     * @param thresholdS the threshold in use, in seconds
     * @param load what the CPU did in the last periods of the watchdog, the oldest first; null if it was not noted
     * @param mostFrequent the interrupts that came most often, most first; null unless hardirqs took most of a period
     */
    public record LockupReport(
            String kind,
            int cpu,
            long atNs,
            long stuckS,
            List<String> irqs,
            long thresholdS,
            @Nullable List<Load> load,
            @Nullable List<IrqCount> mostFrequent) {}

    /**
     * What a CPU did in one period of the soft-lockup watchdog, as fractions in hundredths.
     *
     * @param system in tasks
     * @param softirq in softirq context
     * @param hardirq in hardirq context
     * @param idle idle
     */
    public record Load(double system, double softirq, double hardirq, double idle) {}

    /**
     * How often an interrupt came.
     *
     * @param irq its name
     * @param count hardirqs since the watchdog noticed the storm
     */
    public record IrqCount(String irq, long count) {}

    /**
     * What the run took.
     *
     * @param events events that the engine ran, warm-up included
     * @param ios I/Os that jobs reaped, warm-up included
     * @param wallNs real time of the whole run
     * @param eventsPerSecond events per second of real time
     */
    public record Engine(long events, long ios, long wallNs, double eventsPerSecond) {}

    /**
     * A value of a profile on which the run relied.
     *
     * @param name its path as {@code --set} takes it
     * @param value a number, or a text if it is a name
     * @param unit the value's unit; null if it is a name
     * @param source where it comes from
     */
    public record ReliedOn(
            String name, Object value, @Nullable String unit, String source) {}
}
