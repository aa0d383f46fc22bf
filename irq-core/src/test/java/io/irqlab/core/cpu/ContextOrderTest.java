package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Hardirqs before softirqs before tasks, and what one interrupts continues exactly where it was. */
final class ContextOrderTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());

    @Test
    void aHardirqPreemptsATaskInTheMiddleOfItsStepAndTheRestRunsLater() {
        Cpu costly = new Cpu(1, run.queue, costs().hardirq(300, 200).build());
        Vector vector = costly.allocateVector("irq", run.script("irq").step(1_000));
        Task.fair(costly, "task", run.script("task").step(10_000)).start();
        run.at(4_000, () -> costly.raise(vector));
        run.until(20_000);

        // The task starts behind the reschedule IPI, 300 + 200 ns; at 4000 it has 6500 of its 10000 ns left.
        assertThat(run.log()).containsExactly("500 task", "4300 irq", "5300 irq done", "12000 task done");
        assertThat(costly.times()).isEqualTo(new CpuTimes(500 + 1_500, 0, 10_000, 0, 8_000));
    }

    @Test
    void aHardirqPreemptsASoftirqInTheMiddleOfItsStepAndTheRestRunsLater() {
        Cpu costly =
                new Cpu(1, run.queue, costs().hardirq(300, 200).softirqEntry(70).build());
        costly.openSoftirq(Softirq.BLOCK, run.script("softirq").step(2_000));
        Vector low = costly.allocateVector("low", run.script("low").step(100, on -> on.raiseSoftirq(Softirq.BLOCK)));
        Vector high = costly.allocateVector("high", run.script("high").step(100));
        run.at(1_000, () -> costly.raise(low));
        run.at(2_000, () -> costly.raise(high));
        run.until(10_000);

        // Softirqs are entered at 1600, after low's exit; the step begins at 1670 and has 1670 ns left at 2000.
        assertThat(run.log())
                .containsExactly(
                        "1300 low",
                        "1400 low done",
                        "1670 softirq",
                        "2300 high",
                        "2400 high done",
                        "4270 softirq done");
        assertThat(costly.times()).isEqualTo(new CpuTimes(2 * 600, 70 + 2_000, 0, 0, 10_000 - 1_200 - 2_070));
    }

    @Test
    void aTaskUnderASoftirqUnderAHardirqLosesNoTime() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("softirq").step(1_000));
        Vector low = cpu.allocateVector("low", run.script("low").end(on -> on.raiseSoftirq(Softirq.BLOCK)));
        Vector high = cpu.allocateVector("high", run.script("high").step(100));
        Task.fair(cpu, "task", run.script("task").step(700)).start();
        run.at(400, () -> cpu.raise(low));
        run.at(800, () -> cpu.raise(high));
        run.at(900, () -> cpu.raise(high));
        run.at(1_300, () -> cpu.raise(high));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 task",
                        "400 low done",
                        "400 softirq",
                        "800 high",
                        "900 high done",
                        "900 high",
                        "1000 high done",
                        "1300 high",
                        "1400 high done",
                        "1700 softirq done",
                        "2000 task done");
    }

    @Test
    void aHardirqIsNeverNestedNotEvenByAGreaterVector() {
        Vector low = cpu.allocateVector("low", run.script("low").step(400).step(600));
        Vector high = cpu.allocateVector("high", run.script("high").step(100));
        run.at(1_000, () -> cpu.raise(low));
        run.at(1_100, () -> cpu.raise(high));
        run.until(10_000);

        assertThat(high.number()).isGreaterThan(low.number());
        assertThat(run.log()).containsExactly("1000 low", "1400 low 2", "2000 low done", "2000 high", "2100 high done");
    }

    @Test
    void theNextPendingVectorStartsBeforeAnyTaskInstructionRuns() {
        Vector first = cpu.allocateVector("first", run.script("first").step(1_000));
        Vector second = cpu.allocateVector("second", run.script("second").step(1_000));
        Task.stop(cpu, "task", run.script("task").step(400).step(400)).start();
        run.at(100, () -> cpu.raise(first));
        run.at(600, () -> cpu.raise(second));
        run.at(1_500, () -> cpu.raise(first));
        run.until(3_100);

        assertThat(cpu.times()).isEqualTo(new CpuTimes(3_000, 0, 100, 0, 0));
        run.until(10_000);
        assertThat(run.log())
                .containsExactly(
                        "0 task",
                        "100 first",
                        "1100 first done",
                        "1100 second",
                        "2100 second done",
                        "2100 first",
                        "3100 first done",
                        "3400 task 2",
                        "3800 task done");
    }

    @Test
    void aPendingVectorAlsoStartsBeforeSoftirqsDo() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("softirq"));
        Vector first = cpu.allocateVector("first", run.script("first").step(500, on -> on.raiseSoftirq(Softirq.BLOCK)));
        Vector second = cpu.allocateVector("second", run.script("second").step(500));
        run.at(0, () -> cpu.raise(first));
        run.at(100, () -> cpu.raise(second));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 first", "500 first done", "500 second", "1000 second done", "1000 softirq done");
    }

    @Test
    void ofSeveralPendingVectorsTheGreatestNumberIsTakenFirst() {
        Vector[] vectors = new Vector[100];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = cpu.allocateVector("v" + i, run.script("v" + i));
        }
        HrTimer timer = new HrTimer(cpu, on -> run.note("timer"));
        Vector blocker = cpu.allocateVector("blocker", run.script("blocker").step(1_000, on -> timer.arm(on, 0, 0)));
        run.at(0, () -> cpu.raise(blocker));
        // In an order that is neither up nor down, over all words of the request register.
        for (int i : new int[] {31, 2, 99, 30, 95, 0}) {
            run.at(10, () -> cpu.raise(vectors[i]));
        }
        run.at(20, () -> cpu.raise(blocker));
        run.until(5_000);

        assertThat(run.log())
                .containsExactly(
                        "0 blocker",
                        "1000 blocker done",
                        "1000 timer", // 0xEC is greater than every device vector
                        "1000 blocker",
                        "2000 blocker done",
                        "2000 timer",
                        "2000 v99 done",
                        "2000 v95 done",
                        "2000 v31 done",
                        "2000 v30 done",
                        "2000 v2 done",
                        "2000 v0 done");
    }

    @Test
    void aVectorThatIsRaisedAgainBeforeItIsTakenIsTakenOnce() {
        Vector blocker = cpu.allocateVector("blocker", run.script("blocker").step(1_000));
        Vector merged = cpu.allocateVector("merged", run.script("merged"));
        run.at(0, () -> cpu.raise(blocker));
        run.at(10, () -> cpu.raise(merged));
        run.at(20, () -> cpu.raise(merged));
        run.at(30, () -> cpu.raise(merged));
        run.until(5_000);

        assertThat(run.log()).containsExactly("0 blocker", "1000 blocker done", "1000 merged done");
        assertThat(merged.count()).isEqualTo(1);
    }

    @Test
    void aVectorThatIsRaisedTwiceWhileItsHandlerRunsIsTakenOnceMore() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(1_000));
        run.at(0, () -> cpu.raise(vector));
        run.at(10, () -> cpu.raise(vector));
        run.at(20, () -> cpu.raise(vector));
        run.until(5_000);

        assertThat(run.log()).containsExactly("0 irq", "1000 irq done", "1000 irq", "2000 irq done");
        assertThat(vector.count()).isEqualTo(2);
    }

    @Test
    void aVectorThatATaskStepRaisesIsTakenBeforeTheStepsTimePasses() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(500));
        Task.fair(cpu, "task", run.script("task").step(1_000, on -> on.raise(vector)))
                .start();
        run.until(5_000);

        assertThat(run.log()).containsExactly("0 task", "0 irq", "500 irq done", "1500 task done");
    }

    @Test
    void aVectorThatASoftirqStepRaisesIsTakenBeforeTheStepsTimePasses() {
        Vector raised = cpu.allocateVector("raised", run.script("raised").step(500));
        cpu.openSoftirq(Softirq.BLOCK, run.script("softirq").step(1_000, on -> on.raise(raised)));
        Vector vector = cpu.allocateVector("irq", run.script("irq").end(on -> on.raiseSoftirq(Softirq.BLOCK)));
        run.at(0, () -> cpu.raise(vector));
        run.until(5_000);

        assertThat(run.log())
                .containsExactly("0 irq done", "0 softirq", "0 raised", "500 raised done", "1500 softirq done");
    }

    @Test
    void anInterruptInTheNanosecondInWhichAStepEndsDelaysTheNextStepAndRepeatsNone() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(500));
        run.at(1_000, () -> cpu.raise(vector)); // planned first, so it comes before the end of the step
        Task.fair(cpu, "task", run.script("task").step(1_000).step(1_000)).start();
        run.until(5_000);

        assertThat(run.log()).containsExactly("0 task", "1000 irq", "1500 irq done", "1500 task 2", "2500 task done");
    }

    @Test
    void theSameInASoftirqAndForATaskOnItsWayToSleep() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(500));
        run.at(1_000, () -> cpu.raise(vector));
        run.at(4_000, () -> cpu.raise(vector));
        cpu.openSoftirq(Softirq.BLOCK, run.script("softirq").step(1_000));
        Vector raiser = cpu.allocateVector("raiser", on -> {
            on.raiseSoftirq(Softirq.BLOCK);
            return Routine.DONE;
        });
        run.at(0, () -> cpu.raise(raiser));
        Task task = Task.fair(cpu, "task", run.script("task").end(on -> on.spend(1_000)));
        run.at(3_000, () -> task.start());
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 softirq",
                        "1000 irq",
                        "1500 irq done",
                        "1500 softirq done",
                        "3000 task done",
                        "4000 irq",
                        "4500 irq done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(1_000, 1_000, 1_000, 0, 7_000));
    }

    @Test
    void stepsThatTakeNoTimeFollowEachOtherAtOnce() {
        Vector vector = cpu.allocateVector(
                "irq", run.script("irq").step(0).step(0).step(5).step(0));
        run.at(7, () -> cpu.raise(vector));
        run.until(100);

        assertThat(run.log()).containsExactly("7 irq", "7 irq 2", "7 irq 3", "12 irq 4", "12 irq done");
        assertThat(cpu.times().hardirqNs()).isEqualTo(5);
    }

    @Test
    void otherCpusAreNotDisturbed() {
        Cpu other = new Cpu(1, run.queue, TestCosts.free());
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(5_000));
        Task.fair(other, "task", run.script("task").step(1_000)).start();
        run.at(100, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task", "100 irq", "1000 task done", "5100 irq done");
    }

    @Test
    void codeThatTakesNoTimeForEverIsAnErrorThatNamesIt() {
        Vector vector = cpu.allocateVector("nvme0q1", on -> 0);
        run.at(7, () -> cpu.raise(vector));
        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(100))
                .withMessage(
                        "cpu0 stopped the clock: the handler of nvme0q1 took 1000000 steps at 7 ns without any time");

        Cpu other = new Cpu(1, run.queue, TestCosts.free());
        Task.fair(other, "job", on -> 0).start();
        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(100))
                .withMessage("cpu1 stopped the clock: task job took 1000000 steps at 7 ns without any time");

        Cpu third = new Cpu(2, run.queue, TestCosts.free());
        third.openSoftirq(Softirq.BLOCK, on -> 0);
        Vector raiser = third.allocateVector("raiser", on -> {
            on.raiseSoftirq(Softirq.BLOCK);
            return Routine.DONE;
        });
        run.at(8, () -> third.raise(raiser));
        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(100))
                .withMessage("cpu2 stopped the clock: softirqs took 1000000 steps at 8 ns without any time");
    }

    @Test
    void aCpuIsIdleWhileItHasNothingToDo() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(50));
        run.at(100, () -> cpu.raise(vector));
        run.until(99);
        assertThat(cpu.idle()).isTrue();
        run.until(149);
        assertThat(cpu.idle()).isFalse();
        run.until(150);
        assertThat(cpu.idle()).isTrue();
    }
}
