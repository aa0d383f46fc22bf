package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** A wake-up is never lost, however it races with the task's way to sleep. */
final class WakeUpTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final Cpu other = new Cpu(1, run.queue, TestCosts.free());

    @Test
    void aSleepingTaskRunsItsNextStepWhenItIsWoken() {
        Task task = Task.fair(cpu, "task", run.script("task").step(100));
        task.start();
        run.at(1_000, () -> task.wake(other));
        run.until(5_000);

        assertThat(run.log()).containsExactly("0 task", "100 task done", "1000 task", "1100 task done");
    }

    @Test
    void aTaskThatIsWokenWhileOnItsWayToSleepDoesNotSleep() {
        Task task = Task.fair(cpu, "task", run.script("task").step(1_000).end(on -> on.spend(300)));
        task.start();
        run.at(1_100, () -> task.wake(other));
        run.at(1_200, () -> task.wake(other));
        run.until(10_000);

        // It went for its sleep at 1000, was woken before it slept at 1300, and then slept at 2600.
        assertThat(run.log()).containsExactly("0 task", "1000 task done", "1300 task", "2300 task done");
        assertThat(cpu.contextSwitches()).isEqualTo(1);
        assertThat(cpu.times().systemNs()).isEqualTo(2_600);
    }

    @Test
    void soDoesOneThatIsWokenByAnInterruptWithinThatWay() {
        Task task = Task.fair(cpu, "task", run.script("task").step(1_000).end(on -> on.spend(300)));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(50, on -> task.wake(on)));
        task.start();
        run.at(1_299, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 task", "1000 task done", "1299 irq", "1349 irq done", "1350 task", "2350 task done");
    }

    @Test
    void aWakeUpThatComesBeforeTheStepThatDecidesToSleepIsForThatStepToSee() {
        Task task = Task.fair(cpu, "task", run.script("task").step(1_000).step(1_000));
        task.start();
        run.at(500, () -> task.wake(other));
        run.at(1_999, () -> task.wake(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task", "1000 task 2", "2000 task done");
    }

    @Test
    void aTaskThatIsPreemptedOnItsWayToSleepLeavesAtOnce() {
        Task low = Task.fair(cpu, "low", run.script("low").step(1_000).end(on -> on.spend(300)));
        Task high = Task.fifo(cpu, "high", 1, run.script("high").step(100));
        low.start();
        run.at(1_100, () -> high.start());
        run.at(5_000, () -> low.wake(other));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 low", "1000 low done", "1100 high", "1200 high done", "5000 low", "6000 low done");
    }

    @Test
    void aTaskThatIsWokenAndThenPreemptedOnItsWayToSleepRunsAgainWhenItsTurnComes() {
        Task low = Task.fair(cpu, "low", run.script("low").step(1_000).end(on -> on.spend(300)));
        Task high = Task.fifo(cpu, "high", 1, run.script("high").step(100));
        low.start();
        run.at(1_050, () -> low.wake(other));
        run.at(1_100, () -> high.start());
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 low", "1000 low done", "1100 high", "1200 high done", "1200 low", "2200 low done");
    }

    @Test
    void aTaskThatIsWokenWhileItWaitsForTheCpuRunsOnce() {
        Task high = Task.fifo(cpu, "high", 1, run.script("high").step(1_000));
        Task low = Task.fair(cpu, "low", run.script("low").step(100));
        high.start();
        run.at(100, () -> low.wake(other));
        run.at(200, () -> low.wake(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 high", "1000 high done", "1000 low", "1100 low done");
    }

    @Test
    void aTaskThatIsWokenWhilePreemptedFinishesItsStepAndRunsTheNext() {
        Task low = Task.fair(cpu, "low", run.script("low").step(1_000));
        Task high = Task.fifo(cpu, "high", 1, run.script("high").step(100));
        low.start();
        run.at(300, () -> high.start());
        run.at(350, () -> low.wake(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 low", "300 high", "400 high done", "1100 low done");
    }

    @Test
    void aTaskThatWakesItselfRunsAgain() {
        Task[] task = new Task[1];
        int[] rounds = {0};
        task[0] = Task.fair(cpu, "task", on -> {
            run.note("round " + ++rounds[0]);
            if (rounds[0] < 3) {
                task[0].wake(on);
            }
            return Routine.DONE;
        });
        task[0].start();
        run.until(1_000);

        assertThat(run.log()).containsExactly("0 round 1", "0 round 2", "0 round 3");
    }

    @Test
    void tasksOfTwoCpusCanWakeEachOtherForEver() {
        Task[] ping = new Task[2];
        Cpu far = new Cpu(
                2, run.queue, costs().hardirq(10, 10).ipi(100).wakeup(20).build());
        Cpu near = new Cpu(
                3, run.queue, costs().hardirq(10, 10).ipi(100).wakeup(20).build());
        int[] rounds = {0};
        ping[0] = Task.fair(near, "ping", on -> {
            rounds[0]++;
            ping[1].wake(on);
            return Routine.DONE;
        });
        ping[1] = Task.fair(far, "pong", on -> {
            ping[0].wake(on);
            return Routine.DONE;
        });
        ping[0].start();
        run.until(100 + 2 * 120 * 1_000);

        // A wake-up travels 100 ns; then 20 ns of hardirq pass before the task wakes the other.
        assertThat(rounds[0]).isEqualTo(1_000);
    }

    @Test
    void aTaskIsStartedOnce() {
        Task task = Task.fair(cpu, "task", on -> Routine.DONE);
        task.start();

        assertThatIllegalStateException().isThrownBy(task::start).withMessage("task/0 was started twice");
        assertThat(task.cpu()).isSameAs(cpu);
        assertThat(task.name()).isEqualTo("task");
    }
}
