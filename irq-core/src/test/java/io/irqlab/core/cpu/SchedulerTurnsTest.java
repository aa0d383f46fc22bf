package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Turns that the tick gives: round robin, the fair server; and the tick itself. */
final class SchedulerTurnsTest {
    private static final long MS = 1_000_000;
    private static final long STEP_NS = MS / 10;

    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final long[] ranNs = new long[8];
    private int last = -1;

    @Test
    void equalRoundRobinTasksTakeTurnsOf100Milliseconds() {
        for (int i = 0; i < 3; i++) {
            Task.roundRobin(cpu, "task" + i, 50, steps(i)).start();
        }
        run.until(650 * MS);

        assertThat(run.log())
                .containsExactly(
                        "0 0",
                        "100000000 1",
                        "200000000 2",
                        "300000000 0",
                        "400000000 1",
                        "500000000 2",
                        "600000000 0");
    }

    @Test
    void equalFifoTasksDoNot() {
        Task.fifo(cpu, "a", 50, steps(0)).start();
        Task.fifo(cpu, "b", 50, steps(1)).start();
        run.until(650 * MS);

        assertThat(run.log()).containsExactly("0 0");
    }

    @Test
    void aRoundRobinTaskThatIsPreemptedKeepsItsTurnAndWhatIsLeftOfIt() {
        Task.roundRobin(cpu, "a", 50, steps(0)).start();
        Task.roundRobin(cpu, "b", 50, steps(1)).start();
        Task high = Task.fifo(cpu, "high", 51, run.script("high").step(30 * MS + 500_000));
        run.at(50 * MS + 500_000, high::start);
        run.until(140 * MS);

        // The first has had 50 ticks; the next falls on the instant when it goes on, the 100th at 130 ms.
        assertThat(run.log()).containsExactly("0 0", "50500000 high", "81000000 high done", "131000000 1");
    }

    @Test
    void aRoundRobinTaskAloneIsNotSwitched() {
        Task.roundRobin(cpu, "a", 50, steps(0)).start();
        Task.roundRobin(cpu, "lower", 49, steps(1)).start();
        run.until(900 * MS);

        assertThat(cpu.contextSwitches()).isEqualTo(1);
    }

    @Test
    void aYieldLetsAllEqualsHaveTheirTurn() {
        Task[] tasks = new Task[3];
        for (int i = 0; i < 3; i++) {
            int index = i;
            tasks[i] = Task.fifo(cpu, "task" + i, 50, on -> {
                run.note("" + index);
                tasks[index].yieldCpu();
                return 100;
            });
            tasks[i].start();
        }
        run.until(350);

        // Each step yields before its time passes; the time passes on the task's next turn.
        assertThat(run.log()).containsExactly("0 0", "0 1", "0 2", "100 0", "200 1", "300 2");
    }

    @Test
    void aYieldToNobodyGoesOnAtOnce() {
        Task[] task = new Task[1];
        task[0] = Task.fifo(cpu, "task", 50, on -> {
            run.note("step");
            task[0].yieldCpu();
            return 100;
        });
        task[0].start();
        Task.fifo(cpu, "lower", 49, steps(1)).start();
        run.until(250);

        assertThat(run.log()).containsExactly("0 step", "100 step", "200 step");
        assertThat(cpu.contextSwitches()).isEqualTo(1);
    }

    @Test
    void fairTasksGet50MillisecondsOfEachSecondBesideAFifoHog() {
        Task.fifo(cpu, "fifo", 50, steps(0)).start();
        Task.fair(cpu, "fair", steps(1)).start();
        run.until(3_000 * MS - 1);

        assertThat(run.log())
                .containsExactly("0 0", "950000000 1", "1000000000 0", "1950000000 1", "2000000000 0", "2950000000 1");
        assertThat(ranNs[1]).isEqualTo(150 * MS);
    }

