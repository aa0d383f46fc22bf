package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.workload.FioJobFile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MachineTest {
    private static final String FILE = "filename=/dev/nvme0n1";

    private final TestMachine machine = new TestMachine();

    // ---- what a run must be given

    @Test
    void aMachineRunsOnce() {
        Machine assembled = machine.assemble(FILE);
        assembled.run(0, 1_000);

        assertThatIllegalStateException()
                .isThrownBy(() -> assembled.run(0, 1_000))
                .withMessage("a machine runs once");
    }

    @Test
    void timesOutsideTheirRangesAreRefused() {
        Machine assembled = machine.assemble(FILE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> assembled.run(-1, 1_000))
                .withMessage("warmup must be 0 ns or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> assembled.run(0, 0))
                .withMessage("duration must be more than 0 ns, was 0");
    }

    @Test
    void aMachineNeedsAJobAndARecorderForEachDrive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Machine.assemble(machine.profile(), List.of(), PolicyStack.none(), 1, List.of(latency -> {})))
                .withMessage("a machine needs a job");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Machine.assemble(
                        machine.profile(),
                        FioJobFile.parse("a", "[a]\n" + FILE).jobs(),
                        PolicyStack.none(),
                        1,
                        List.of()))
                .withMessage("recorders must be one for each of 1 drives, were 0");
    }

    // ---- what a run must obey, whatever its machine and load

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void countsAndTimesOfARandomMachineAddUp(long seed) {
        RandomStream random = RandomStream.of(seed, "machine-test");
        machine.cpus = 1 + random.nextInt(6);
        machine.drives = 1 + random.nextInt(4);
        machine.rootComplexes = 1 + random.nextInt(2);
        machine.maxIoQueues = 1 + random.nextInt(8);
        machine.queueDepth = 4 + random.nextInt(200);
        machine.commandSlots = 4 + random.nextInt(100);
        machine.readNs = 5_000 + random.nextInt(60_000);
        machine.tailPerMillion = random.nextInt(2) * 1_000;
        machine.msiNs = random.nextInt(1_000);
        machine.credits = 1 + random.nextInt(8);
        int jobs = 1 + random.nextInt(6);
        int depth = 1 + random.nextInt(40);
        long durationNs = 40_000_000;
        RunStatistics run = machine.assemble(
                        PolicyStack.none(),
                        seed,
                        machine.allFiles(),
                        "numjobs=" + jobs,
                        "iodepth=" + depth,
                        "iodepth_batch_submit=" + (1 + random.nextInt(depth)),
                        "iodepth_batch_complete_min=1",
                        "iodepth_batch_complete_max=" + (1 + random.nextInt(depth)))
                .run(0, durationNs);

        assertThat(run.completed()).as("seed %d: I/Os", seed).isGreaterThan(500);
        assertThat(run.engine().ios()).as("seed %d", seed).isEqualTo(run.completed());
        for (int i = 0; i < machine.drives; i++) {
            RunStatistics.Device device = run.devices().get(i);
            List<Long> latencies = machine.latencies.get(i);
            assertThat(latencies)
                    .as("seed %d: latencies of %s", seed, device.name())
                    .hasSize((int) device.completed());
            assertThat(device.bytes()).as("seed %d", seed).isEqualTo(device.completed() * 4096);
            assertThat(device.msis())
                    .as("seed %d: one message for each completion, also of those not yet reaped", seed)
                    .isBetween(device.completed(), device.completed() + jobs * depth);
            // What is in flight now has been so for a time between nothing and the whole run.
            double latencySum = latencies.stream().mapToLong(Long::longValue).sum();
            double inFlight = device.inFlightMean() * durationNs;
            assertThat(inFlight)
                    .as("seed %d: in flight of %s", seed, device.name())
                    .isGreaterThanOrEqualTo(latencySum * (1 - 1e-12))
                    .isLessThanOrEqualTo(latencySum + jobs * depth * 5_000_000.0);
        }
        RunStatistics.Interrupts interrupts = run.interrupts();
        assertThat(interrupts.msis())
                .as("seed %d", seed)
                .isEqualTo(run.devices().stream()
                        .mapToLong(RunStatistics.Device::msis)
                        .sum());
        assertThat(interrupts.hardirqs())
                .as("seed %d", seed)
                .isEqualTo(interrupts.deviceHardirqs() + interrupts.timerHardirqs() + interrupts.ipis());
        assertThat(interrupts.deviceHardirqs())
                .as("seed %d: without a policy every hardirq takes one message or several merged", seed)
                .isPositive()
                .isLessThanOrEqualTo(interrupts.msis());
        assertThat(run.cpus()).hasSize(machine.cpus).allSatisfy(cpu -> {
            assertThat(cpu.hardirqNs() + cpu.softirqNs() + cpu.systemNs() + cpu.userNs() + cpu.idleNs())
                    .as("seed %d: times of CPU %d", seed, cpu.cpu())
                    .isEqualTo(durationNs);
            assertThat(List.of(cpu.hardirqNs(), cpu.softirqNs(), cpu.systemNs(), cpu.userNs(), cpu.idleNs()))
                    .as("seed %d: times of CPU %d", seed, cpu.cpu())
                    .allSatisfy(timeNs -> assertThat(timeNs).isNotNegative());
        });
        assertThat(run.rootComplexes())
                .hasSize(machine.rootComplexes)
                .allSatisfy(complex -> assertThat(complex.busyNs())
                        .as("seed %d: %s", seed, complex.name())
                        .isBetween(0L, durationNs));
        long neededNs = machine.dmaNs * run.completed() + machine.msiNs * interrupts.deviceHardirqs();
        assertThat(run.rootComplexes().stream()
                        .mapToLong(RunStatistics.RootComplex::busyNs)
                        .sum())
                .as("seed %d: time for what came through", seed)
                .isGreaterThanOrEqualTo(neededNs);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void littlesLawHoldsForEveryDrive(long seed) {
        machine.cpus = 4;
        machine.drives = 3;
        long durationNs = 300_000_000;
        RunStatistics run = machine.assemble(
                        PolicyStack.none(),
                        seed,
                        machine.allFiles(),
                        "numjobs=4",
                        "iodepth=8",
                        "file_service_type=random")
                .run(10_000_000, durationNs);

        double inFlightOfAll = 0;
        for (int i = 0; i < machine.drives; i++) {
            RunStatistics.Device device = run.devices().get(i);
            double meanLatencyNs = machine.latencies.get(i).stream()
                    .mapToLong(Long::longValue)
                    .average()
                    .orElseThrow();
            double expected = device.completed() * meanLatencyNs / durationNs;
            assertThat(device.inFlightMean())
                    .as("seed %d: I/Os in flight of %s", seed, device.name())
                    .isCloseTo(expected, within(0.005 * expected));
            inFlightOfAll += device.inFlightMean();
        }
        assertThat(inFlightOfAll)
                .as("seed %d: four threads of depth eight", seed)
                .isBetween(28.0, 32.0);
    }

    @Test
    void theWarmUpIsNotCounted() {
        machine.cpus = 1;
        RunStatistics whole = machine.assemble(FILE, "iodepth=4").run(0, 30_000_000);
        int latenciesOfWhole = machine.latencies.get(0).size();
        RunStatistics first = machine.assemble(FILE, "iodepth=4").run(0, 10_000_000);
        RunStatistics rest = machine.assemble(FILE, "iodepth=4").run(10_000_000, 20_000_000);

        assertThat(first.completed() + rest.completed()).isEqualTo(whole.completed());
        assertThat(machine.latencies.get(0)).hasSize((int) (latenciesOfWhole - first.completed()));
        assertThat(first.interrupts().msis() + rest.interrupts().msis())
                .isEqualTo(whole.interrupts().msis());
        assertThat(first.rootComplexes().get(0).busyNs()
                        + rest.rootComplexes().get(0).busyNs())
                .isEqualTo(whole.rootComplexes().get(0).busyNs());
        assertThat(first.cpus().get(0).hardirqNs() + rest.cpus().get(0).hardirqNs())
                .isEqualTo(whole.cpus().get(0).hardirqNs());
        assertThat(rest.warmupNs()).isEqualTo(10_000_000);
        assertThat(rest.durationNs()).isEqualTo(20_000_000);
        assertThat(rest.engine()).as("of the whole run").isEqualTo(whole.engine());
    }

    // ---- limits

    @Test
    void aSaturatedRootComplexIsAlwaysBusyAndSharedByDataAndMessages() {
        machine.cpus = 8;
        machine.drives = 2;
        machine.dmaNs = 400;
        machine.msiNs = 1_500;
        machine.readNs = 5_000;
        long durationNs = 50_000_000;
        RunStatistics run =
                machine.assemble(machine.allFiles(), "numjobs=8", "iodepth=32").run(5_000_000, durationNs);

        assertThat(run.rootComplexes().get(0).busyNs()).isEqualTo(durationNs);
        double share =
                (double) (400 * run.completed() + 1_500 * run.interrupts().msis()) / durationNs;
        assertThat(share).isCloseTo(1, within(0.01));
        assertThat((double) run.devices().get(0).completed())
                .as("the drives share it fairly")
                .isCloseTo((double) run.devices().get(1).completed(), within(0.01 * run.completed()));
    }

    @Test
    void drivesBelowDifferentRootComplexesDoNotDisturbEachOther() {
        machine.cpus = 8;
        machine.dmaNs = 400;
        machine.msiNs = 1_500;
        machine.readNs = 5_000;
        long alone = machine.assemble(FILE, "numjobs=8", "iodepth=32")
                .run(5_000_000, 20_000_000)
                .completed();
        machine.drives = 2;
        machine.rootComplexes = 2;
        RunStatistics two =
                machine.assemble(machine.allFiles(), "numjobs=8", "iodepth=64").run(5_000_000, 20_000_000);

        assertThat(two.devices())
                .allSatisfy(device ->
                        assertThat((double) device.completed()).isCloseTo((double) alone, within(0.01 * alone)));
    }

    @Test
    void aDriveAtItsLimitServesItsGreatestRate() {
        machine.cpus = 4;
        machine.maxIops = 300_000;
        RunStatistics run = machine.assemble(FILE, "numjobs=4", "iodepth=32").run(5_000_000, 100_000_000);

        assertThat((double) run.completed()).isCloseTo(30_000, within(100.0));
    }

    @Test
    void moreJobsThanTagsFinishWhatTheyStart() {
        machine.cpus = 4;
        machine.maxIoQueues = 1;
        machine.queueDepth = 8;
        RunStatistics run = machine.assemble(FILE, "numjobs=8", "iodepth=16", "iodepth_batch_submit=16")
                .run(0, 20_000_000);

        // Seven tags of about 55 µs each.
        assertThat((double) run.completed()).isCloseTo(7 * 20_000_000 / 55_000.0, within(400.0));
    }

    // ---- reproducibility

    @Test
    void oneSeedGivesOneResult() {
        assertThat(statistics(7)).isEqualTo(statistics(7)).hasSameHashCodeAs(statistics(7));
    }

    @Test
    void anotherSeedGivesAnotherResult() {
        assertThat(statistics(7)).isNotEqualTo(statistics(8));
    }

    private static RunStatistics statistics(long seed) {
        var machine = new TestMachine();
        machine.cpus = 4;
        machine.drives = 2;
        machine.tailPerMillion = 1_000;
        return machine.assemble(
                        PolicyStack.none(),
                        seed,
                        machine.allFiles(),
                        "numjobs=4",
                        "iodepth=8",
                        "file_service_type=random")
                .run(2_000_000, 10_000_000);
    }
}
