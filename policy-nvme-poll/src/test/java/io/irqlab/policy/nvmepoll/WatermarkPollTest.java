package io.irqlab.policy.nvmepoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.spi.QueuePolicy;
import io.irqlab.core.spi.QueuePolicy.Next;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watermark polling as its source describes it, one question of the driver at a time. */
final class WatermarkPollTest {
    private final CompletionSource source = mock(CompletionSource.class);
    private final IrqLine line = mock(IrqLine.class);
    private final PolicyCpu cpu = mock(PolicyCpu.class);

    @BeforeEach
    void aQueueOfAControllerWithManyVectors() {
        when(source.line()).thenReturn(line);
        when(source.vectors()).thenReturn(32);
    }

    @Test
    void theHardHandlerDrainsTheQueueAndReturnsBelowTheHighWatermark() {
        QueuePolicy queue = queue(Map.of());
        when(source.backlog()).thenReturn(9);

        assertThat(queue.inHardirq(cpu, -1)).isEqualTo(Next.REAP_ALL);
        assertThat(queue.inHardirq(cpu, 4)).isEqualTo(Next.RETURN);

        verify(line, never()).disable(cpu);
    }

    @Test
    void atTheHighWatermarkItDisablesTheLineAndWakesTheThread() {
        QueuePolicy queue = queue(Map.of());
        when(source.backlog()).thenReturn(10);

        queue.inHardirq(cpu, -1);
        assertThat(queue.inHardirq(cpu, 4)).isEqualTo(Next.WAKE_THREAD);

        verify(line).disable(cpu);
    }

    @Test
    void withOneVectorItNeverPolls() {
        QueuePolicy queue = queue(Map.of());
        when(source.vectors()).thenReturn(1);
        when(source.backlog()).thenReturn(500);

        queue.inHardirq(cpu, -1);
        assertThat(queue.inHardirq(cpu, 4)).isEqualTo(Next.RETURN);

        verify(line, never()).disable(cpu);
    }

