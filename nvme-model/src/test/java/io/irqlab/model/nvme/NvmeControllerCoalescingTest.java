package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.model.pcie.PcieLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Feature 08h at work in a controller. */
final class NvmeControllerCoalescingTest {
    private static final long TIME_NS = 100_000;

    private final ControllerBench bench = new ControllerBench();

    private void set(int threshold, long timeNs) {
        bench.controller().setInterruptCoalescing(new InterruptCoalescing(threshold, timeNs));
        bench.queue.runUntil(bench.queue.nowNs() + bench.setFeaturesNs);
    }

    /** Link and root complex time of a message that goes alone. */
    private long bareMessageNs() {
        return bench.link.transferNs(PcieLink.TLP_OVERHEAD_BYTES) + bench.msiNs;
    }

    @Test
    void itIsOffAfterAReset() {
        assertThat(bench.controller().interruptCoalescing()).isEqualTo(InterruptCoalescing.OFF);
        bench.submit(0, 0, 10);
        bench.queue.runUntil(1_000_000);

        assertThat(bench.messages).hasSize(10);
    }

    @Test
    void aSettingIsInForceWhenItsCommandIsComplete() {
        bench.controller().setInterruptCoalescing(new InterruptCoalescing(4, TIME_NS));
        bench.queue.runUntil(bench.setFeaturesNs - 1);
        assertThat(bench.controller().interruptCoalescing()).isEqualTo(InterruptCoalescing.OFF);

        bench.queue.runUntil(bench.setFeaturesNs);
        assertThat(bench.controller().interruptCoalescing()).isEqualTo(new InterruptCoalescing(4, TIME_NS));
    }

    @Test
    void aSettingGivenMeanwhileFollowsTheOneUnderWay() {
        bench.controller().setInterruptCoalescing(new InterruptCoalescing(4, TIME_NS));
        bench.controller().setInterruptCoalescing(new InterruptCoalescing(8, TIME_NS));

        bench.queue.runUntil(2 * bench.setFeaturesNs - 1);
        assertThat(bench.controller().interruptCoalescing()).isEqualTo(new InterruptCoalescing(4, TIME_NS));
        bench.queue.runUntil(2 * bench.setFeaturesNs);
        assertThat(bench.controller().interruptCoalescing()).isEqualTo(new InterruptCoalescing(8, TIME_NS));
    }

    @Test
    void theThresholdGathersCompletionsIntoOneMessage() {
        set(4, TIME_NS);
        bench.submit(0, 0, 12);
        bench.queue.runUntil(2_000_000);

        assertThat(bench.messages).hasSize(3);
        assertThat(bench.completions).hasSize(12);
        assertThat(bench.controller().msis()).isEqualTo(3);
    }

    @Test
    void atDepthOneTheLatencyIsLongerByTheTimer() {
        long aloneNs = bench.unloadedNs();
        set(8, TIME_NS);
        long startNs = bench.queue.nowNs();
        bench.submit(0, 0, 1);
        bench.queue.runUntil(2_000_000);

        // The timer runs from the moment at which the root complex takes the completion.
        long timerStartNs = startNs + aloneNs - bench.dmaNs - bench.msiNs;
        assertThat(bench.timesOfMessages()).containsExactly(timerStartNs + TIME_NS + bareMessageNs());
    }

    @Test
    void aRemainderBelowTheThresholdIsAnnouncedByTheTimer() {
        set(4, TIME_NS);
        bench.submit(0, 0, 6);
        bench.queue.runUntil(2_000_000);

        assertThat(bench.messages).hasSize(2);
        assertThat(bench.commandIds()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(bench.timesOfMessages().get(1) - bench.timesOfMessages().get(0))
                .as("from the fifth completion on")
                .isBetween(TIME_NS, TIME_NS + 2_000);
    }

    @ParameterizedTest
    @CsvSource({"1, 100000", "8, 0"})
    void aZeroInEitherFieldOfTheRegisterSwitchesItOff(int threshold, long timeNs) {
        set(4, TIME_NS);
        set(threshold, timeNs);
        bench.submit(0, 0, 3);
        bench.queue.runUntil(2_000_000);

        assertThat(bench.messages).hasSize(3);
    }

    @Test
    void everyVectorGathersItsOwn() {
        bench.queues = 2;
        set(3, TIME_NS);
        bench.submit(0, 0, 2);
        bench.submit(1, 0, 3);
        bench.queue.runUntil(50_000);
        assertThat(bench.messages.stream().map(ControllerBench.Message::queue)).containsExactly(1);

        bench.queue.runUntil(2_000_000);
        assertThat(bench.messages.stream().map(ControllerBench.Message::queue)).containsExactly(1, 0);
    }

    @Test
    void aChangeInMidRunAnnouncesWhatWaits() {
        bench.queues = 2;
        set(8, 25_500_000);
        bench.submit(0, 0, 3);
        bench.queue.runUntil(1_000_000);
        assertThat(bench.messages).isEmpty();

        set(16, 25_500_000);
        bench.queue.runUntil(1_100_000);
        assertThat(bench.messages.stream().map(ControllerBench.Message::queue)).containsExactly(0);
        assertThat(bench.completions).hasSize(3);
    }

    @Test
    void switchingItOffInMidRunLeavesNothingBehind() {
        set(8, 25_500_000);
        bench.submit(0, 0, 3);
        bench.queue.runUntil(15_000); // between the completions
        set(1, 0);
        bench.queue.runUntil(1_000_000);

        assertThat(bench.commandIds()).containsExactly(0, 1, 2);
    }

    @Test
    void aMaskedVectorKeepsTheMessageOfTheTimerPending() {
        set(8, TIME_NS);
        var vector = bench.controller().queues().get(0).vector();
        vector.mask(bench.cpu);
        bench.submit(0, 0, 2);
        bench.queue.runUntil(1_000_000);
        assertThat(bench.messages).isEmpty();
        assertThat(vector.pending()).isTrue();

        vector.unmask(bench.cpu);
        bench.queue.runUntil(2_000_000);
        assertThat(bench.messages).hasSize(1);
        assertThat(bench.completions).hasSize(2);
    }

    // ---- what a change costs

    @Test
    void aChangeStallsTheDriveForItsTime() {
        bench.featureStallNs = 5_000_000;
        set(2, TIME_NS);
        long stalledUntilNs = bench.queue.nowNs() + 5_000_000;
        bench.submit(0, 0, 2);
        bench.queue.runUntil(stalledUntilNs + bench.unloadedNs() - bench.fetchNs - 1);
        assertThat(bench.completions).isEmpty();

        bench.queue.runUntil(20_000_000);
        assertThat(bench.completions).hasSize(2);
        assertThat(bench.timesOfMessages())
                .containsExactly(stalledUntilNs + bench.unloadedNs() - bench.fetchNs + 1_000);
    }

    @Test
    void commandsThatTheMediaServesAlreadyAreNotStalled() {
        bench.featureStallNs = 5_000_000;
        bench.submit(0, 0, 1);
        bench.queue.runUntil(5_000); // in the media
        set(1, TIME_NS);
        bench.queue.runUntil(1_000_000);

        assertThat(bench.completions).hasSize(1);
    }

    @Test
    void theValueThatIsInForceAlreadyStallsNothing() {
        bench.featureStallNs = 5_000_000;
        bench.controller().setInterruptCoalescing(InterruptCoalescing.OFF);
        bench.queue.runUntil(bench.setFeaturesNs);
        bench.submit(0, 0, 1);
        bench.queue.runUntil(1_000_000);

        assertThat(bench.completions).hasSize(1);
    }
}
