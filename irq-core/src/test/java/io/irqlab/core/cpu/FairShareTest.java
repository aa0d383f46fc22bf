package io.irqlab.core.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fair tasks of equal weight share a CPU by slices of 3 ms, which end at ticks. */
final class FairShareTest {
    private static final long MS = 1_000_000;
    private static final long STEP_NS = MS / 10;

    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    /** Nanoseconds that each hog's steps have begun. */
    private final long[] ranNs = new long[32];

    @Test
    void twoHogsHaveHalfTheCpuEachAtAnyTimeWithinASlice() {
        start(hog(0, STEP_NS), hog(1, STEP_NS));
        for (long timeNs = 0; timeNs <= 1_000 * MS; timeNs += MS / 2) {
            run.until(timeNs);
            assertThat(ranNs[0] - ranNs[1])
                    .as("ahead at %s ns", timeNs)
                    .isBetween(-Task.BASE_SLICE_NS - STEP_NS, Task.BASE_SLICE_NS + STEP_NS);
        }
        assertThat(ranNs[0] + ranNs[1]).isCloseTo(1_000 * MS, within(STEP_NS));
    }

    @Test
    void equalTasksTakeTurnsOfASliceEach() {
        start(hog(0, STEP_NS), hog(1, STEP_NS));
        run.until(5 * Task.BASE_SLICE_NS - 1);

        // At the end of a slice the other one is behind, or level with the same deadline; then who waits comes first.
        assertThat(run.log())
                .containsExactly("0 hog0", "3000000 hog1", "6000000 hog0", "9000000 hog1", "12000000 hog0");
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 7, 20})
    void manyHogsHaveEqualShares(int hogs) {
        start(IntStream.range(0, hogs).mapToObj(i -> hog(i, STEP_NS)).toArray(Task[]::new));
        run.until(hogs * 100L * MS);

        long least = Arrays.stream(ranNs, 0, hogs).min().orElseThrow();
        long most = Arrays.stream(ranNs, 0, hogs).max().orElseThrow();
        assertThat(most - least).isLessThanOrEqualTo(Task.BASE_SLICE_NS + STEP_NS);
        assertThat(least).isCloseTo(100 * MS, within(Task.BASE_SLICE_NS + STEP_NS));
    }

    @Test
    void sharesAreOfTimeNotOfSteps() {
        start(hog(0, 10 * MS), hog(1, STEP_NS));
        run.until(1_000 * MS);

        assertThat(ranNs[0]).isCloseTo(500 * MS, within(10 * MS));
        assertThat(ranNs[1]).isCloseTo(500 * MS, within(10 * MS));
    }

    @Test
    void theTimeOfInterruptsIsNobodysShare() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(400 * MS));
        start(hog(0, STEP_NS), hog(1, STEP_NS));
        run.at(MS, () -> cpu.raise(vector));
        run.until(1_000 * MS);

        assertThat(ranNs[0]).isCloseTo(300 * MS, within(Task.BASE_SLICE_NS + STEP_NS));
        assertThat(ranNs[1]).isCloseTo(300 * MS, within(Task.BASE_SLICE_NS + STEP_NS));
    }

    @Test
    void whoComesLateIsNotPaidForTheTimeBefore() {
        Task late = hog(1, STEP_NS);
        start(hog(0, STEP_NS));
        run.at(500 * MS, () -> start(late));
        run.until(600 * MS);

        assertThat(ranNs[1]).isCloseTo(50 * MS, within(Task.BASE_SLICE_NS + STEP_NS));
    }

    @Test
    void whoSleepsIsNotPaidForIt() {
        Task sleeper = hog(1, STEP_NS);
        Task[] stopping = new Task[1];
        // A hog that runs 10 ms, sleeps until it is woken at 500 ms, and then runs for ever.
        stopping[0] = Task.fair(cpu, "sleeper", on -> {
            if (ranNs[2] == 10 * MS && run.queue.nowNs() < 500 * MS) {
                return Routine.DONE;
            }
            ranNs[2] += STEP_NS;
            return STEP_NS;
        });
        start(sleeper, stopping[0]);
        run.at(500 * MS, () -> stopping[0].wake(cpu));
        run.until(500 * MS);
        long before = ranNs[1];
        run.until(600 * MS);

        assertThat(ranNs[2] - 10 * MS).isCloseTo(50 * MS, within(Task.BASE_SLICE_NS + STEP_NS));
        assertThat(ranNs[1] - before).isCloseTo(50 * MS, within(Task.BASE_SLICE_NS + STEP_NS));
    }

    @Test
    void aTaskThatWakesBehindAHogRunsWhenTheHogsSliceIsOver() {
        Task sleeper = Task.fair(cpu, "sleeper", run.script("sleeper").step(STEP_NS));
        start(hog(0, STEP_NS));
        run.at(1 * MS + 1, () -> sleeper.wake(cpu)); // in the hog's first slice
        run.at(500 * MS + 1, () -> sleeper.wake(cpu)); // its slice is long over
        run.until(1_000 * MS);

        assertThat(run.log())
                .containsExactly(
                        "0 hog0",
                        "3000000 sleeper",
                        "3100000 sleeper done",
                        "500100000 sleeper",
                        "500200000 sleeper done");
    }

    @Test
    void aTaskAloneIsNotSwitchedAway() {
        start(hog(0, STEP_NS));
        run.until(100 * MS);

        assertThat(cpu.contextSwitches()).isEqualTo(1);
    }

    @Test
    void realTimeTasksLeaveFairOnesNothing() {
        start(hog(0, STEP_NS), hog(1, STEP_NS), Task.fifo(cpu, "fifo", 1, on -> STEP_NS));
        run.until(100 * MS);

        assertThat(ranNs[0] + ranNs[1]).isZero();
    }

    private void start(Task... tasks) {
        for (Task task : tasks) {
            task.start();
        }
    }

    /** A task that never sleeps, and notes when it takes over from another. */
    private Task hog(int index, long stepNs) {
        return Task.fair(cpu, "hog" + index, on -> {
            if (lastHog != index) {
                run.note("hog" + index);
                lastHog = index;
            }
            ranNs[index] += stepNs;
            return stepNs;
        });
    }

    private int lastHog = -1;
}