    @Test
    void theThreadDrainsSleepsAndLeavesBelowTheLowWatermark() {
        QueuePolicy queue = queue(Map.of());
        when(source.backlog()).thenReturn(3);
        when(source.pending()).thenReturn(true);

        assertThat(queue.inThread(cpu, -1)).isEqualTo(Next.REAP_ALL);
        assertThat(queue.inThread(cpu, 12)).isEqualTo(Next.SLEEP);
        assertThat(queue.sleepMinNs()).isEqualTo(20_000);
        assertThat(queue.sleepMaxNs()).isEqualTo(30_000);

        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.REAP_ALL);
        when(source.backlog()).thenReturn(2);
        verify(line, never()).enable(cpu);
        assertThat(queue.inThread(cpu, 7)).isEqualTo(Next.RETURN);
        verify(line).enable(cpu);
    }

    @Test
    void aPollThatFindsNothingPendingDoesNotReap() {
        QueuePolicy queue = queue(Map.of());
        when(source.backlog()).thenReturn(5);

        assertThat(queue.inThread(cpu, -1)).isEqualTo(Next.SLEEP);
        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.SLEEP);
    }

    @Test
    void afterTheLastSleepItEnablesTheLineWithoutAnotherDrain() {
        QueuePolicy queue = queue(Map.of("adaptive_poll_max_loops", "2"));
        when(source.backlog()).thenReturn(50);
        when(source.pending()).thenReturn(true);

        assertThat(queue.inThread(cpu, -1)).isEqualTo(Next.REAP_ALL);
        assertThat(queue.inThread(cpu, 8)).isEqualTo(Next.SLEEP);
        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.REAP_ALL);
        assertThat(queue.inThread(cpu, 8)).isEqualTo(Next.SLEEP);
        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.RETURN);
        verify(line).enable(cpu);
    }

    @Test
    void everyEpisodeHasAllItsLoops() {
        QueuePolicy queue = queue(Map.of("adaptive_poll_max_loops", "1"));
        when(source.backlog()).thenReturn(50);

        for (int episode = 1; episode <= 3; episode++) {
            assertThat(queue.inThread(cpu, -1)).isEqualTo(Next.SLEEP);
            assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.RETURN);
            verify(line, times(episode)).enable(cpu);
        }
    }

    @Test
    void changedWatermarksHoldAtOnce() {
        var policy = new WatermarkPoll(settings(Map.of()));
        QueuePolicy queue = policy.forQueue(source);
        when(source.backlog()).thenReturn(7);
        assertThat(queue.inHardirq(cpu, 1)).isEqualTo(Next.RETURN);

        policy.settingsChanged(
                settings(Map.of("adaptive_poll_start_pending", "7", "adaptive_poll_stop_pending", "6")), cpu);
        assertThat(queue.inHardirq(cpu, 1)).isEqualTo(Next.WAKE_THREAD);
        assertThat(queue.inThread(cpu, -1)).isEqualTo(Next.SLEEP);

        policy.settingsChanged(
                settings(Map.of("adaptive_poll_start_pending", "9", "adaptive_poll_stop_pending", "8")), cpu);
        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.RETURN);
        verify(line).enable(cpu);
    }

    @Test
    void anEpisodeKeepsTheLoopsAndTheSleepWithWhichItBegan() {
        var policy = new WatermarkPoll(settings(Map.of("adaptive_poll_max_loops", "2")));
        QueuePolicy queue = policy.forQueue(source);
        when(source.backlog()).thenReturn(50);
        assertThat(queue.inThread(cpu, -1)).isEqualTo(Next.SLEEP);

        policy.settingsChanged(
                settings(Map.of(
                        "adaptive_poll_max_loops", "1",
                        "adaptive_poll_sleep_min_us", "5",
                        "adaptive_poll_sleep_max_us", "9")),
                cpu);
        assertThat(queue.inThread(cpu, 0)).as("the second of two sleeps").isEqualTo(Next.SLEEP);
        assertThat(queue.sleepMinNs()).isEqualTo(20_000);
        assertThat(queue.sleepMaxNs()).isEqualTo(30_000);
        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.RETURN);

        assertThat(queue.inThread(cpu, -1)).as("the next episode").isEqualTo(Next.SLEEP);
        assertThat(queue.sleepMinNs()).isEqualTo(5_000);
        assertThat(queue.sleepMaxNs()).isEqualTo(9_000);
        assertThat(queue.inThread(cpu, 0)).isEqualTo(Next.RETURN);
    }

    @Test
    void itsCountersCountEpisodesAndPolls() {
        var policy = new WatermarkPoll(settings(Map.of()));
        QueuePolicy queue = policy.forQueue(source);
        when(source.backlog()).thenReturn(50);

        queue.inHardirq(cpu, 1);
        queue.inThread(cpu, -1);
        queue.inThread(cpu, 0);

        assertThat(policy.counters()).containsEntry("episodes", 1L).containsEntry("polls", 2L);
    }

    @Test
    void parametersAreCheckedTogetherSoThatTwoCanChangeAtOnce() {
        PolicyRegistry registry = PolicyRegistry.of(List.of(new WatermarkPollProvider()));

        PolicyStack.parse("nvme-watermark-poll:adaptive_poll_start_pending=2,adaptive_poll_stop_pending=1", registry);
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse("nvme-watermark-poll:adaptive_poll_start_pending=2", registry))
                .withMessage(
                        "nvme-watermark-poll: adaptive_poll_start_pending=2 is below adaptive_poll_stop_pending=3; "
                                + "expected at least that");
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse("nvme-watermark-poll:adaptive_poll_sleep_min_us=31", registry))
                .withMessage(
                        "nvme-watermark-poll: adaptive_poll_sleep_min_us=31 is above adaptive_poll_sleep_max_us=30; "
                                + "expected at most that");
    }

    private QueuePolicy queue(Map<String, String> written) {
        return new WatermarkPoll(settings(written)).forQueue(source);
    }

    private static PolicySettings settings(Map<String, String> written) {
        return PolicySettings.check("nvme-watermark-poll", new WatermarkPollProvider().parameters(), written);
    }
}
