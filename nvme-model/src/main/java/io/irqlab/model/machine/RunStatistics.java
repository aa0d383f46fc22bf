package io.irqlab.model.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.irqlab.core.irq.SpuriousIrq;
import io.irqlab.core.watchdog.Lockup;
import java.util.List;
import java.util.Map;

/**
 * What happened in the measured part of a run (after the warm-up), as counts and times. Latencies went to the recorders
 * that the caller gave.
 *
 * @param warmupNs virtual time before the measured part
 * @param durationNs virtual time of the measured part
 * @param devices one for each drive, in the machine's order
 * @param cpus one for each CPU, by number
 * @param rootComplexes one for each root complex, in the machine's order
 * @param interrupts the machine's interrupts
 * @param lockups watchdog reports, in order of time
 * @param spuriousIrqs lines that were switched off because nobody cared for their interrupts, in order of time
 * @param policies each policy's own counters, by policy name in stack order
 * @param engine what the simulation did for the whole run, warm-up included
 */
public record RunStatistics(
        long warmupNs,
        long durationNs,
        List<Device> devices,
        List<Cpu> cpus,
        List<RootComplex> rootComplexes,
        Interrupts interrupts,
        List<Lockup> lockups,
        List<SpuriousIrq> spuriousIrqs,
        Map<String, Map<String, Long>> policies,
        Engine engine) {

    /** Copies the collections. */
    public RunStatistics {
        devices = ImmutableList.copyOf(devices);
        cpus = ImmutableList.copyOf(cpus);
        rootComplexes = ImmutableList.copyOf(rootComplexes);
        lockups = ImmutableList.copyOf(lockups);
        spuriousIrqs = ImmutableList.copyOf(spuriousIrqs);
        policies = ImmutableMap.copyOf(policies);
    }

    /**
     * One drive.
     *
     * @param name such as {@code nvme0}
     * @param completed I/Os that their job reaped
     * @param bytes data of those
     * @param inFlightMean time average of the I/Os issued and not yet reaped
     * @param msis interrupt messages that it sent
     */
    public record Device(String name, long completed, long bytes, double inFlightMean, long msis) {}

    /**
     * One CPU's time by context; the five add up to the duration.
     *
     * @param cpu its number
     * @param hardirqNs in hardirq context
     * @param softirqNs in softirq context
     * @param systemNs in tasks, in the kernel
     * @param userNs in tasks, outside the kernel
     * @param idleNs idle
     */
    public record Cpu(int cpu, long hardirqNs, long softirqNs, long systemNs, long userNs, long idleNs) {}

    /**
     * One root complex.
     *
     * @param name such as {@code rc0}
     * @param busyNs time in which it served a write
     */
    public record RootComplex(String name, long busyNs) {}

    /**
     * Interrupts of all CPUs.
     *
     * @param hardirqs hardirq entries, whatever the source
     * @param deviceHardirqs of these, from devices
     * @param timerHardirqs of these, from local timers
     * @param ipis of these, from other CPUs
     * @param msis interrupt messages that devices sent
     */
    public record Interrupts(long hardirqs, long deviceHardirqs, long timerHardirqs, long ipis, long msis) {}

    /**
     * The work of the simulation itself, from the run's beginning.
     *
     * @param events events that the engine ran
     * @param ios I/Os that jobs reaped
     */
    public record Engine(long events, long ios) {}

    /**
     * Returns the I/Os of all drives.
     *
     * @return I/Os completed in the measured part
     */
    public long completed() {
        return devices.stream().mapToLong(Device::completed).sum();
    }
}
