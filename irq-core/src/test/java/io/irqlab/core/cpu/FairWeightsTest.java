package io.irqlab.core.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights, slices and lag of fair tasks: earliest eligible virtual deadline first. */
final class FairWeightsTest {
    private static final long MS = 1_000_000;
    private static final long STEP_NS = MS / 10;

    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final long[] ranNs = new long[8];
    private int last = -1;

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 5", "-5, 5", "-20, 0", "0, 19", "-20, 19", "10, 10"})
    void atAnyTimeATasksLagIsAtMostASliceAndATick(int nice, int otherNice) {
        Task one = hog(0, nice);
        Task two = hog(1, otherNice);
        one.start();
        two.start();
        double share = (double) one.weight / (one.weight + two.weight);
        for (long timeNs = 0; timeNs <= 2_000 * MS; timeNs += MS / 2) {
            run.until(timeNs);
            assertThat(ranNs[0] - share * timeNs).as("lag at %s ns", timeNs).isCloseTo(0.0, within((double)
                    (Task.BASE_SLICE_NS + Tick.PERIOD_NS + STEP_NS)));
        }
    }

    @Test
    void eachStepOfNiceIsAQuarterOfWeight() {
        assertThat(Task.fair(cpu, "task", 0, on -> 1).weight).isEqualTo(1024);
        assertThat(Task.fair(cpu, "task", 1, on -> 1).weight).isEqualTo(819); // 1024 / 1.25 = 819.2
        assertThat(Task.fair(cpu, "task", -1, on -> 1).weight).isEqualTo(1280);
        assertThat(Task.fair(cpu, "task", 5, on -> 1).weight).isEqualTo(336); // 1024 / 3.0518 = 335.5
        assertThat(Task.fair(cpu, "task", -2, on -> 1).weight).isEqualTo(1600);
    }

