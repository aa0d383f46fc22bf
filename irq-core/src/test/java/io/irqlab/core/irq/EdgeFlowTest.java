package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import org.junit.jupiter.api.Test;

/** The edge flow: an event while the handler runs makes it run again, on whichever CPU the event came. */
final class EdgeFlowTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final Cpu other = new Cpu(1, run.queue, TestCosts.free());
    private final FakeMsi msi = new FakeMsi(run);
    private final IrqDescriptor line = TestInterrupts.edge(run.queue, 37, "nvme0q1", cpu, msi, null);

    EdgeFlowTest() {
        msi.connect(line);
    }

    @Test
    void theInterruptIsAcknowledgedBeforeTheHandlerRunsAllItsSteps() {
        line.requestIrq(
                new FakeAction(run.script("irq")
                        .step(100, on -> run.note("acks " + msi.acks + ", in progress " + line.inProgress()))
                        .step(200)
                        .step(300)),
                other);
        run.at(1_000, msi::event);
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "1000 irq",
                        "1000 acks 1, in progress true",
                        "1100 irq 2",
                        "1300 irq 3",
                        "1600 irq done");
        assertThat(line.inProgress()).isFalse();
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void eventsOnTheSameCpuDuringTheHandlerPendInItsVectorAndRunTheHandlerOnceMore() {
        line.requestIrq(new FakeAction(run.script("irq").step(1_000)), other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.at(200, msi::event);
        run.at(300, msi::event);
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask", "100 irq", "1100 irq done", "1100 irq", "2100 irq done");
        assertThat(msi.messages).isEqualTo(3);
        assertThat(line.handled()).isEqualTo(2);
        assertThat(line.refused()).isZero();
        assertThat(cpu.hardirqs(io.irqlab.core.cpu.Vector.Source.DEVICE)).isEqualTo(2);
    }

    @Test
    void anEventOnAnotherCpuDuringTheHandlerIsMaskedThereAndHandledByTheRunningHandlersCpu() {
        line.requestIrq(new FakeAction(run.script("irq").step(1_000)), other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.at(200, () -> line.refuse(other)); // what that CPU's flow does with it
        run.until(10_000);

        // Within one hardirq: mask on the other CPU, unmask and the second run on this one.
        assertThat(run.log())
                .containsExactly(
                        "0 unmask", "100 irq", "200 mask", "1100 irq done", "1100 unmask", "1100 irq", "2100 irq done");
        assertThat(cpu.hardirqs(io.irqlab.core.cpu.Vector.Source.DEVICE)).isEqualTo(1);
        assertThat(line.pending()).isFalse();
    }

    @Test
    void butNotIfTheLineWasDisabledMeanwhile() {
        line.requestIrq(new FakeAction(run.script("irq").step(1_000)), other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.at(200, () -> line.refuse(other));
        run.at(300, () -> line.disable(other));
        run.at(5_000, () -> line.enable(other));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask", "100 irq", "200 mask", "1100 irq done", "5000 unmask", "5000 irq", "6000 irq done");
    }

    @Test
    void anEventThatIsRefusedTwiceIsMaskedOnce() {
        line.requestIrq(new FakeAction(run.script("irq")), other, IrqFlag.THREADED);
        run.at(100, () -> line.disable(other));
        run.at(200, () -> line.raise());
        run.at(300, () -> line.raise()); // was under way when the line was masked
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask", "200 mask");
        assertThat(line.refused()).isEqualTo(2);
        assertThat(msi.acks).isEqualTo(2);
    }

    @Test
    void aLineThatIsEnabledAgainIsHandledAsBefore() {
        line.requestIrq(new FakeAction(run.script("irq").step(10)), other, IrqFlag.THREADED);
        for (int i = 1; i <= 5; i++) {
            run.at(i * 1_000, () -> line.disable(other));
            run.at(i * 1_000 + 100, msi::event);
            run.at(i * 1_000 + 200, () -> line.enable(other));
            run.at(i * 1_000 + 300, msi::event);
        }
        run.until(10_000);

        assertThat(line.handled()).isEqualTo(10);
        assertThat(line.refused()).isEqualTo(5);
    }
}
