package io.irqlab.model.machine;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.spi.NearestName;
import io.irqlab.model.host.NvmeDriver;
import io.irqlab.model.workload.Direction;
import io.irqlab.model.workload.FileSet;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import io.irqlab.model.workload.JobSpec;
import io.irqlab.model.workload.JobThread;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Turns jobs into threads on CPUs and drives. Each thread is bound to one CPU: of those that its job allows, the one with
 * the fewest threads so far, the lowest number first; threads do not migrate.
 */
final class JobPlacement {
    private static final String DEVICE_DIRECTORY = "/dev/";
    private static final String FIRST_NAMESPACE = "n1";

    private final MachineProfile profile;
    private final List<Cpu> cpus;
    private final List<NvmeDriver> drives;
    private final long seed;
    private final int[] threadsOfCpu;

    JobPlacement(MachineProfile profile, List<Cpu> cpus, List<NvmeDriver> drives, long seed) {
        this.profile = profile;
        this.cpus = cpus;
        this.drives = drives;
        this.seed = seed;
        this.threadsOfCpu = new int[cpus.size()];
    }

    List<JobThread> place(List<JobSpec> jobs) {
        ImmutableList.Builder<JobThread> threads = ImmutableList.builder();
        int number = 0;
        for (JobSpec job : jobs) {
            refuseWhatIsNotModelled(job);
            IoEngineCosts costs = costsOf(job);
            List<NvmeDriver> targets = targetsOf(job);
            for (int thread = 0; thread < job.numjobs(); thread++) {
                Cpu cpu = cpus.get(cpuOf(job, number));
                String name = "job%d-%s".formatted(number++, job.name());
                threads.add(new JobThread(job, name, cpu, costs, targets, seed));
            }
        }
        return threads.build();
    }

    private static void refuseWhatIsNotModelled(JobSpec job) {
        boolean reads = !job.pattern().mixed() && job.pattern().direction(100, 0) == Direction.READ;
        if (!reads && !(job.pattern().mixed() && job.readPercent() == 100)) {
            throw job.fault(
                    "rw",
                    "'%s' is not modelled yet; expected read or randread"
                            .formatted(job.pattern().fioName()));
        }
        if (job.polled()) {
            throw job.fault("hipri", "polled completion is not modelled yet; expected hipri=0");
        }
        if (job.rate().limited()) {
            throw job.fault("rate_iops", "a rate limit is not modelled yet; leave it out");
        }
        if (job.files().names().size() > 1 && job.files().service() == FileSet.Service.SEQUENTIAL) {
            throw job.fault("file_service_type", "'sequential' is not modelled yet; expected roundrobin or random");
        }
        if (job.thinkTime().pauseNs() > 0) {
            throw job.fault("thinktime", "pauses are not modelled yet; expected 0");
        }
    }

    private IoEngineCosts costsOf(JobSpec job) {
        Map<IoEngine, IoEngineCosts> known = profile.engineCosts();
        IoEngineCosts costs = known.get(job.engine());
        if (costs == null) {
            List<String> names =
                    known.keySet().stream().map(IoEngine::fioName).sorted().toList();
            throw job.fault(
                    "ioengine",
                    "machine %s has no costs for '%s'; expected %s"
                            .formatted(profile.name(), job.engine().fioName(), String.join(" or ", names)));
        }
        return costs;
    }

    private List<NvmeDriver> targetsOf(JobSpec job) {
        ImmutableList.Builder<NvmeDriver> targets = ImmutableList.builder();
        for (String file : job.files().names()) {
            targets.add(driveOf(job, file));
        }
        return targets.build();
    }

    private NvmeDriver driveOf(JobSpec job, String file) {
        for (NvmeDriver drive : drives) {
            if (file.equals(deviceFile(drive))) {
                return drive;
            }
        }
        List<String> files = drives.stream().map(JobPlacement::deviceFile).toList();
        throw job.fault(
                "filename",
                "'%s' is no drive of machine %s%s; expected %s"
                        .formatted(
                                file,
                                profile.name(),
                                NearestName.of(file, files)
                                        .map(near -> ", did you mean '" + near + "'?")
                                        .orElse(""),
                                String.join(", ", files)));
    }

    private static String deviceFile(NvmeDriver drive) {
        return DEVICE_DIRECTORY + drive.controller().name() + FIRST_NAMESPACE;
    }

    private int cpuOf(JobSpec job, int thread) {
        SortedSet<Integer> allowed = new TreeSet<>(job.cpus().cpusOf(thread));
        if (allowed.isEmpty()) {
            cpus.forEach(cpu -> allowed.add(cpu.number()));
        }
        int best = -1;
        for (int cpu : allowed) {
            if (cpu >= cpus.size()) {
                throw job.fault(
                        "cpus_allowed",
                        "machine %s has no CPU %d; expected 0 to %d".formatted(profile.name(), cpu, cpus.size() - 1));
            }
            if (best < 0 || threadsOfCpu[cpu] < threadsOfCpu[best]) {
                best = cpu;
            }
        }
        threadsOfCpu[best]++;
        return best;
    }
}
