package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** User time comes first in a step, and stays what it is whatever interrupts it. */
final class TimeAccountingTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, costs().contextSwitch(10).build());

    @Test
    void aStepBeginsInUserModeAndEndsInTheKernel() {
        Task.fair(cpu, "task", run.script("task").step(400, on -> on.spendInUser(600)))
                .start();

        run.until(310);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 10, 300, 0));
        run.until(710);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 110, 600, 0));
        run.until(2_000);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 410, 600, 990));
        assertThat(run.log()).containsExactly("10 task", "1010 task done");
    }

    @Test
    void aHardirqInTheUserPartLeavesTheRestOfItUserTime() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(1_000));
        Task.fair(cpu, "task", run.script("task").step(400, on -> on.spendInUser(600)))
                .start();
        run.at(510, () -> cpu.raise(vector));

        run.until(1_000);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(490, 0, 10, 500, 0));
        run.until(1_550);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(1_000, 0, 10, 540, 0));
        run.until(1_710);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(1_000, 0, 110, 600, 0));
        run.until(3_000);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(1_000, 0, 410, 600, 990));
    }

    @Test
    void anotherTaskInTheUserPartLeavesTheRestOfItUserTime() {
        Task other = Task.fifo(cpu, "other", 1, run.script("other").step(100, on -> on.spendInUser(20)));
        Task.fair(cpu, "task", run.script("task").step(400, on -> on.spendInUser(600)))
                .start();
        run.at(510, () -> other.start());

        run.until(640);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 20 + 100, 500 + 20, 0));
        run.until(750);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 30 + 100, 600 + 20, 0));
        run.until(3_000);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 30 + 100 + 400, 600 + 20, 3_000 - 1_150));
        assertThat(run.log()).containsExactly("10 task", "520 other", "640 other done", "1150 task done");
    }

    @Test
    void aStepThatEndsInSleepMayBeUserTimeToo() {
        Task.fair(cpu, "task", run.script("task").end(on -> {
                    on.spendInUser(600);
                    on.spend(50);
                }))
                .start();
        run.until(1_000);

        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 60, 600, 340));
    }
}
