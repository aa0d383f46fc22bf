package io.irqlab.policy.nvmepoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.Interrupts;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.host.BlockRequest;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.host.NvmeDriver;
import io.irqlab.model.host.NvmeQueue;
import io.irqlab.model.machine.DriveProfile;
import io.irqlab.model.machine.DriveSlot;
import io.irqlab.model.machine.Machine;
import io.irqlab.model.machine.MachineProfile;
import io.irqlab.model.machine.RootComplexProfile;
import io.irqlab.model.machine.RunStatistics;
import io.irqlab.model.nvme.NvmeController;
import io.irqlab.model.nvme.NvmeTiming;
import io.irqlab.model.nvme.Opcode;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.pcie.RootComplex;
import io.irqlab.model.workload.FioJobFile;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Watermark polling by a real driver on a small drive, whose few slots let the submission queue fill. */
final class WatermarkPollOnAMachineTest {
    private static final long DURATION_NS = 40_000_000;
    private static final CpuCosts CPU_COSTS =
            new CpuCosts(500, 300, 200, 100, 300, 700, 1_200, 400, 1_000, 1_000, 25, VirtualizationCosts.BARE_METAL);
    private static final DriverCosts DRIVER_COSTS = new DriverCosts(100, 500, 200, 800);

    private int commandSlots = 16;
    private int maxIoQueues = 64;

    private RunStatistics run(String policy, String... jobLines) {
        var drive = new DriveProfile(
                "drive",
                new PcieLink(5, 4, 256),
                50_000,
                0.1,
                0,
                0,
                0,
                2_000_000,
                commandSlots,
                700,
                8,
                maxIoQueues,
                1_024,
                0,
                0);
        var profile = new MachineProfile(
                "small",
                2,
                10,
                CPU_COSTS,
                DRIVER_COSTS,
                Map.of(IoEngine.LIBAIO, new IoEngineCosts(330, 800, 300, 500)),
                List.of(new RootComplexProfile("rc0", 40, 150, 8)),
                List.of(new DriveSlot("nvme0", drive, "rc0")));
        String job =
                "[a]\nioengine=libaio\ndirect=1\nrw=randread\nfilename=/dev/nvme0n1\n" + String.join("\n", jobLines);
        PolicyStack stack = PolicyStack.parse(policy, PolicyRegistry.of(List.of(new WatermarkPollProvider())));
        return Machine.assemble(profile, FioJobFile.parse("test.fio", job).jobs(), stack, 1, List.of(latencyNs -> {}))
                .run(2_000_000, DURATION_NS);
    }

    private static RunStatistics withoutCounters(RunStatistics run) {
        return new RunStatistics(
                run.warmupNs(),
                run.durationNs(),
                run.devices(),
                run.cpus(),
                run.rootComplexes(),
                run.interrupts(),
                run.lockups(),
                run.spuriousIrqs(),
                Map.of(),
                run.engine());
    }

    @Test
    void aDeepQueueIsPolledWithFewerInterruptsAndNothingIsLost() {
        RunStatistics none = run("none", "iodepth=64", "numjobs=2");
        RunStatistics poll = run("nvme-watermark-poll", "iodepth=64", "numjobs=2");

        assertThat(poll.policies().get("nvme-watermark-poll").get("episodes")).isPositive();
        assertThat(poll.policies().get("nvme-watermark-poll").get("polls")).isGreaterThan(1_000);
        assertThat((double) poll.interrupts().deviceHardirqs() / poll.completed())
                .isLessThan(0.1 * none.interrupts().deviceHardirqs() / none.completed());
        assertThat((double) poll.completed())
                .as("the drive is the limit of both")
                .isCloseTo(none.completed(), within(0.05 * none.completed()));
        assertThat(poll.devices().get(0).inFlightMean()).isBetween(120.0, 128.0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"adaptive_poll_max_loops=1", "adaptive_poll_max_loops=3,adaptive_poll_sleep_max_us=20"})
    void shortEpisodesEnableTheLineAgainAndAgain(String settings) {
        RunStatistics none = run("none", "iodepth=64", "numjobs=2");
        RunStatistics poll = run("nvme-watermark-poll:" + settings, "iodepth=64", "numjobs=2");

        assertThat(poll.policies().get("nvme-watermark-poll").get("episodes")).isGreaterThan(200);
        assertThat((double) poll.completed()).isCloseTo(none.completed(), within(0.05 * none.completed()));
    }

    @Test
    void aShallowQueueIsTheStockDriversInEverything() {
        commandSlots = 256;
        RunStatistics none = run("none", "iodepth=8", "numjobs=2");
        RunStatistics poll = run("nvme-watermark-poll", "iodepth=8", "numjobs=2");

        assertThat(withoutCounters(poll)).isEqualTo(none);
        assertThat(poll.policies().get("nvme-watermark-poll").get("episodes")).isZero();
    }