    @Test
    void severalFairTasksShareThe50Milliseconds() {
        Task.fifo(cpu, "fifo", 50, steps(0)).start();
        Task.fair(cpu, "a", steps(1)).start();
        Task.fair(cpu, "b", steps(2)).start();
        run.until(10_000 * MS);

        assertThat(ranNs[1] + ranNs[2]).isCloseTo(500 * MS, within(STEP_NS));
        assertThat(ranNs[1]).isCloseTo(250 * MS, within(4 * MS));
    }

    @Test
    void aFairTaskThatSleepsInItsTimeGivesTheRestBack() {
        Task.fifo(cpu, "fifo", 50, steps(0)).start();
        Task fair = Task.fair(cpu, "fair", run.script("fair").step(20 * MS));
        fair.start();
        run.until(980 * MS);

        assertThat(run.log()).containsExactly("0 0", "950000000 fair", "970000000 fair done");
        assertThat(ranNs[0]).isEqualTo(960 * MS + STEP_NS);
    }

    @Test
    void noFifoTaskPreemptsTheFairServerButAStopTaskDoes() {
        Task.fifo(cpu, "fifo", 50, steps(0)).start();
        Task.fair(cpu, "fair", steps(1)).start();
        Task high = Task.fifo(cpu, "high", 99, run.script("high").step(MS));
        Task stop = Task.stop(cpu, "stop", run.script("stop").step(10 * MS));
        run.at(955 * MS, high::start);
        run.at(960 * MS, stop::start);
        run.until(1_020 * MS);

        // The stop task's time is not the server's.
        assertThat(run.log())
                .containsExactly(
                        "0 0",
                        "950000000 1",
                        "960000000 stop",
                        "970000000 stop done",
                        "1010000000 high",
                        "1011000000 high done",
                        "1011000000 0");
    }

    @Test
    void aFairTaskThatRanLatelyWaitsForItsSecond() {
        Task.fair(cpu, "fair", steps(1)).start();
        run.at(500 * MS, () -> Task.fifo(cpu, "fifo", 50, steps(0)).start());
        run.until(1_460 * MS);

        assertThat(run.log()).containsExactly("0 1", "500000000 0", "1450000000 1");
    }

    @Test
    void theTickStopsInIdleAndStartsWithTheNextTask() {
        Task task = Task.fair(cpu, "task", run.script("task").step(2_500_000));
        task.start();
        run.at(100 * MS + 300_000, () -> task.wake(new Cpu(1, run.queue, TestCosts.free())));
        run.until(100 * MS);
        // 1, 2 and, idle, 3 ms.
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(3);
        run.until(200 * MS);
        // On the same grid: 101, 102 and, idle from 102.8, 103 ms.
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(6);
    }

    @Test
    void aTickCostsAnInterruptAndItsOwnWork() {
        var costly = new Cpu(
                1, run.queue, costs().hardirq(300, 200).timer(50, 90).tick(700).build());
        Task.fair(costly, "task", on -> STEP_NS).start();
        run.until(10 * MS + 500_000);

        // The IPI that starts the task: 500 ns. Each of ten ticks: entry, callback, its work, programming, exit.
        assertThat(costly.times().hardirqNs()).isEqualTo(500 + 10 * (300 + 90 + 700 + 50 + 200));
        assertThat(costly.hardirqs(Vector.Source.TIMER)).isEqualTo(10);
    }

    @Test
    void ticksThatAHardirqDelaysAreMadeUpAsOne() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(5 * MS));
        int[] ticks = {0};
        cpu.onTick(() -> {
            ticks[0]++;
            run.note("tick");
        });
        Task.fair(cpu, "task", on -> 100 * MS).start();
        run.at(500_000, () -> cpu.raise(vector));
        run.until(7 * MS);

        assertThat(run.log())
                .containsExactly("500000 irq", "5500000 irq done", "5500000 tick", "6000000 tick", "7000000 tick");
    }

    private Routine steps(int index) {
        return on -> {
            if (last != index) {
                run.note("" + index);
                last = index;
            }
            ranNs[index] += STEP_NS;
            return STEP_NS;
        };
    }
}
