package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** What a hypervisor adds, each at its place. */
final class VirtualizationTest {
    private final Timeline run = new Timeline();

    @Test
    void injectionIsPaidAtEntryAndTheEndOfInterruptAtExit() {
        Cpu cpu = cpu(new VirtualizationCosts(1_000, 200, 0, 0, 0, 0));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(50));
        run.at(0, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log()).containsExactly("1000 irq", "1050 irq done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(1_250, 0, 0, 0, 8_750));
        assertThat(vector.timeNs()).isEqualTo(1_250);
    }

    @Test
    void aHaltedCpuIsScheduledFirstWhichIsIdleTime() {
        Cpu cpu = cpu(new VirtualizationCosts(0, 0, 0, 0, 0, 5_000));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(50));
        run.at(1_000, () -> cpu.raise(vector));
        run.at(6_020, () -> cpu.raise(vector)); // not from idle
        run.until(10_000);

        assertThat(run.log()).containsExactly("6000 irq", "6050 irq done", "6050 irq", "6100 irq done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(100, 0, 0, 0, 9_900));
    }

    @Test
    void settingTheTimerTraps() {
        Cpu cpu = cpu(new VirtualizationCosts(0, 0, 0, 700, 0, 0));
        HrTimer timer = new HrTimer(cpu, on -> run.note("timer"));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(50, on -> timer.arm(on, 5_000, 0)));
        run.at(0, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 irq", "750 irq done", "5000 timer");
        assertThat(cpu.times().hardirqNs()).isEqualTo(750);
    }

    @Test
    void anInterProcessorInterruptIsLongerOnItsWay() {
        CpuCosts costs = costs().ipi(300)
                .virtualization(new VirtualizationCosts(0, 0, 0, 0, 2_000, 0))
                .build();
        Cpu waker = new Cpu(0, run.queue, costs);
        Cpu woken = new Cpu(1, run.queue, costs);
        Task task = Task.fair(woken, "task", run.script("task").step(50));
        run.at(1_000, () -> task.wake(waker));
        run.until(10_000);

        assertThat(run.log()).containsExactly("3300 task", "3350 task done");
    }

    @Test
    void costsAreNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VirtualizationCosts(0, 0, 0, 0, -5, 0))
                .withMessage("a cost must not be negative, was -5 ns");
    }

    private Cpu cpu(VirtualizationCosts virtualization) {
        return new Cpu(0, run.queue, costs().virtualization(virtualization).build());
    }
}
