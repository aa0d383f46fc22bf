package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioTexts.jobWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.model.host.HostRig;
import io.irqlab.model.host.NvmeDriver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JobThreadTest {
    private static final long USER_NS = 1_000;
    private static final long SUBMIT_NS = 2_000;
    private static final long REAP_NS = 100;
    private static final long WAIT_NS = 10;
    private static final IoEngineCosts COSTS = new IoEngineCosts(USER_NS, SUBMIT_NS, REAP_NS, WAIT_NS);
    private static final long PER_IO_NS = USER_NS + SUBMIT_NS;

    /** Reads that a thread submitted to a drive, or took from it, at one time. */
    private record Move(long atNs, int drive, int reads) {
        @Override
        public String toString() {
            return "%d@%d/%d".formatted(reads, atNs, drive);
        }
    }

    private final HostRig rig = new HostRig();
    private final List<Move> submissions = new ArrayList<>();
    private final List<Move> reaps = new ArrayList<>();
    private long startNs;

    /** Starts a thread on CPU 0 over all drives. */
    private void start(JobSpec job) {
        start(job, "job0-a", 1);
    }

    private void start(JobSpec job, String name, long seed) {
        if (rig.cpus.isEmpty()) {
            rig.build();
        }
        startNs = rig.queue.nowNs();
        new JobThread(job, name, rig.cpu(0), COSTS, rig.drivers, seed).start();
    }

    /** Runs and notes what the thread does, in times since its start. */
    private void watch(long durationNs) {
        int[] tails = new int[rig.drives];
        long[] completed = new long[rig.drives];
        long untilNs = rig.queue.nowNs() + durationNs;
        for (int drive = 0; drive < rig.drives; drive++) {
            tails[drive] = tail(drive);
            completed[drive] = rig.drivers.get(drive).completed();
        }
        while (rig.queue.nowNs() < untilNs) {
            rig.runFor(1);
            for (int drive = 0; drive < rig.drives; drive++) {
                int submitted = Math.floorMod(tail(drive) - tails[drive], rig.depth);
                long reaped = rig.drivers.get(drive).completed() - completed[drive];
                if (submitted > 0) {
                    submissions.add(new Move(rig.queue.nowNs() - startNs, drive, submitted));
                    tails[drive] = tail(drive);
                }
                if (reaped > 0) {
                    reaps.add(new Move(rig.queue.nowNs() - startNs, drive, (int) reaped));
                    completed[drive] += reaped;
                }
            }
        }
    }

    private int tail(int drive) {
        return rig.drivers.get(drive).controller().queues().get(0).submissions().tail();
    }

    private static List<Integer> readsOf(List<Move> moves) {
        return moves.stream().map(Move::reads).toList();
    }

    private static List<Integer> drivesOf(List<Move> moves) {
        return moves.stream().map(Move::drive).toList();
    }

    /** So long a hardirq entry that everything in flight is complete when the thread runs again. */
    private void everythingCompletesAtOnce() {
        rig.media = DelayDistribution.constant(100_000);
        rig.cpuCosts = new CpuCosts(60_000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, VirtualizationCosts.BARE_METAL);
    }

    // ---- submission

    @Test
    void aThreadFillsItsDepthOneByOneAndThenWaits() {
        rig.media = DelayDistribution.constant(10_000_000);
        start(jobWith("rw=randread", "iodepth=4"));
        watch(100_000);

        assertThat(submissions)
                .containsExactly(
                        new Move(PER_IO_NS, 0, 1),
                        new Move(2 * PER_IO_NS, 0, 1),
                        new Move(3 * PER_IO_NS, 0, 1),
                        new Move(4 * PER_IO_NS, 0, 1));
        assertThat(rig.cpu(0).times().userNs()).isEqualTo(4 * USER_NS);
        assertThat(rig.cpu(0).times().systemNs()).isEqualTo(4 * SUBMIT_NS + WAIT_NS);
    }

    @Test
    void aBatchIsPreparedReadByReadAndSubmittedInOneCall() {
        rig.media = DelayDistribution.constant(10_000_000);
        start(jobWith("rw=randread", "iodepth=8", "iodepth_batch_submit=4"));
        watch(100_000);

        assertThat(submissions).containsExactly(new Move(4 * PER_IO_NS, 0, 4), new Move(8 * PER_IO_NS, 0, 4));
    }

    @Test
    void aBatchThatTheDepthCutsShortIsSubmittedAsItIs() {
        rig.media = DelayDistribution.constant(10_000_000);
        start(jobWith("rw=randread", "iodepth=5", "iodepth_batch_submit=3"));
        watch(100_000);

        assertThat(submissions).containsExactly(new Move(3 * PER_IO_NS, 0, 3), new Move(5 * PER_IO_NS, 0, 2));
    }

    // ---- completion

    @Test
    void byDefaultOneCompletionIsTakenAndOneReadSubmittedHoweverManyAreComplete() {
        everythingCompletesAtOnce();
        start(jobWith("rw=randread", "iodepth=4"));
        watch(600_000);

        assertThat(readsOf(reaps)).startsWith(1, 1, 1, 1);
        assertThat(readsOf(submissions)).startsWith(1, 1, 1, 1, 1, 1, 1, 1);
        long firstNs = reaps.get(0).atNs();
        assertThat(submissions.get(4).atNs()).isEqualTo(firstNs + REAP_NS + PER_IO_NS);
        assertThat(reaps.get(1).atNs()).isEqualTo(firstNs + REAP_NS + PER_IO_NS);
        assertThat(submissions.get(5).atNs()).isEqualTo(firstNs + 2 * (REAP_NS + PER_IO_NS));
    }

    @ParameterizedTest
    @CsvSource({"2, 2, 2", "4, 4, 4", "1, 3, 3", "0, 8, 8", "2, 8, 8", "0, 0, 1"})
    void aReapTakesWhatIsCompleteUpToTheGreatestBatch(int min, int max, int taken) {
        everythingCompletesAtOnce();
        start(jobWith(
                "rw=randread", "iodepth=8", "iodepth_batch_complete_min=" + min, "iodepth_batch_complete_max=" + max));
        watch(600_000);

        assertThat(reaps.get(0).reads()).isEqualTo(taken);
        assertThat(readsOf(submissions).subList(8, 8 + Math.min(4, taken))).containsOnly(1);
    }

    @Test
    void aThreadWakesWhenTheLeastBatchIsComplete() {
        rig.media = DelayDistribution.constant(20_000);
        start(jobWith("rw=randread", "iodepth=6", "iodepth_batch_complete_min=3", "iodepth_batch_complete_max=6"));
        watch(40_000);

        // Reads go out every 3 µs and come back 20 µs and 291 ns of link and root complex later: the third wakes it.
        assertThat(reaps.get(0)).isEqualTo(new Move(3 * PER_IO_NS + 20_000 + 1 + 290 + 1, 0, 3));
    }

    @Test
    void whatTheLeastBatchTookIsSubmittedAgainAsABatch() {
        everythingCompletesAtOnce();
        start(jobWith(
                "rw=randread",
                "iodepth=8",
                "iodepth_batch_submit=4",
                "iodepth_batch_complete_min=4",
                "iodepth_batch_complete_max=4"));
        watch(600_000);

        assertThat(readsOf(submissions)).startsWith(4, 4, 4, 4);
        assertThat(readsOf(reaps)).startsWith(4, 4);
    }

    @Test
    void belowTheLowMarkTheDepthIsFilledAgainAndNotBefore() {
        everythingCompletesAtOnce();
        start(jobWith("rw=randread", "iodepth=6", "iodepth_low=2"));
        watch(600_000);

        // Four are taken one by one without time for a submission between them, then four submitted.
        assertThat(reaps.get(0).reads()).isEqualTo(4);
        assertThat(readsOf(submissions)).startsWith(1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        assertThat(submissions.get(6).atNs() - reaps.get(0).atNs()).isEqualTo(4 * REAP_NS + PER_IO_NS);
        assertThat(submissions.get(9).atNs() - submissions.get(6).atNs()).isEqualTo(3 * PER_IO_NS);
        assertThat(reaps.get(1).atNs())
                .isGreaterThanOrEqualTo(submissions.get(9).atNs());
    }

    @Test
    void aLeastBatchGreaterThanWhatIsInFlightWaitsForWhatThereIs() {
        start(jobWith(
                "rw=randread",
                "iodepth=8",
                "iodepth_batch_complete_min=3",
                "iodepth_batch_complete_max=3",
                "iodepth_low=1"));
        watch(400_000);

        assertThat(readsOf(reaps)).startsWith(3, 3, 2);
        assertThat(rig.driver().completed()).isGreaterThan(50);
    }

    // ---- files

    @ParameterizedTest
    @CsvSource({"roundrobin, 012012012", "roundrobin:2, 001122001122", "roundrobin:3, 000111222000"})
    void roundRobinGivesEachFileItsShareInTurn(String service, String expected) {
        rig.drives = 3;
        rig.media = DelayDistribution.constant(10_000_000);
        start(jobWith("rw=randread", "iodepth=" + expected.length(), "file_service_type=" + service));
        watch(100_000);

        assertThat(drivesOf(submissions))
                .isEqualTo(expected.chars().map(digit -> digit - '0').boxed().toList());
    }

    @Test
    void aBatchOverSeveralDrivesReachesThemAll() {
        rig.drives = 2;
        start(jobWith("rw=randread", "iodepth=4", "iodepth_batch_submit=4"));
        watch(12_500 + 10_000 + 1_000);

        assertThat(submissions).containsExactly(new Move(4 * PER_IO_NS, 0, 2), new Move(4 * PER_IO_NS, 1, 2));
        rig.runFor(1_000_000);
        assertThat(rig.drivers)
                .allSatisfy(driver -> assertThat(driver.completed()).isGreaterThan(20));
    }

    @Test
    void aRandomFileIsAnyWithTheSameChance() {
        rig.drives = 4;
        start(jobWith("rw=randread", "iodepth=16", "file_service_type=random"));
        rig.runFor(100_000_000);

        double mean =
                rig.drivers.stream().mapToLong(NvmeDriver::completed).average().orElseThrow();
        assertThat(mean).isGreaterThan(5_000);
        assertThat(rig.drivers)
                .allSatisfy(
                        driver -> assertThat((double) driver.completed()).isCloseTo(mean, within(5 * Math.sqrt(mean))));
    }

    @Test
    void randomFilesAreTheSameUnderOneSeedAndNameAndOthersUnderAnother() {
        assertThat(randomFiles("job0-a", 1))
                .isEqualTo(randomFiles("job0-a", 1))
                .isNotEqualTo(randomFiles("job0-a", 2))
                .isNotEqualTo(randomFiles("job1-a", 1));
    }

    private static List<Integer> randomFiles(String name, long seed) {
        var test = new JobThreadTest();
        test.rig.drives = 4;
        test.rig.media = DelayDistribution.constant(10_000_000);
        test.start(jobWith("rw=randread", "iodepth=32", "file_service_type=random"), name, seed);
        test.watch(120_000);
        return drivesOf(test.submissions);
    }

    @Test
    void aRandomFileMayHaveSeveralReadsBeforeTheNext() {
        rig.drives = 4;
        rig.media = DelayDistribution.constant(10_000_000);
        start(jobWith("rw=randread", "iodepth=30", "file_service_type=random:5"));
        watch(120_000);

        List<Integer> drives = drivesOf(submissions);
        for (int i = 0; i < 30; i++) {
            assertThat(drives.get(i)).as("read %d of %s", i, drives).isEqualTo(drives.get(i - i % 5));
        }
    }

    @Test
    void severalFilesOneAfterTheOtherAreNotModelled() {
        rig.drives = 2;
        start(jobWith("rw=randread", "file_service_type=sequential"));

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.runFor(100_000))
                .withMessage("sequential file service is refused when jobs are placed");
    }

    @Test
    void aFileAloneMayHaveAnyService() {
        start(jobWith("rw=randread", "file_service_type=sequential"));
        rig.runFor(100_000);

        assertThat(rig.driver().completed()).isPositive();
    }

    @Test
    void sizesAreDrawnFromTheJobsRange() {
        start(jobWith("rw=randread", "iodepth=8", "bssplit=4k/50:16k/50"));
        rig.runFor(20_000_000);

        double mean = (double) rig.driver().completedBytes() / rig.driver().completed();
        assertThat(rig.driver().completed()).isGreaterThan(2_000);
        assertThat(mean).isCloseTo(10_240, within(400.0));
    }

    // ---- tags

    @Test
    void aThreadWithoutATagWaitsForOneAndGoesOn() {
        rig.depth = 4; // three tags
        start(jobWith("rw=randread", "iodepth=8"));
        watch(9_500);
        assertThat(submissions).hasSize(3);

        rig.runFor(1_000_000);
        // Three in flight at a time, of 10 µs and about 3 µs of the thread each.
        assertThat(rig.driver().completed()).isGreaterThan(100);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 8})
    void aBatchLargerThanTheTagsIsSubmittedAsFarAsItGot(int batch) {
        rig.depth = 4; // three tags
        start(jobWith("rw=randread", "iodepth=8", "iodepth_batch_submit=" + batch));
        rig.runFor(1_000_000);

        assertThat(rig.driver().completed()).isGreaterThan(100);
    }

    @Test
    void threadsThatShareTheTagsOfAQueueAllGoOn() {
        rig.depth = 4;
        rig.cpuCount = 4;
        rig.build();
        for (int thread = 0; thread < 4; thread++) {
            new JobThread(
                            jobWith("rw=randread", "iodepth=8", "iodepth_batch_submit=4"),
                            "job" + thread + "-a",
                            rig.cpu(thread),
                            COSTS,
                            rig.drivers,
                            1)
                    .start();
        }
        rig.runFor(10_000_000);

        // Two round trips in about 10 µs each: three tags give about 300 reads a millisecond at most.
        assertThat(rig.driver().completed()).isGreaterThan(1_500);
        assertThat(rig.cpus)
                .as("every thread did its share")
                .allSatisfy(cpu -> assertThat(cpu.times().userNs()).isGreaterThan(200 * USER_NS));
    }

    // ---- latency

    @Test
    void latencyCountsFromTheEndOfTheSubmittingCallToTheTakingOfTheCompletion() {
        rig.build();
        rig.driver().startMeasuring();
        start(jobWith("rw=randread", "iodepth=1"));
        rig.runFor(1_000_000);

        long deviceNs = 1 + 10_000 + 290 + 1;
        assertThat(rig.latencies).isNotEmpty().containsOnly(deviceNs);
        assertThat(rig.latencies).hasSize((int) ((1_000_000 + REAP_NS) / (deviceNs + REAP_NS + PER_IO_NS)));
    }
}
