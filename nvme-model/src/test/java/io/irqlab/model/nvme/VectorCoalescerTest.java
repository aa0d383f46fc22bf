package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class VectorCoalescerTest {
    private static final InterruptCoalescing FOUR_OR_100_US = new InterruptCoalescing(4, 100_000);

    private final EventQueue queue = new EventQueue();
    private final List<Long> timeouts = new ArrayList<>();
    private final VectorCoalescer coalescer = new VectorCoalescer(queue, 7, index -> {
        assertThat(index).isEqualTo(7);
        timeouts.add(queue.nowNs());
    });

    private boolean completionAt(long timeNs, InterruptCoalescing setting) {
        queue.runUntil(timeNs);
        return coalescer.onCompletion(setting);
    }

    private boolean completionAt(long timeNs) {
        return completionAt(timeNs, FOUR_OR_100_US);
    }

    @Test
    void theThresholdFiresAndCountsAnew() {
        for (int round = 0; round < 3; round++) {
            assertThat(completionAt(round * 100 + 10)).isFalse();
            assertThat(completionAt(round * 100 + 20)).isFalse();
            assertThat(completionAt(round * 100 + 30)).isFalse();
            assertThat(completionAt(round * 100 + 40)).isTrue();
        }
        queue.runUntil(10_000_000);

        assertThat(timeouts).isEmpty();
    }

    @Test
    void theTimeRunsFromTheFirstCompletionThatIsNotAnnounced() {
        completionAt(5_000);
        completionAt(80_000);
        queue.runUntil(104_999);
        assertThat(timeouts).isEmpty();

        queue.runUntil(10_000_000);
        assertThat(timeouts).containsExactly(105_000L);
    }

    @Test
    void afterTheTimeTheCountBeginsAnew() {
        completionAt(0);
        completionAt(0);
        completionAt(0);
        queue.runUntil(100_000);

        assertThat(completionAt(200_000)).isFalse();
        assertThat(completionAt(200_000)).isFalse();
        assertThat(completionAt(200_000)).isFalse();
        assertThat(completionAt(200_000)).isTrue();
    }

    @Test
    void anAnnouncementByTheThresholdStartsTheTimeAnewWithTheNextCompletion() {
        for (int completion = 0; completion < 4; completion++) {
            completionAt(10_000);
        }
        completionAt(60_000);
        queue.runUntil(159_999);
        assertThat(timeouts)
                .as("the timer of the first batch must not announce the second")
                .isEmpty();

        queue.runUntil(10_000_000);
        assertThat(timeouts).containsExactly(160_000L);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 100000", "4, 0"})
    void withEitherFieldOfTheRegisterZeroEveryCompletionIsAnnounced(int threshold, long timeNs) {
        var off = new InterruptCoalescing(threshold, timeNs);
        for (int completion = 0; completion < 10; completion++) {
            assertThat(completionAt(completion * 10L, off)).isTrue();
        }
        queue.runUntil(10_000_000);

        assertThat(timeouts).isEmpty();
    }

    @Test
    void aFlushTellsOnceWhetherSomethingWaited() {
        assertThat(coalescer.flush()).isFalse();
        completionAt(0);
        completionAt(1);
        assertThat(coalescer.flush()).isTrue();
        assertThat(coalescer.flush()).isFalse();
        queue.runUntil(10_000_000);

        assertThat(timeouts).isEmpty();
    }

    @Test
    void aLongerTimeThatWasSetMeanwhileIsWaitedFor() {
        completionAt(0);
        coalescer.flush();
        completionAt(50_000, new InterruptCoalescing(4, 300_000));
        queue.runUntil(10_000_000);

        assertThat(timeouts).containsExactly(350_000L);
    }

    @Test
    void aShorterTimeThatWasSetMeanwhileDoesNotWaitForTheTimerOfTheLongerOne() {
        completionAt(0, new InterruptCoalescing(4, 25_500_000));
        coalescer.flush();
        completionAt(10_000, new InterruptCoalescing(4, 100_000));
        queue.runUntil(100_000_000);

        assertThat(timeouts).containsExactly(110_000L);
    }

    /** Whatever comes, no completion waits longer than the time of the setting under which it came. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noCompletionIsLeftUnannounced(long seed) {
        RandomStream random = RandomStream.of(seed, "vector-coalescer-test");
        var setting = new InterruptCoalescing(5, 200_000);
        var firstWaitingNs = Long.MAX_VALUE;
        int waiting = 0;
        for (int step = 0; step < 20_000; step++) {
            int timeoutsBefore = timeouts.size();
            queue.runUntil(queue.nowNs() + random.nextInt(60_000));
            if (timeouts.size() > timeoutsBefore) {
                assertThat(timeouts).as("seed %d, step %d", seed, step).hasSize(timeoutsBefore + 1);
                assertThat(timeouts.get(timeoutsBefore))
                        .as("seed %d, step %d: the time of %s", seed, step, setting)
                        .isEqualTo(firstWaitingNs + setting.timeNs());
                waiting = 0;
            }
            assertThat(waiting > 0 && queue.nowNs() >= firstWaitingNs + setting.timeNs())
                    .as("seed %d, step %d: %d completions are overdue", seed, step, waiting)
                    .isFalse();
            if (random.nextInt(50) == 0) {
                assertThat(coalescer.flush())
                        .as("seed %d, step %d: flush", seed, step)
                        .isEqualTo(waiting > 0);
                waiting = 0;
                setting = new InterruptCoalescing(1 + random.nextInt(8), random.nextInt(4) * 100_000L);
            } else {
                firstWaitingNs = waiting == 0 ? queue.nowNs() : firstWaitingNs;
                boolean announced = coalescer.onCompletion(setting);
                waiting++;
                assertThat(announced)
                        .as("seed %d, step %d: %s with %d waiting", seed, step, setting, waiting)
                        .isEqualTo(!setting.on() || waiting == setting.threshold());
                waiting = announced ? 0 : waiting;
            }
        }
    }
}
