package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.irqlab.core.LatencyRecorder;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuTimes;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.Interrupts;
import io.irqlab.core.irq.SpuriousIrq;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.PlatformPolicy;
import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.watchdog.Lockup;
import io.irqlab.core.watchdog.Watchdogs;
import io.irqlab.core.workqueue.WorkerPool;
import io.irqlab.model.host.NvmeDriver;
import io.irqlab.model.host.NvmeQueue;
import io.irqlab.model.nvme.NvmeController;
import io.irqlab.model.nvme.NvmeTiming;
import io.irqlab.model.pcie.RootComplex;
import io.irqlab.model.workload.JobSpec;
import io.irqlab.model.workload.JobThread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A machine with its load, put together for one run.
 *
 * <p>A run is a function of profile, jobs, policies and seed. Each source of randomness has a stream of its own, so that two
 * policies under one seed see the same service times. Not thread-safe; several machines may run at once, each in its own
 * thread.
 */
public final class Machine {
    /** Linux numbers the interrupts of MSI-X vectors well above the legacy ones. */
    private static final int FIRST_IRQ = 64;
    /** Twice the longest time of NVMe coalescing, and far more than any window or sleep of a policy. */
    private static final long PATIENCE_NS = 50_000_000;
    /** Longer than completions wait in an idle machine, whatever the policy but coalescing. */
    private static final long SUSPICIOUS_NS = 1_000_000;

    private final EventQueue queue = new EventQueue();
    private final ImmutableList<Cpu> cpus;
    private final Watchdogs watchdogs;
    private final List<SpuriousIrq> spuriousIrqs = new ArrayList<>();
    private final Interrupts interrupts;
    private final ImmutableMap<String, RootComplex> rootComplexes;
    private final List<NvmeDriver> drives = new ArrayList<>();
    private final RunPolicies policies;
    private final Administrator administrator;
    private final List<Lockup> lockups = new ArrayList<>();
    private final ImmutableList<JobThread> threads;
    private boolean ran;

    private Machine(
            MachineProfile profile,
            List<JobSpec> jobs,
            PolicyStack stack,
            List<SettingsChange> changes,
            long seed,
            List<? extends LatencyRecorder> recorders) {
        this.cpus = cpus(profile);
        var hotplug = new CpuHotplug(cpus);
        ImmutableList<WorkerPool> pools = workerPools(hotplug);
        this.watchdogs = new Watchdogs(hotplug, pools, queue, profile.watchdogThreshSeconds(), lockups::add);
        this.rootComplexes = rootComplexes(profile);
        var controllers = new ArrayList<NvmeController>();
        this.policies = new RunPolicies(stack, cpus, controllers, queue, seed);
        for (SettingsChange change : changes) {
            checkArgument(policies.contains(change.policy()), "%s has no policy %s to change", stack, change.policy());
        }
        this.administrator = new Administrator(cpus.get(0), queue, changes, policies);
        PlatformPolicy platform = policies.of(PlatformPolicy.class);
        if (platform != null) {
            cpus.forEach(cpu -> cpu.deliverThrough(platform.forCpu(cpu.number())));
        }
        this.interrupts = new Interrupts(hotplug, queue, policies.of(FlowPolicy.class), spuriousIrqs::add);
        var irqPoll = new IrqPoll(hotplug, queue);
        int firstIrq = FIRST_IRQ;
        for (DriveSlot slot : profile.drives()) {
            NvmeController controller = controller(profile, slot, drives.size(), seed);
            controllers.add(controller);
            drives.add(new NvmeDriver(
                    controller,
                    queue,
                    cpus,
                    interrupts,
                    irqPoll,
                    firstIrq,
                    profile.driverCosts(),
                    policies.of(DriverPolicy.class),
                    recorders.get(drives.size())));
            firstIrq += controller.queues().size();
        }
        this.threads = ImmutableList.copyOf(new JobPlacement(profile, cpus, drives, seed).place(jobs));
    }

    /**
     * Puts a machine together.
     *
     * @param profile what it is made of
     * @param jobs its load
     * @param stack its policies
     * @param seed of all randomness
     * @param recorders takers of the latencies of the measured part, one for each drive in the profile's order
     * @return the machine, at time zero
     * @throws io.irqlab.model.workload.FioSyntaxException if a job does not fit the machine
     */
    public static Machine assemble(
            MachineProfile profile,
            List<JobSpec> jobs,
            PolicyStack stack,
            long seed,
            List<? extends LatencyRecorder> recorders) {
        return assemble(profile, jobs, stack, List.of(), seed, recorders);
    }

