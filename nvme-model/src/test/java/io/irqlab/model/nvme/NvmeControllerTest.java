package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.model.nvme.ControllerBench.Completion;
import io.irqlab.model.nvme.ControllerBench.Message;
import io.irqlab.model.pcie.PcieLink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NvmeControllerTest {
    private final ControllerBench bench = new ControllerBench();

    @Test
    void aReadTakesFetchFrontEndMediaLinkAndRootComplexInTurn() {
        bench.submit(0, 5, 6);
        bench.queue.runUntil(1_000_000);

        long expectedNs = 500 + 1_000 + 10_000 + bench.linkNs() + 40 + 150;
        assertThat(bench.completions).containsExactly(new Completion(0, 5, 1, expectedNs));
        assertThat(bench.messages).containsExactly(new Message(0, expectedNs));
        assertThat(bench.controller().completed()).isEqualTo(1);
        assertThat(bench.controller().msis()).isEqualTo(1);
    }

    @Test
    void theFrontEndsShareIsRoundedUpToWholeNanoseconds() {
        bench.maxIops = 300_000; // 3333.3 ns each
        bench.submit(0, 0, 1);
        bench.queue.runUntil(1_000_000);

        assertThat(bench.timesOfCompletions()).containsExactly(500 + 3_334 + 10_000 + bench.linkNs() + 40 + 150);
    }

    @Test
    void aCompletionIsInMemoryBeforeItsInterruptArrives() {
        bench.reaps = false;
        bench.submit(0, 0, 1);
        CompletionQueue completions = bench.controller().queues().get(0).completions();
        long visibleNs = bench.unloadedNs() - bench.msiNs;

        bench.queue.runUntil(visibleNs - 1);
        assertThat(completions.pending(visibleNs - 1)).isFalse();
        bench.queue.runUntil(visibleNs);
        assertThat(completions.pending(visibleNs)).isTrue();
        assertThat(bench.messages).isEmpty();
    }

    @Test
    void nothingIsFetchedBeforeTheDoorbell() {
        bench.push(0, 0, 3);
        bench.queue.runUntil(1_000_000);
        assertThat(bench.submissions(0).head()).isZero();

        bench.controller().ringSubmission(0);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.commandIds()).containsExactly(0, 1, 2);
    }

    @Test
    void aDoorbellWithoutANewEntryChangesNothing() {
        bench.submit(0, 0, 1);
        bench.queue.runUntil(1_000_000);
        bench.controller().ringSubmission(0);
        bench.queue.runUntil(2_000_000);

        assertThat(bench.completions).hasSize(1);
    }

    // ---- command slots

    @Test
    void noMoreCommandsAreAtWorkThanThereAreSlotsAndAllSlotsAreUsed() {
        bench.commandSlots = 5;
        bench.maxIops = 1_000_000_000;
        bench.queues = 3;
        for (int queue = 0; queue < 3; queue++) {
            bench.submit(queue, 0, 60);
        }
        int most = 0;
        int[] fetched = new int[3];
        while (bench.queue.nowNs() < 1_000_000) {
            bench.queue.runUntil(bench.queue.nowNs() + 97);
            int atWork = 0;
            for (int queue = 0; queue < 3; queue++) {
                fetched[queue] = bench.submissions(queue).head();
                atWork += fetched[queue];
            }
            atWork -= bench.completions.size();
            most = Math.max(most, atWork);
            assertThat(atWork).isLessThanOrEqualTo(5);
        }

        assertThat(most).isEqualTo(5);
        assertThat(fetched).containsExactly(60, 60, 60);
    }

    @Test
    void aSlotIsFreeAgainWhenItsCompletionHasPassedTheRootComplex() {
        bench.commandSlots = 1;
        bench.submit(0, 0, 3);
        bench.queue.runUntil(1_000_000);

        long cycleNs = bench.unloadedNs();
        assertThat(bench.timesOfCompletions()).containsExactly(cycleNs, 2 * cycleNs, 3 * cycleNs);
    }

    @Test
    void aControllerBehindASlowRootComplexStopsFetching() {
        bench.dmaNs = 50_000;
        bench.commandSlots = 4;
        bench.submit(0, 0, 40);
        bench.queue.runUntil(bench.unloadedNs() - 1);

        assertThat(bench.submissions(0).head()).isEqualTo(4);
        assertThat(bench.submissions(0).backlog()).as("what the host knows").isEqualTo(40);
        bench.queue.runUntil(1_000_000);
        assertThat(bench.submissions(0).head() - bench.completions.size()).isEqualTo(4);
    }

    // ---- arbitration

    /** Runs queues that are filled in the order of their numbers, on one slot, and returns whose turn it was when. */
    private List<Integer> turns(int burst, int... entries) {
        bench.commandSlots = 1;
        bench.fetchBurst = burst;
        bench.queues = entries.length;
        for (int queue = 0; queue < entries.length; queue++) {
            bench.submit(queue, 0, entries[queue]);
        }
        bench.queue.runUntil(100_000_000);
        return bench.queuesOfCompletions();
    }

    @Test
    void withABurstOfOneQueuesTakeTurns() {
        assertThat(turns(1, 3, 3, 3)).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
    }

    @Test
    void aTurnIsAWholeBurst() {
        assertThat(turns(2, 5, 5, 1)).containsExactly(0, 0, 1, 1, 2, 0, 0, 1, 1, 0, 1);
    }

    @Test
    void aQueueThatRunsEmptyGivesUpTheRestOfItsBurst() {
        assertThat(turns(4, 2, 6, 1)).containsExactly(0, 0, 1, 1, 1, 1, 2, 1, 1);
    }

    @Test
    void aQueueAloneIsServedWithoutPause() {
        assertThat(turns(2, 0, 7, 0)).containsExactly(1, 1, 1, 1, 1, 1, 1);
    }

    @Test
    void aHundredQueuesGetTheirTurnInOrder() {
        var entries = new int[100];
        Arrays.fill(entries, 3);
        var expected = new ArrayList<Integer>();
        for (int round = 0; round < 3; round++) {
            IntStream.range(0, 100).forEach(expected::add);
        }

        assertThat(turns(1, entries)).isEqualTo(expected);
    }

    @Test
    void aBusyQueueDoesNotStarveOneThatSubmitsNowAndThen() {
        bench.commandSlots = 2;
        bench.fetchBurst = 8;
        bench.queues = 2;
        bench.depth = 1_024;
        bench.submit(0, 0, 1_000);
        bench.queue.runUntil(100_000);
        int before = bench.completions.size();
        bench.submit(1, 0, 1);
        bench.queue.runUntil(10_000_000);

        int place = bench.queuesOfCompletions().indexOf(1) - before;
        assertThat(place).as("completions of the busy queue meanwhile").isBetween(0, 8 + 2);
    }

    // ---- rates

    @ParameterizedTest
    @ValueSource(longs = {1_000, 300_000, 700_000, 1_000_000, 2_930_000, 3_140_000})
    void theControllerServesItsGreatestRateAndNeverMore(long maxIops) {
        int commands = 2_000;
        bench.maxIops = maxIops;
        bench.depth = commands + 1;
        bench.commandSlots = commands;
        bench.dmaNs = 1;
        bench.msiNs = 0;
        bench.submit(0, 0, commands);
        bench.queue.runUntil(10_000_000_000L);

        List<Long> times = bench.timesOfCompletions();
        assertThat(times).hasSize(commands);
        for (int first = 0; first < commands; first += 37) {
            for (int last = first + 1; last < commands; last += 211) {
                // A time in whole nanoseconds may be one late or early.
                double shortestNs = (last - first) * 1e9 / maxIops - 1;
                assertThat((double) times.get(last) - times.get(first))
                        .as("%d I/Os from the %d. on", last - first, first)
                        .isGreaterThanOrEqualTo(shortestNs);
            }
        }
        double elapsedNs = times.get(commands - 1) - times.get(0);
        assertThat((commands - 1) * 1e9 / elapsedNs).isCloseTo(maxIops, within(maxIops * 1e-3));
    }

    @Test
    void theLinkIsTheLimitOfAFastDriveBehindANarrowLink() {
        var narrow = new ControllerBench(new PcieLink(3, 1, 256));
        narrow.maxIops = 1_000_000_000;
        narrow.submit(0, 0, 50);
        narrow.queue.runUntil(10_000_000);

        List<Long> times = narrow.timesOfCompletions();
        for (int i = 1; i < 50; i++) {
            assertThat(times.get(i) - times.get(i - 1)).isEqualTo(narrow.linkNs());
        }
    }

    @Test
    void theRootComplexIsTheLimitOfAFastDriveBehindAWideLink() {
        bench.maxIops = 1_000_000_000;
        bench.dmaNs = 400;
        bench.msiNs = 600;
        bench.submit(0, 0, 50);
        bench.queue.runUntil(10_000_000);

        List<Long> times = bench.timesOfCompletions();
        for (int i = 1; i < 50; i++) {
            assertThat(times.get(i) - times.get(i - 1)).isEqualTo(1_000);
        }
    }

    // ---- completion queues

    @Test
    void aFullCompletionQueueHoldsWhatIsFinishedUntilTheHeadDoorbell() {
        bench.depth = 4;
        bench.ringsHead = false;
        bench.submit(0, 0, 3);
        bench.queue.runUntil(1_000_000);
        assertThat(bench.commandIds()).containsExactly(0, 1, 2);

        bench.submit(0, 3, 6);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.reap(0)).as("entries beyond the head doorbell").isZero();
        assertThat(bench.controller().completed()).isEqualTo(3);

        bench.controller().ringCompletion(0);
        bench.queue.runUntil(3_000_000);
        assertThat(bench.commandIds()).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Test
    void theHeadDoorbellReleasesAsManyAsItFreed() {
        bench.depth = 4;
        bench.reaps = false;
        bench.ringsHead = false;
        bench.submit(0, 0, 3);
        bench.queue.runUntil(1_000_000);
        CompletionQueue ring = bench.controller().queues().get(0).completions();
        bench.submissions(0).headReported(ring.headSqHead());
        bench.submit(0, 3, 6);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.controller().completed()).isEqualTo(3);

        ring.advance();
        bench.controller().ringCompletion(0);
        bench.queue.runUntil(3_000_000);
        assertThat(bench.controller().completed()).isEqualTo(4);

        ring.advance();
        ring.advance();
        bench.controller().ringCompletion(0);
        bench.queue.runUntil(4_000_000);
        assertThat(bench.controller().completed()).isEqualTo(6);
    }

    @Test
    void aSingleHeldCompletionIsReleasedToo() {
        bench.depth = 4;
        bench.ringsHead = false;
        bench.submit(0, 0, 3);
        bench.queue.runUntil(1_000_000);
        bench.submit(0, 3, 4);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.completions).hasSize(3);

        bench.controller().ringCompletion(0);
        bench.queue.runUntil(3_000_000);
        assertThat(bench.completions).hasSize(4);
    }

    @Test
    void whatIsHeldKeepsItsSlotAndOtherQueuesUseTheRest() {
        bench.depth = 4;
        bench.queues = 2;
        bench.commandSlots = 4;
        bench.ringsHead = false;
        bench.submit(0, 0, 3);
        bench.queue.runUntil(1_000_000);
        bench.submit(0, 3, 6); // all held: one slot is left
        bench.queue.runUntil(2_000_000);
        bench.submit(1, 0, 3);
        long startNs = bench.queue.nowNs();
        bench.queue.runUntil(3_000_000);

        List<Completion> others =
                bench.completions.stream().filter(c -> c.queue() == 1).toList();
        assertThat(others.stream().map(Completion::atNs))
                .as("one after the other")
                .containsExactly(
                        startNs + bench.unloadedNs(),
                        startNs + 2 * bench.unloadedNs(),
                        startNs + 3 * bench.unloadedNs());
        bench.controller().ringCompletion(0);
        bench.queue.runUntil(4_000_000);
        assertThat(bench.completions).hasSize(9);
    }

    @Test
    void ringsGoAroundManyTimes() {
        bench.depth = 3;
        for (int round = 0; round < 100; round++) {
            bench.submit(0, 2 * round, 2 * round + 2);
            bench.queue.runUntil(bench.queue.nowNs() + 100_000);
        }

        assertThat(bench.commandIds()).isEqualTo(IntStream.range(0, 200).boxed().toList());
        assertThat(bench.submissions(0).backlog()).isZero();
    }

    // ---- what a completion entry says

    @Test
    void theSqHeadIsThatOfTheMomentAtWhichTheRootComplexHadCreditsForTheEntry() {
        bench.maxIops = 1_000_000_000;
        bench.commandSlots = 3;
        bench.dmaNs = 10_000; // slow: the first three completions wait for one another
        bench.credits = 1;
        bench.submit(0, 0, 6);
        bench.queue.runUntil(10_000_000);

        // The fourth command is fetched when the first has been served, and so on: the second is composed before that.
        assertThat(bench.completions.stream().map(Completion::sqHead)).containsExactly(3, 3, 4, 5, 6, 6);
    }

    @Test
    void withCreditsForAllTheSqHeadIsOlder() {
        bench.maxIops = 1_000_000_000;
        bench.commandSlots = 3;
        bench.dmaNs = 10_000;
        bench.credits = 8;
        bench.submit(0, 0, 6);
        bench.queue.runUntil(10_000_000);

        assertThat(bench.completions.stream().map(Completion::sqHead).limit(3)).containsExactly(3, 3, 3);
    }

    // ---- masking

    @Test
    void aMaskedVectorSendsNothingAndOneMessageAnnouncesAllThatCameMeanwhile() {
        var vector = bench.controller().queues().get(0).vector();
        vector.mask(bench.cpu);
        bench.submit(0, 0, 10);
        bench.queue.runUntil(1_000_000);
        assertThat(bench.messages).isEmpty();
        assertThat(bench.controller().msis()).isZero();
        assertThat(bench.controller().completed()).isEqualTo(10);

        vector.unmask(bench.cpu);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.messages).hasSize(1);
        assertThat(bench.completions).hasSize(10);
        assertThat(bench.controller().msis()).isEqualTo(1);
    }

    @Test
    void theMessageOfUnmaskingCrossesLinkAndRootComplex() {
        var vector = bench.controller().queues().get(0).vector();
        vector.mask(bench.cpu);
        bench.submit(0, 0, 1);
        bench.queue.runUntil(1_000_000);
        vector.unmask(bench.cpu);
        bench.queue.runUntil(2_000_000);

        assertThat(bench.timesOfMessages())
                .containsExactly(1_000_000 + bench.link.transferNs(PcieLink.TLP_OVERHEAD_BYTES) + bench.msiNs);
    }

    @Test
    void aVectorThatIsMaskedAgainBeforeItsMessageIsServedKeepsItPending() {
        var vector = bench.controller().queues().get(0).vector();
        vector.mask(bench.cpu);
        bench.submit(0, 0, 1);
        bench.queue.runUntil(1_000_000);
        vector.unmask(bench.cpu);
        vector.mask(bench.cpu);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.messages).isEmpty();
        assertThat(vector.pending()).isTrue();

        vector.unmask(bench.cpu);
        bench.queue.runUntil(3_000_000);
        assertThat(bench.completions).hasSize(1);
    }

    @Test
    void vectorsAreMaskedOneByOne() {
        bench.queues = 2;
        bench.controller().queues().get(0).vector().mask(bench.cpu);
        bench.submit(0, 0, 1);
        bench.submit(1, 0, 1);
        bench.queue.runUntil(1_000_000);

        assertThat(bench.queuesOfCompletions()).containsExactly(1);
    }

    @Test
    void oneSeedIsOneRun() {
        assertThat(completionsOf(3)).isEqualTo(completionsOf(3)).isNotEqualTo(completionsOf(4));
    }

    private static List<Completion> completionsOf(long seed) {
        var bench = new ControllerBench();
        bench.seed = seed;
        bench.media = DelayDistribution.logNormal(10_000, 0.3);
        bench.submit(0, 0, 50);
        bench.queue.runUntil(10_000_000);
        assertThat(bench.completions).as("seed %d", seed).hasSize(50);
        return bench.completions;
    }
}
