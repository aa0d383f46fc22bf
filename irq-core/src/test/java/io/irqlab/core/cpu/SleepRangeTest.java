package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** {@code usleep_range} as a task's sleep. */
final class SleepRangeTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final Task task = sleeperOf(cpu, 50_000, 100_000);

    @Test
    void aSleepEndsAtTheUpperEndIfNoOtherTimerInterruptsBefore() {
        task.start();
        run.until(500_000);

        assertThat(run.log()).containsExactly("0 sleeps", "100000 woke");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
    }

    @Test
    void itEndsWithAnotherTimersInterruptInTheRange() {
        HrTimer timer = new HrTimer(cpu, on -> run.note("timer"));
        run.at(0, () -> timer.arm(cpu, 50_000, 0));
        task.start();
        run.until(500_000);

        assertThat(run.log()).containsExactly("0 sleeps", "50000 timer", "50000 woke");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
    }

    @Test
    void itDoesNotEndWithATimerInterruptBeforeTheRange() {
        HrTimer timer = new HrTimer(cpu, on -> run.note("timer"));
        run.at(0, () -> timer.arm(cpu, 49_999, 0));
        task.start();
        run.until(500_000);

        assertThat(run.log()).containsExactly("0 sleeps", "49999 timer", "100000 woke");
    }

    @Test
    void itDoesNotEndWithADevicesInterrupt() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(10));
        run.at(60_000, () -> cpu.raise(vector));
        task.start();
        run.until(500_000);

        assertThat(run.log()).containsExactly("0 sleeps", "60000 irq", "60010 irq done", "100000 woke");
    }

    @Test
    void wakeUpsDoNotCutItShort() {
        task.start();
        run.at(0, () -> task.wake(cpu));
        run.at(60_000, () -> task.wake(cpu));
        run.until(60_000);
        assertThat(task.sleeping()).isTrue();
        run.until(500_000);

        assertThat(task.sleeping()).isFalse();
        assertThat(run.log()).containsExactly("0 sleeps", "100000 woke");
    }

    @Test
    void aSleepShorterThanTheWayToItIsNoSleep() {
        Cpu slow = new Cpu(1, run.queue, costs().timer(200, 0).build());
        sleeperOf(slow, 50, 100).start();
        run.until(500_000);

        // Programming the timer takes 200 ns for the tick, which starts with the task, and 200 ns for the sleep. The
        // latter
        // expires meanwhile, at 100, and its interrupt takes 200 ns to set the timer for the tick again.
        assertThat(run.log()).containsExactly("0 sleeps", "600 woke");
        assertThat(slow.contextSwitches()).isEqualTo(1);
    }

    @Test
    void aSleepOfZeroEndsAtOnce() {
        sleeperOf(cpu, 0, 0).start();
        run.until(500_000);

        assertThat(run.log()).containsExactly("0 sleeps", "0 woke");
    }

    @Test
    void theRangeIsChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.sleepRange(-1, 5))
                .withMessage("sleep must be a range, was -1 to 5 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.sleepRange(6, 5))
                .withMessage("sleep must be a range, was 6 to 5 ns");
    }

    /** A task that sleeps once. */
    private Task sleeperOf(Cpu on, long minNs, long maxNs) {
        boolean[] slept = {false};
        Task[] self = new Task[1];
        self[0] = Task.fair(on, "sleeper", running -> {
            run.note(slept[0] ? "woke" : "sleeps");
            if (!slept[0]) {
                slept[0] = true;
                self[0].sleepRange(minNs, maxNs);
            }
            return Routine.DONE;
        });
        return self[0];
    }
}