    /**
     * Puts a machine together, on which an administrator changes settings in the middle of the run. He works on CPU 0: an
     * ordinary task there sleeps until a change is due, pays about a microsecond for the write, and runs what the policy
     * does about it.
     *
     * @param profile what it is made of
     * @param jobs its load
     * @param stack its policies
     * @param changes of settings, of policies of the stack; of several at one time the first in the list is made first
     * @param seed of all randomness
     * @param recorders takers of the latencies of the measured part, one for each drive in the profile's order
     * @return the machine, at time zero
     * @throws io.irqlab.model.workload.FioSyntaxException if a job does not fit the machine
     */
    public static Machine assemble(
            MachineProfile profile,
            List<JobSpec> jobs,
            PolicyStack stack,
            List<SettingsChange> changes,
            long seed,
            List<? extends LatencyRecorder> recorders) {
        checkArgument(!jobs.isEmpty(), "a machine needs a job");
        checkArgument(
                recorders.size() == profile.drives().size(),
                "recorders must be one for each of %s drives, were %s",
                profile.drives().size(),
                recorders.size());
        return new Machine(profile, jobs, stack, changes, seed, recorders);
    }

    private ImmutableList<Cpu> cpus(MachineProfile profile) {
        ImmutableList.Builder<Cpu> builder = ImmutableList.builder();
        for (int number = 0; number < profile.cpus(); number++) {
            builder.add(new Cpu(number, queue, profile.cpuCosts()));
        }
        return builder.build();
    }

    private ImmutableList<WorkerPool> workerPools(CpuHotplug hotplug) {
        ImmutableList.Builder<WorkerPool> builder = ImmutableList.builder();
        for (Cpu cpu : cpus) {
            var pool = new WorkerPool(cpu, queue);
            hotplug.add(pool);
            builder.add(pool);
        }
        return builder.build();
    }

    private ImmutableMap<String, RootComplex> rootComplexes(MachineProfile profile) {
        ImmutableMap.Builder<String, RootComplex> builder = ImmutableMap.builder();
        for (RootComplexProfile complex : profile.rootComplexes()) {
            builder.put(
                    complex.name(),
                    new RootComplex(complex.name(), queue, complex.dmaNs(), complex.msiNs(), complex.postedCredits()));
        }
        return builder.buildOrThrow();
    }

    private NvmeController controller(MachineProfile profile, DriveSlot slot, int index, long seed) {
        DriveProfile drive = slot.profile();
        DelayDistribution media = drive.readSigma() == 0
                ? DelayDistribution.constant(drive.readNs())
                : DelayDistribution.logNormal(drive.readNs(), drive.readSigma());
        if (drive.tailPerMillion() > 0) {
            media = media.withTail(drive.tailPerMillion() / 1e6, drive.tailMinNs(), drive.tailMaxNs());
        }
        RootComplex complex = rootComplexes.get(slot.rootComplex());
        checkState(complex != null, "root complex %s is not there", slot.rootComplex());
        return new NvmeController(
                slot.name(),
                queue,
                new NvmeTiming(
                        media,
                        drive.maxIops(),
                        drive.commandSlots(),
                        drive.fetchNs(),
                        drive.fetchBurst(),
                        drive.setFeaturesNs(),
                        drive.featureStallNs()),
                drive.link(),
                complex,
                Math.min(profile.cpus(), drive.maxIoQueues()),
                drive.queueDepth(),
                profile.driverCosts().mmioWriteNs(),
                profile.driverCosts().mmioReadNs(),
                seed,
                queueIndex -> drives.get(index).deliver(queueIndex));
    }

    /**
     * Runs the machine, once.
     *
     * @param warmupNs virtual time that is not measured, zero or more
     * @param durationNs virtual time that is measured, more than zero
     * @return what the measured part counted
     * @throws io.irqlab.core.spi.PolicyFailedException if a policy threw, stopped the clock, or left completions that nobody
     *     will ever reap
     * @throws IllegalStateException if it ran before, or if it is stuck and no policy is to blame
     */
    public RunStatistics run(long warmupNs, long durationNs) {
        checkArgument(warmupNs >= 0, "warmup must be 0 ns or more, was %s", warmupNs);
        checkArgument(durationNs > 0, "duration must be more than 0 ns, was %s", durationNs);
        checkState(!ran, "a machine runs once");
        ran = true;
        watchdogs.start();
        policies.start();
        threads.forEach(JobThread::start);
        administrator.start();
        runUntil(warmupNs);
        drives.forEach(NvmeDriver::startMeasuring);
        Snapshot before = new Snapshot();
        runUntil(warmupNs + durationNs);
        RunStatistics statistics = statistics(warmupNs, durationNs, before, new Snapshot());
        checkNotStuck();
        return statistics;
    }