    @Test
    void niceIsMinus20To19() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Task.fair(cpu, "task", -21, on -> 1))
                .withMessage("nice must be -20 to 19, was -21");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Task.fair(cpu, "task", 20, on -> 1))
                .withMessage("nice must be -20 to 19, was 20");
    }

    @Test
    void virtualTimeIsExactInPieces() {
        Task whole = Task.fair(cpu, "whole", 7, on -> 1);
        Task pieces = Task.fair(cpu, "pieces", 7, on -> 1);
        whole.ran(1_000_003);
        for (int i = 0; i < 1_000_003; i += 7) {
            pieces.ran(Math.min(7, 1_000_003 - i));
        }

        assertThat(pieces.vruntimeNs).isEqualTo(whole.vruntimeNs);
        assertThat(whole.vruntimeNs).isEqualTo(1_000_003L * 1_024 / whole.weight);
    }

    @Test
    void anEqualTaskThatWakesDoesNotPreemptWithinASlice() {
        hog(0, 0).start();
        run.at(MS, () -> hog(1, 0).start());
        run.until(10 * MS);

        // The newcomer is placed at the mean, 1 ms, with its deadline at 4 ms. At 3 ms the first's slice ends: 3 ms
        // against 1 ms, so the newcomer runs a slice, to 4 ms, and then the first is behind.
        assertThat(run.log()).containsExactly("0 hog0", "3000000 hog1", "6000000 hog0", "9000000 hog1");
    }

    @Test
    void aTaskWithAShorterSlicePreemptsWhenItWakes() {
        hog(0, 0).start();
        Task quick = Task.fair(cpu, "quick", run.script("quick").step(STEP_NS));
        quick.setSliceNs(MS / 2);
        run.at(1_050_000, quick::start);
        run.until(20 * MS);

        assertThat(run.log()).containsExactly("0 hog0", "1050000 quick", "1150000 quick done");
    }

    @Test
    void butNotIfItIsAheadOfItsShare() {
        hog(0, 0).start();
        Task[] quick = new Task[1];
        long[] steps = {0};
        quick[0] = Task.fair(cpu, "quick", on -> {
            run.note("quick");
            return steps[0]++ % 2 == 0 ? MS : Routine.DONE;
        });
        quick[0].setSliceNs(MS / 2);
        run.at(1_500_000, quick[0]::start);
        run.at(2_600_000, () -> quick[0].wake(cpu));
        run.at(2_600_000, () -> cpu.raise(cpu.allocateVector("irq", on -> Routine.DONE)));
        run.until(6 * MS);

        // It starts level, at 1.5 ms. At the tick of 2 ms its slice is over and it is ahead, so it waits, until the
        // hog's
        // slice ends at 4 ms with 3.5 ms against 2.0 ms; the wake-up in between is no reason to preempt.
        assertThat(run.log()).containsExactly("0 hog0", "1500000 quick", "4500000 quick");
    }

    @ParameterizedTest
    @ValueSource(longs = {100_000, 700_000, 3_000_000, 20_000_000})
    void aSliceChangesHowOftenATaskRunsAndNotHowMuch(long sliceNs) {
        Task one = hog(0, 0);
        one.setSliceNs(sliceNs);
        one.start();
        hog(1, 0).start();
        run.until(4_000 * MS);

        assertThat(ranNs[0]).isCloseTo(2_000 * MS, within(Math.max(sliceNs, Task.BASE_SLICE_NS) + MS + STEP_NS));
    }

    @Test
    void aSliceIs100MicrosecondsTo100Milliseconds() {
        Task task = hog(0, 0);
        task.setSliceNs(100_000);
        task.setSliceNs(100_000_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.setSliceNs(99_999))
                .withMessage("a slice must be 100000 to 100000000 ns, was 99999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.setSliceNs(100_000_001))
                .withMessage("a slice must be 100000 to 100000000 ns, was 100000001");
    }

    @Test
    void lagIsKeptOverSleep() {
        var queue = new FairQueue();
        Task sleeper = Task.fair(cpu, "sleeper", on -> 1);
        Task other = Task.fair(cpu, "other", on -> 1);
        Task third = Task.fair(cpu, "third", 3, on -> 1);
        queue.place(sleeper, null);
        queue.add(sleeper);
        queue.place(other, null);
        queue.add(other);
        queue.place(third, null);
        queue.add(third);
        other.ran(3 * MS);
        // Weights 1024, 1024 and 524: the mean is at 3 ms * 1024 / 2572.
        long owed = 3 * MS * 1_024 / 2_572;
        queue.leave(sleeper, null);
        queue.remove(sleeper);
        assertThat(sleeper.lagNs).isEqualTo(owed);
        other.ran(50 * MS);
        third.ran(20 * MS);
        queue.place(sleeper, null);
        queue.add(sleeper);
        queue.leave(sleeper, null);

        assertThat(sleeper.lagNs).isCloseTo(owed, within(3L));
    }

    @Test
    void aDebtIsWorkedOffAsTheOthersRun() {
        var queue = new FairQueue();
        Task sleeper = Task.fair(cpu, "sleeper", on -> 1);
        Task other = Task.fair(cpu, "other", on -> 1);
        queue.place(sleeper, null);
        queue.add(sleeper);
        queue.place(other, null);
        queue.add(other);
        sleeper.ran(4 * MS);
        queue.leave(sleeper, null);
        queue.remove(sleeper);
        assertThat(sleeper.lagNs).isEqualTo(-2 * MS);
        assertThat(sleeper.leftAtNs).isEqualTo(2 * MS);
        // Virtual time, at 2 ms when it left, is where the other is now: 3 ms, so 1 ms of the debt is left, and it lies
        // 2 ms
        // ahead so that the mean of both, 4 ms, lies 1 ms behind it.
        other.ran(3 * MS);
        queue.place(sleeper, null);
        assertThat(sleeper.vruntimeNs).isEqualTo(5 * MS);
        // 10 ms later nothing is left.
        other.ran(10 * MS);
        queue.place(sleeper, null);
        assertThat(sleeper.vruntimeNs).isEqualTo(13 * MS);
    }

    @Test
    void aTaskThatSleepsOftenHasNoMoreThanItsShare() {
        hog(0, 0).start();
        Task[] sleeper = new Task[1];
        boolean[] slept = {false};
        sleeper[0] = Task.fair(cpu, "sleeper", on -> {
            slept[0] = !slept[0];
            if (slept[0]) {
                ranNs[1] += 2 * MS;
                return 2 * MS;
            }
            sleeper[0].sleepRange(100_000, 100_000);
            return Routine.DONE;
        });
        sleeper[0].start();
        run.until(2_000 * MS);

        assertThat(ranNs[1]).isLessThanOrEqualTo(1_000 * MS + 5 * MS);
        assertThat(ranNs[0] + ranNs[1]).isCloseTo(2_000 * MS, within(3 * MS));
    }

    @Test
    void aYieldForgoesTheRestOfTheSlice() {
        Task[] polite = new Task[1];
        int[] steps = {0};
        polite[0] = Task.fair(cpu, "polite", on -> {
            run.note("polite");
            if (steps[0]++ == 0) {
                polite[0].yieldCpu();
            }
            return 10 * MS;
        });
        polite[0].start();
        hog(1, 0).start();
        run.until(3 * MS - 1);
        assertThat(cpu.contextSwitches()).isEqualTo(2);
        run.until(3 * MS);
        assertThat(cpu.contextSwitches()).isEqualTo(3);
        run.until(6 * MS);
        assertThat(cpu.contextSwitches()).isEqualTo(4);

        // It yields before its step's time passes, which puts it at 3 ms with a deadline of 6 ms. The other runs from 0
        // to
        // 3 ms, and is then level with the same deadline: who waits comes first.
        assertThat(run.log()).containsExactly("0 polite", "0 hog1");
    }

    @Test
    void aYieldAloneOnTheCpuDoesNothing() {
        Task[] polite = new Task[1];
        polite[0] = Task.fair(cpu, "polite", on -> {
            polite[0].yieldCpu();
            return STEP_NS;
        });
        polite[0].start();
        run.until(10 * MS);

        assertThat(cpu.contextSwitches()).isEqualTo(1);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 10 * MS, 0, 0));
    }

    @Test
    void aRemoteWakeUpSeesWhatTheRunningTaskHasHadWhetherOrNotSomebodyLooked() {
        for (boolean observed : new boolean[] {false, true}) {
            var timeline = new Timeline();
            var busy = new Cpu(0, timeline.queue, TestCosts.free());
            var other = new Cpu(1, timeline.queue, TestCosts.free());
            Task.fair(busy, "hog", on -> 100 * MS).start();
            Task woken = Task.fair(busy, "woken", on -> 100 * MS);
            timeline.at(500_000, () -> woken.wake(other));
            if (observed) {
                timeline.at(499_999, busy::times);
            }
            timeline.until(600_000);

            assertThat(woken.vruntimeNs).as("observed: %s", observed).isEqualTo(500_000);
        }
    }

    @Test
    void nothingOverflowsWhenTheLightestTaskHasRunAloneForADay() {
        var queue = new FairQueue();
        Task light = Task.fair(cpu, "light", 19, on -> 1);
        queue.place(light, null);
        light.ran(86_400_000 * MS);
        Task[] heavy = new Task[20];
        for (int i = 0; i < heavy.length; i++) {
            heavy[i] = Task.fair(cpu, "heavy", -20, on -> 1);
            queue.place(heavy[i], light);
            queue.add(heavy[i]);
            assertThat(heavy[i].vruntimeNs).isEqualTo(light.vruntimeNs);
        }
        // The longest slice and a tick more are the furthest that a task can get ahead of others.
        light.ran(101 * MS);
        assertThat(queue.pick(light, true)).isSameAs(heavy[0]);
    }

    private Task hog(int index, int nice) {
        return Task.fair(cpu, "hog" + index, nice, on -> {
            if (last != index) {
                run.note("hog" + index);
                last = index;
            }
            ranNs[index] += STEP_NS;
            return STEP_NS;
        });
    }
}