    @Test
    void aDriveWithOneVectorIsNeverPolled() {
        maxIoQueues = 1;
        RunStatistics none = run("none", "iodepth=64", "numjobs=2");
        RunStatistics poll = run("nvme-watermark-poll", "iodepth=64", "numjobs=2");

        assertThat(withoutCounters(poll)).isEqualTo(none);
    }

    @Test
    void aHighWatermarkThatIsNeverReachedIsTheStockDriver() {
        RunStatistics none = run("none", "iodepth=64", "numjobs=2");
        RunStatistics poll = run("nvme-watermark-poll:adaptive_poll_start_pending=65535", "iodepth=64", "numjobs=2");

        assertThat(withoutCounters(poll)).isEqualTo(none);
    }

    // ---- one burst, and then silence

    /** Submits without a thread and notes completions. */
    private static final class Submitter implements BlockRequest.Submitter {
        private final List<BlockRequest> completed = new ArrayList<>();

        @Override
        public void onCompletion(BlockRequest request, Cpu cpu) {
            completed.add(request);
        }

        @Override
        public void onTagFree(Cpu cpu) {}

        void submit(NvmeDriver driver, int reads) {
            NvmeQueue queue = driver.queues().get(0);
            for (int i = 0; i < reads; i++) {
                var request = new BlockRequest(this, driver);
                request.prepare(driver, Opcode.READ, 4096);
                assertThat(queue.takeTag(request)).isTrue();
                queue.submit(request);
            }
            queue.ringDoorbell();
        }
    }

    private static final class Host {
        private final EventQueue events = new EventQueue();
        private final WatermarkPoll policy;
        private final List<NvmeDriver> drivers = new ArrayList<>();

        Host(Map<String, String> settings) {
            policy = new WatermarkPoll(
                    PolicySettings.check("nvme-watermark-poll", new WatermarkPollProvider().parameters(), settings));
            var cpus = List.of(new Cpu(0, events, CPU_COSTS), new Cpu(1, events, CPU_COSTS));
            var machine = new CpuHotplug(cpus);
            var interrupts = new Interrupts(machine, events, null, report -> {});
            var irqPoll = new IrqPoll(machine, events);
            var controller = new NvmeController(
                    "nvme0",
                    events,
                    new NvmeTiming(DelayDistribution.constant(50_000), 2_000_000, 4, 700, 8, 0, 0),
                    new PcieLink(5, 4, 256),
                    new RootComplex("rc0", events, 40, 150, 8),
                    2,
                    1_024,
                    200,
                    800,
                    1,
                    queue -> drivers.get(0).deliver(queue));
            drivers.add(new NvmeDriver(
                    controller, events, cpus, interrupts, irqPoll, 64, DRIVER_COSTS, policy, latencyNs -> {}));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "2", "7", "100"})
    void whenABurstHasDrainedTheLineIsEnabledAndInterruptsAgain(String maxLoops) {
        var host = new Host(Map.of("adaptive_poll_max_loops", maxLoops));
        NvmeDriver driver = host.drivers.get(0);
        var line = driver.queues().get(0).descriptor();
        var submitter = new Submitter();
        submitter.submit(driver, 200);
        boolean wasDisabled = false;
        for (int step = 0; step < 500; step++) {
            host.events.runUntil(host.events.nowNs() + 10_000);
            wasDisabled |= line.depth() > 0;
        }

        assertThat(wasDisabled).isTrue();
        assertThat(submitter.completed).hasSize(200).doesNotHaveDuplicates();
        assertThat(line.depth()).isZero();
        assertThat(line.masked()).isFalse();
        assertThat(line.pending()).isFalse();
        assertThat(host.policy.counters().get("episodes")).isPositive();

        long handled = line.handled();
        long episodes = host.policy.counters().get("episodes");
        submitter.submit(driver, 1);
        host.events.runUntil(host.events.nowNs() + 1_000_000);
        assertThat(submitter.completed).hasSize(201);
        assertThat(line.handled()).isEqualTo(handled + 1);
        assertThat(host.policy.counters()).containsEntry("episodes", episodes);
    }

    @Test
    void anEpisodeLastsAsLongAsItsSleepsAndNoLonger() {
        var host = new Host(Map.of("adaptive_poll_max_loops", "5"));
        NvmeDriver driver = host.drivers.get(0);
        var line = driver.queues().get(0).descriptor();
        new Submitter().submit(driver, 200);
        long disabledNs = -1;
        long enabledNs = -1;
        while (enabledNs < 0 && host.events.nowNs() < 10_000_000) {
            host.events.runUntil(host.events.nowNs() + 100);
            if (disabledNs < 0 && line.depth() > 0) {
                disabledNs = host.events.nowNs();
            } else if (disabledNs >= 0 && line.depth() == 0) {
                enabledNs = host.events.nowNs();
            }
        }

        // Five sleeps of 30 µs, each with its timer interrupt, two switches and a reap of a few completions.
        assertThat(enabledNs - disabledNs).isBetween(5 * 30_000L, 5 * 40_000L);
    }
}
