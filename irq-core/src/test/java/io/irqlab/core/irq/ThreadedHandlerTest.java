package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import org.junit.jupiter.api.Test;

/** Irq threads: one run of the thread function for each time it is wanted, merged while it runs. */
final class ThreadedHandlerTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final Cpu other = new Cpu(1, run.queue, TestCosts.free());
    private final FakeMsi msi = new FakeMsi(run);
    private final IrqDescriptor line = TestInterrupts.edge(run.queue, 37, "nvme0q1", cpu, msi, null);

    ThreadedHandlerTest() {
        msi.connect(line);
    }

    @Test
    void theThreadRunsAfterTheHandlerAndBeforeOrdinaryTasks() {
        request(run.script("thread").step(500));
        Task.fair(cpu, "task", run.script("task").step(1_000)).start();
        run.at(100, msi::event);
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "0 task",
                        "100 irq",
                        "110 irq done",
                        "110 thread",
                        "610 thread done",
                        "1510 task done");
    }

    @Test
    void itIsARealTimeTaskOfPriority50() {
        request(run.script("thread").step(500));
        Task.fifo(cpu, "49", 49, run.script("49").step(1_000)).start();
        run.at(20, () -> Task.fifo(cpu, "50", 50, run.script("50").step(1_000)).start());
        run.at(100, msi::event);
        run.until(10_000);

        // It preempts 49, as 50 does before, and waits for 50.
        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "0 49",
                        "20 50",
                        "100 irq",
                        "110 irq done",
                        "1030 50 done",
                        "1030 thread",
                        "1530 thread done",
                        "2510 49 done");
        assertThat(line.thread()).hasToString("irq/37-nvme0q1/0");
        assertThat(line.thread().cpu()).isSameAs(cpu);
    }

    @Test
    void wakingTheThreadWhileItRunsRunsItOnceMore() {
        request(run.script("thread").step(500).step(500));
        run.at(0, msi::event);
        run.at(200, msi::event);
        run.at(300, msi::event);
        run.at(700, msi::event);
        run.until(10_000);

        assertThat(run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly(
                        "10 thread",
                        "530 thread 2", // 500 ns and two handlers
                        "1040 thread done",
                        "1040 thread",
                        "1540 thread 2",
                        "2040 thread done");
        assertThat(line.handled()).isEqualTo(4);
    }

    @Test
    void wakingItInItsLastStepRunsItOnceMoreToo() {
        request(run.script("thread").step(500).end(on -> on.spend(100)));
        run.at(0, msi::event);
        run.at(550, msi::event);
        run.until(10_000);

        assertThat(run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly("10 thread", "510 thread done", "620 thread", "1120 thread done");
    }

    @Test
    void aThreadThatSleepsInItsFunctionIsNotWokenByInterruptsAndRunsOnceMoreAfterwards() {
        boolean[] slept = {false};
        request(on -> {
            slept[0] = !slept[0];
            if (slept[0]) {
                run.note("thread sleeps");
                line.thread().sleepRange(1_000, 1_000);
            } else {
                run.note("thread returns");
            }
            return Routine.DONE;
        });
        run.at(0, msi::event);
        run.at(300, msi::event);
        run.at(600, msi::event);
        run.until(10_000);

        assertThat(run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly(
                        "10 thread sleeps", "1010 thread returns", "1010 thread sleeps", "2010 thread returns");
    }

    @Test
    void aHandlerThatHandlesAllLeavesTheThreadAsleep() {
        var action = new FakeAction(run.script("irq"), run.script("thread"));
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(0, msi::event);
        run.at(100, () -> action.result = IrqReturn.NONE);
        run.at(200, msi::event);
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask", "0 irq done", "200 irq done");
        assertThat(cpu.contextSwitches()).isZero();
    }

    @Test
    void aStrayWakeUpDoesNotRunTheThreadFunction() {
        request(run.script("thread"));
        run.at(100, () -> line.thread().wake(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask");
        assertThat(cpu.contextSwitches()).isEqualTo(1);
    }

    @Test
    void aLineWithoutAHandlerHasNoThread() {
        assertThatIllegalStateException().isThrownBy(line::thread).withMessage("irq 37 (nvme0q1) has no handler");
    }

    private void request(Routine thread) {
        var action = new FakeAction(run.script("irq").step(10), thread);
        action.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(action, other, IrqFlag.THREADED);
    }
}