    private void runUntil(long timeNs) {
        try {
            queue.runUntil(timeNs);
        } catch (PolicyFailedException e) {
            throw e;
        } catch (IllegalStateException e) {
            throw policies.blame(e);
        }
    }

    /** If completions seem to be forgotten, lets the machine run on, unmeasured, to see whether they are. */
    private void checkNotStuck() {
        if (stuck(SUSPICIOUS_NS).isPresent()) {
            runUntil(queue.nowNs() + PATIENCE_NS);
            stuck(PATIENCE_NS).ifPresent(ioQueue -> {
                throw policies.blame(
                        ioQueue.descriptor(), ioQueue.stuck(PATIENCE_NS).orElseThrow());
            });
        }
    }

    private Optional<NvmeQueue> stuck(long patienceNs) {
        return drives.stream()
                .flatMap(drive -> drive.queues().stream())
                .filter(ioQueue -> ioQueue.stuck(patienceNs).isPresent())
                .findFirst();
    }

    private RunStatistics statistics(long warmupNs, long durationNs, Snapshot before, Snapshot after) {
        var devices = new ArrayList<RunStatistics.Device>();
        for (int i = 0; i < drives.size(); i++) {
            devices.add(after.devices.get(i).since(before.devices.get(i), durationNs));
        }
        var cpuTimes = new ArrayList<RunStatistics.Cpu>();
        for (int i = 0; i < cpus.size(); i++) {
            CpuTimes times = after.cpuTimes.get(i).since(before.cpuTimes.get(i));
            cpuTimes.add(new RunStatistics.Cpu(
                    i, times.hardirqNs(), times.softirqNs(), times.systemNs(), times.userNs(), times.idleNs()));
        }
        var complexes = new ArrayList<RunStatistics.RootComplex>();
        after.busyNs.forEach((name, busyNs) ->
                complexes.add(new RunStatistics.RootComplex(name, busyNs - before.busyNs.getOrDefault(name, 0L))));
        long deviceHardirqs = after.deviceHardirqs - before.deviceHardirqs;
        long timerHardirqs = after.timerHardirqs - before.timerHardirqs;
        long ipis = after.ipis - before.ipis;
        return new RunStatistics(
                warmupNs,
                durationNs,
                devices,
                cpuTimes,
                complexes,
                new RunStatistics.Interrupts(
                        deviceHardirqs + timerHardirqs + ipis,
                        deviceHardirqs,
                        timerHardirqs,
                        ipis,
                        devices.stream().mapToLong(RunStatistics.Device::msis).sum()),
                lockups,
                spuriousIrqs,
                policies.counters(),
                new RunStatistics.Engine(
                        queue.processed(),
                        drives.stream().mapToLong(NvmeDriver::completed).sum()));
    }

    /** What has been counted up to now. */
    private final class Snapshot {
        private final List<DeviceCounts> devices = new ArrayList<>();
        private final List<CpuTimes> cpuTimes = new ArrayList<>();
        private final Map<String, Long> busyNs = new LinkedHashMap<>();
        private final long deviceHardirqs;
        private final long timerHardirqs;
        private final long ipis;

        Snapshot() {
            for (NvmeDriver drive : drives) {
                devices.add(new DeviceCounts(
                        drive.controller().name(),
                        drive.completed(),
                        drive.completedBytes(),
                        drive.inFlightTimeNs(),
                        drive.controller().msis()));
            }
            cpus.forEach(cpu -> cpuTimes.add(cpu.times()));
            rootComplexes.forEach((name, complex) -> busyNs.put(name, complex.busyNs()));
            deviceHardirqs = hardirqs(Vector.Source.DEVICE) + hardirqs(Vector.Source.NOTIFICATION);
            timerHardirqs = hardirqs(Vector.Source.TIMER);
            ipis = hardirqs(Vector.Source.IPI);
        }

        private long hardirqs(Vector.Source source) {
            return cpus.stream().mapToLong(cpu -> cpu.hardirqs(source)).sum();
        }
    }

    private record DeviceCounts(String name, long completed, long bytes, long inFlightTimeNs, long msis) {
        RunStatistics.Device since(DeviceCounts before, long durationNs) {
            return new RunStatistics.Device(
                    name,
                    completed - before.completed,
                    bytes - before.bytes,
                    (double) (inFlightTimeNs - before.inFlightTimeNs) / durationNs,
                    msis - before.msis);
        }
    }
}
