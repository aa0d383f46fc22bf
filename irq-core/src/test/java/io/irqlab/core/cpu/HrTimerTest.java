package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HrTimerTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());

    @Test
    void aTimerAloneExpiresAtTheEndOfItsWindow() {
        HrTimer timer = timer("timer");
        run.at(1_000, () -> timer.arm(cpu, 300, 200));
        run.until(1_499);
        assertThat(timer.queued()).isTrue();
        run.until(10_000);

        assertThat(timer.queued()).isFalse();
        assertThat(run.log()).containsExactly("1500 timer");
    }

    @Test
    void timersShareAnInterruptThatFallsIntoAllTheirWindows() {
        HrTimer first = timer("first");
        HrTimer second = timer("second");
        HrTimer third = timer("third");
        run.at(0, () -> {
            third.arm(cpu, 1_000, 2_000);
            second.arm(cpu, 900, 1_000);
            first.arm(cpu, 1_000, 0);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("1000 first", "1000 second", "1000 third");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
    }

    @Test
    void aWindowThatHasNotBegunHasAnInterruptOfItsOwn() {
        HrTimer first = timer("first");
        HrTimer second = timer("second");
        run.at(0, () -> {
            first.arm(cpu, 1_000, 0);
            second.arm(cpu, 1_001, 500);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("1000 first", "1501 second");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(2);
    }

    @Test
    void expiryStopsAtTheFirstWindowThatHasNotBegunAsInTheKernel() {
        HrTimer first = timer("first");
        HrTimer notYet = timer("not yet");
        HrTimer behind = timer("behind");
        run.at(0, () -> {
            first.arm(cpu, 1_000, 0);
            notYet.arm(cpu, 1_200, 0);
            behind.arm(cpu, 500, 2_000);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("1000 first", "1200 not yet", "1200 behind");
    }

    @Test
    void timersOfOneTimeExpireInTheOrderInWhichTheyWereArmed() {
        HrTimer a = timer("a");
        HrTimer b = timer("b");
        HrTimer c = timer("c");
        run.at(0, () -> {
            b.arm(cpu, 100, 0);
            c.arm(cpu, 100, 0);
            a.arm(cpu, 100, 0);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("100 b", "100 c", "100 a");
    }

    @Test
    void armingAgainMovesTheOneExpiry() {
        HrTimer later = timer("later");
        HrTimer earlier = timer("earlier");
        run.at(0, () -> {
            later.arm(cpu, 100, 0);
            earlier.arm(cpu, 5_000, 0);
        });
        run.at(50, () -> {
            later.arm(cpu, 950, 0);
            earlier.arm(cpu, 50, 0);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("100 earlier", "1000 later");
    }

    @Test
    void aCancelledTimerDoesNotExpireThoughItsInterruptMayCome() {
        HrTimer cancelled = timer("cancelled");
        HrTimer kept = timer("kept");
        run.at(0, () -> {
            cancelled.arm(cpu, 100, 0);
            kept.arm(cpu, 200, 0);
        });
        run.at(50, cancelled::cancel);
        run.at(60, cancelled::cancel);
        run.until(150);
        assertThat(cancelled.queued()).isFalse();
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
        run.until(10_000);

        assertThat(run.log()).containsExactly("200 kept");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(2);
    }

    @Test
    void anyOfSeveralTimersCanBeCancelled() {
        for (int cancelled = 0; cancelled < 8; cancelled++) {
            var timeline = new Timeline();
            var other = new Cpu(0, timeline.queue, TestCosts.free());
            List<HrTimer> timers = new ArrayList<>();
            List<Integer> expired = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int index = i;
                timers.add(new HrTimer(other, on -> expired.add(index)));
            }
            timeline.at(0, () -> timers.forEach(timer -> timer.arm(other, 100, 0)));
            timeline.at(50, timers.get(cancelled)::cancel);
            timeline.until(1_000);

            assertThat(expired).hasSize(7).isSorted().doesNotContain(cancelled);
        }
    }

    @Test
    void theOnlyTimerCanBeCancelledAndArmedAnew() {
        HrTimer timer = timer("timer");
        run.at(0, () -> timer.arm(cpu, 100, 0));
        run.at(50, timer::cancel);
        run.at(500, () -> timer.arm(cpu, 100, 0));
        run.until(10_000);

        assertThat(run.log()).containsExactly("600 timer");
    }

    @Test
    void aCallbackMayArmItsOwnTimerAgain() {
        HrTimer[] periodic = new HrTimer[1];
        periodic[0] = new HrTimer(cpu, on -> {
            run.note("queued " + periodic[0].queued());
            periodic[0].arm(on, 1_000, 0);
        });
        run.at(0, () -> periodic[0].arm(cpu, 1_000, 0));
        run.until(3_500);

        assertThat(run.log()).containsExactly("1000 queued false", "2000 queued false", "3000 queued false");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(3);
    }

    @Test
    void aCallbackMayArmAndCancelOtherTimers() {
        HrTimer cancelled = timer("cancelled");
        HrTimer armed = timer("armed");
        HrTimer timer = new HrTimer(cpu, on -> {
            run.note("timer");
            cancelled.cancel();
            armed.arm(on, 0, 0);
        });
        run.at(0, () -> {
            timer.arm(cpu, 100, 0);
            cancelled.arm(cpu, 100, 0);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("100 timer", "100 armed");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
    }

    @Test
    void expiryIsAHardirqThatCostsTimeForEachCallbackAndForProgrammingTheNext() {
        Cpu costly =
                new Cpu(1, run.queue, costs().hardirq(300, 200).timer(50, 90).build());
        HrTimer first = new HrTimer(costly, on -> run.note("first"));
        HrTimer second = new HrTimer(costly, on -> {
            run.note("second");
            on.spend(1_000);
        });
        HrTimer third = new HrTimer(costly, on -> run.note("third"));
        HrTimer fourth = new HrTimer(costly, on -> run.note("fourth"));
        Vector vector = costly.allocateVector("irq", run.script("irq").step(0, on -> {
            second.arm(on, 10_000, 2_000); // the first: 50 ns
            third.arm(on, 12_000, 2_000); // not the first: free
            first.arm(on, 11_000, 0); // the first: 50 ns
            fourth.arm(on, 50_000, 0);
        }));
        run.at(0, () -> costly.raise(vector));
        run.until(100_000);

        // Armed at 300. Taken at 11300, entered at 11600. The third's window has begun when the second's callback is
        // over.
        assertThat(run.log())
                .containsExactly(
                        "300 irq", "400 irq done", "11600 first", "11690 second", "12780 third", "50600 fourth");
        assertThat(costly.times().hardirqNs())
                .isEqualTo((300 + 100 + 200) + (300 + 3 * 90 + 1_000 + 50 + 200) + (300 + 90 + 200));
        assertThat(costly.hardirqs(Vector.Source.TIMER)).isEqualTo(2);
    }

    @Test
    void programmingIsPaidForOnceWhateverTheCallbacksArm() {
        Cpu costly = new Cpu(1, run.queue, costs().timer(50, 90).build());
        HrTimer[] timers = new HrTimer[3];
        timers[0] = new HrTimer(costly, on -> {
            timers[2].arm(on, 5_000, 0);
            timers[1].arm(on, 4_000, 0);
            timers[0].arm(on, 3_000, 0);
        });
        timers[1] = new HrTimer(costly, on -> run.note("timer 1"));
        timers[2] = new HrTimer(costly, on -> run.note("timer 2"));
        Vector vector = costly.allocateVector("irq", run.script("irq").end(on -> timers[0].arm(on, 1_000, 0)));
        run.at(0, () -> costly.raise(vector));
        run.until(2_000);

        assertThat(costly.times().hardirqNs()).isEqualTo(50 + (90 + 50));
    }

    @Test
    void manyTimersExpireInOrderEachInItsWindow() {
        long seed = 20_261;
        RandomStream random = RandomStream.of(seed, "timers");
        record Expiry(int timer, long softNs, long hardNs, long atNs) {}
        var expiries = new ArrayList<Expiry>();
        List<HrTimer> timers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int index = i;
            HrTimer timer = new HrTimer(cpu, on -> {
                HrTimer self = timers.get(index);
                expiries.add(new Expiry(index, self.softExpiryNs, self.hardExpiryNs, run.queue.nowNs()));
            });
            timers.add(timer);
            run.at(random.nextInt(100), () -> timer.arm(cpu, random.nextInt(5_000), random.nextInt(500)));
        }
        run.until(10_000);

        assertThat(expiries).as("seed %s", seed).hasSize(100);
        assertThat(expiries).as("seed %s", seed).isSortedAccordingTo(Comparator.comparing(Expiry::hardNs));
        assertThat(expiries)
                .as("seed %s", seed)
                .allSatisfy(expiry -> assertThat(expiry.atNs()).isBetween(expiry.softNs(), expiry.hardNs()));
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).as("seed %s", seed).isLessThan(70);
    }

    @Test
    void aTimerIsArmedByItsOwnCpuAlone() {
        Cpu other = new Cpu(1, run.queue, TestCosts.free());
        HrTimer timer = timer("timer");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.arm(other, 100, 0))
                .withMessage("a timer pinned to cpu0 was armed on cpu1");
        assertThat(timer.queued()).isFalse();
    }

    @Test
    void delayAndSlackAreNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer("timer").arm(cpu, -1, 0))
                .withMessage("delay -1 ns and slack 0 ns must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer("timer").arm(cpu, 5, -2))
                .withMessage("delay 5 ns and slack -2 ns must not be negative");
    }

    private HrTimer timer(String name) {
        return new HrTimer(cpu, on -> run.note(name));
    }
}
