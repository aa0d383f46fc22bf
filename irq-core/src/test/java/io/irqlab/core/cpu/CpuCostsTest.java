package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** What the operating system's actions cost, in time lines worked out by hand. */
final class CpuCostsTest {
    private final Timeline run = new Timeline();

    @Test
    void anInterruptOfAnIdleCpuWaitsForTheExitFromIdleWhichIsIdleTime() {
        Cpu cpu = cpu(costs().hardirq(300, 200).idleExit(2_000));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(500));
        run.at(1_000, () -> cpu.raise(vector));
        run.until(5_000);

        assertThat(run.log()).containsExactly("3300 irq", "3800 irq done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(300 + 500 + 200, 0, 0, 0, 4_000));
        assertThat(vector.timeNs()).isEqualTo(1_000);
        assertThat(cpu.idleExits()).isEqualTo(1);
    }

    @Test
    void aSnapshotDuringTheExitFromIdleShowsIdleTimeAndDisturbsNothing() {
        Cpu cpu = cpu(costs().hardirq(300, 200).idleExit(2_000));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(500));
        run.at(1_000, () -> cpu.raise(vector));

        run.until(2_500);
        assertThat(cpu.hardirqTimeNs()).isZero();
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 0, 0, 2_500));
        run.until(3_100);
        assertThat(cpu.hardirqTimeNs()).isEqualTo(100);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(100, 0, 0, 0, 3_000));
        run.until(5_000);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(1_000, 0, 0, 0, 4_000));
        assertThat(vector.timeNs()).isEqualTo(1_000);
    }

    @Test
    void interruptsBackToBackLeaveIdleOnce() {
        Cpu cpu = cpu(costs().hardirq(300, 200).idleExit(2_000));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(500));
        run.at(1_000, () -> cpu.raise(vector));
        run.at(3_500, () -> cpu.raise(vector));
        run.at(20_000, () -> cpu.raise(vector));
        run.until(30_000);

        // The second begins at 4000, where the first has ended.
        assertThat(run.log())
                .containsExactly(
                        "3300 irq", "3800 irq done", "4300 irq", "4800 irq done", "22300 irq", "22800 irq done");
        assertThat(cpu.idleExits()).isEqualTo(2);
    }

    @Test
    void aContextSwitchPrecedesEveryTaskThatDidNotRunLast() {
        Cpu cpu = cpu(costs().contextSwitch(1_000));
        Task first = Task.fair(cpu, "first", run.script("first").step(500));
        Task second = Task.fair(cpu, "second", run.script("second").step(500));
        first.start();
        run.at(1_200, () -> second.start());
        run.at(10_000, () -> second.start()); // the CPU was idle in between, so this is a switch too
        run.until(20_000);

        assertThat(run.log())
                .containsExactly(
                        "1000 first",
                        "1500 first done",
                        "2500 second",
                        "3000 second done",
                        "11000 second",
                        "11500 second done");
        assertThat(cpu.contextSwitches()).isEqualTo(3);
        assertThat(cpu.times().systemNs()).isEqualTo(3 * 1_500);
    }

    @Test
    void theWakerPaysForAWakeUpInItsOwnContext() {
        Cpu cpu = cpu(costs().hardirq(300, 200).wakeup(400).contextSwitch(1_000));
        Task task = Task.fair(cpu, "task", run.script("task").step(50));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(100, on -> task.wake(on)));
        run.at(1_000, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log()).containsExactly("1300 irq", "1800 irq done", "3000 task", "3050 task done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(300 + 100 + 400 + 200, 0, 1_050, 0, 7_950));
    }

    @Test
    void wakingATaskThatIsAwakeCostsNothing() {
        Cpu cpu = cpu(costs().wakeup(400));
        Task task = Task.fair(cpu, "task", run.script("task").step(10_000));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(100, on -> task.wake(on)));
        task.start();
        run.at(1_000, () -> cpu.raise(vector));
        run.until(20_000);

        assertThat(run.log()).containsExactly("0 task", "1000 irq", "1100 irq done", "10100 task done");
    }

    @Test
    void aTaskOfAnotherCpuIsWokenByAnInterruptThatTravelsAndEndsThatCpusIdleness() {
        CpuCosts costs = costs().hardirq(300, 200)
                .wakeup(400)
                .contextSwitch(1_000)
                .ipi(600)
                .idleExit(2_000)
                .build();
        Cpu waker = new Cpu(0, run.queue, costs);
        Cpu woken = new Cpu(1, run.queue, costs);
        Task task = Task.fair(woken, "task", run.script("task").step(50));
        Vector vector = waker.allocateVector("irq", run.script("irq").step(100, on -> task.wake(on)));
        run.at(10_000, () -> waker.raise(vector));
        run.until(30_000);

        // The IPI leaves at 12300, arrives at 12900; then 2000 out of idle, 300 in, 200 out, 1000 for the switch.
        assertThat(run.log()).containsExactly("12300 irq", "12800 irq done", "16400 task", "16450 task done");
        assertThat(waker.times()).isEqualTo(new CpuTimes(1_000, 0, 0, 0, 29_000));
        assertThat(woken.times()).isEqualTo(new CpuTimes(500, 0, 1_050, 0, 28_450));
        assertThat(woken.hardirqs(Vector.Source.IPI)).isEqualTo(1);
        assertThat(waker.hardirqs(Vector.Source.IPI)).isZero();
    }

    @Test
    void oneInterruptIsEnoughForSeveralTasksOfAnotherCpu() {
        CpuCosts costs = costs().ipi(600).build();
        Cpu waker = new Cpu(0, run.queue, costs);
        Cpu woken = new Cpu(1, run.queue, costs);
        Task first = Task.fair(woken, "first", run.script("first").step(50));
        Task second = Task.fair(woken, "second", run.script("second").step(50));
        run.at(1_000, () -> first.wake(waker));
        run.at(1_300, () -> second.wake(waker));
        run.until(10_000);

        assertThat(run.log()).containsExactly("1600 first", "1650 first done", "1650 second", "1700 second done");
        assertThat(woken.hardirqs(Vector.Source.IPI)).isEqualTo(1);
    }

    @Test
    void aTaskOfAnotherCpuThatMustWaitThereIsNoReasonForAnInterrupt() {
        CpuCosts costs = costs().ipi(600).build();
        Cpu waker = new Cpu(0, run.queue, costs);
        Cpu woken = new Cpu(1, run.queue, costs);
        Task running = Task.fifo(woken, "running", 50, run.script("running").step(5_000));
        Task waiting = Task.fifo(woken, "waiting", 50, run.script("waiting").step(50));
        running.start();
        run.at(1_000, () -> waiting.wake(waker));
        run.until(10_000);

        assertThat(run.log()).containsExactly("600 running", "5600 running done", "5600 waiting", "5650 waiting done");
        assertThat(woken.hardirqs(Vector.Source.IPI)).isEqualTo(1); // that of the start
    }

    @Test
    void soIsOneOfALowerClass() {
        CpuCosts costs = costs().ipi(600).build();
        Cpu waker = new Cpu(0, run.queue, costs);
        Cpu woken = new Cpu(1, run.queue, costs);
        Task.fifo(woken, "running", 50, run.script("running").step(5_000)).start();
        Task waiting = Task.fair(woken, "waiting", run.script("waiting").step(50));
        run.at(1_000, () -> waiting.wake(waker));
        run.until(10_000);

        assertThat(run.log()).containsExactly("600 running", "5600 running done", "5600 waiting", "5650 waiting done");
        assertThat(woken.hardirqs(Vector.Source.IPI)).isEqualTo(1);
    }

    @Test
    void readingTheClockIsPaidForInTheStepThatReads() {
        Cpu cpu = cpu(costs().clockRead(20));
        Vector vector = cpu.allocateVector(
                "irq",
                run.script("irq").step(100, on -> run.note("read " + on.readClockNs() + " and " + on.readClockNs())));
        run.at(1_000, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log()).containsExactly("1000 irq", "1000 read 1000 and 1000", "1140 irq done");
    }

    @Test
    void whatIsSpentOutsideOfAnyStepIsAddedToTheNextOne() {
        Cpu cpu = cpu(costs());
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(100).step(100));
        cpu.spend(30);
        run.at(1_000, () -> cpu.raise(vector));
        run.at(1_050, () -> cpu.spend(7));
        run.until(10_000);

        assertThat(run.log()).containsExactly("1000 irq", "1130 irq 2", "1237 irq done");
    }

    @Test
    void costsAreNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> costs().clockRead(-1).build())
                .withMessage("a cost must not be negative, was -1 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> costs().hardirq(-300, 0).build())
                .withMessage("a cost must not be negative, was -300 ns");
    }

    @Test
    void theTimesBetweenTwoSnapshotsAreTheirDifferences() {
        var earlier = new CpuTimes(1, 20, 300, 4_000, 50_000);
        var later = new CpuTimes(11, 40, 600, 9_000, 50_007);

        assertThat(later.since(earlier)).isEqualTo(new CpuTimes(10, 20, 300, 5_000, 7));
    }

    private Cpu cpu(TestCosts costs) {
        return new Cpu(0, run.queue, costs.build());
    }
}
