package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import org.junit.jupiter.api.Test;

/** The windows that a flow policy opens and closes, beside what the driver does to the line. */
final class ModerationWindowTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final Cpu other = new Cpu(1, run.queue, TestCosts.free());
    private final FakeMsi msi = new FakeMsi(run);
    private final WindowPolicy policy = new WindowPolicy();
    private final IrqDescriptor line = TestInterrupts.edge(run.queue, 37, "nvme0q1", cpu, msi, policy);

    ModerationWindowTest() {
        msi.connect(line);
    }

    @Test
    void inAWindowTheFirstEventIsRefusedAndMaskedAndTheRestStayInTheDevice() {
        request();
        run.at(100, msi::event);
        run.at(500, msi::event);
        run.at(600, msi::event);
        run.until(1_000);

        assertThat(run.log()).containsExactly("0 unmask", "100 irq", "110 irq done", "110 opened", "500 mask");
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.inProgress()).isTrue();
        assertThat(line.pending()).isTrue();
        assertThat(msi.pending).isTrue();
        assertThat(line.refused()).isEqualTo(1);
    }

    @Test
    void closingAWindowReplaysOneInterrupt() {
        request();
        run.at(100, msi::event);
        run.at(500, msi::event);
        run.at(600, msi::event);
        run.at(1_000, () -> close(cpu));
        run.until(5_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq",
                        "110 irq done",
                        "110 opened",
                        "500 mask",
                        "1000 unmask",
                        "1000 irq",
                        "1010 irq done",
                        "1010 opened");
        assertThat(line.handled()).isEqualTo(2);
    }

    @Test
    void closingAWindowWithoutEventsTouchesNoHardware() {
        request();
        run.at(100, msi::event);
        run.at(1_000, () -> close(cpu));
        run.at(2_000, msi::event);
        run.until(5_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq",
                        "110 irq done",
                        "110 opened",
                        "2000 irq",
                        "2010 irq done",
                        "2010 opened");
    }

    @Test
    void aWindowMayBeClosedByATimerOfTheSameCpu() {
        var timer = new HrTimer(cpu, on -> {
            run.note("timer");
            line.unmoderate(on);
        });
        policy.timer = timer;
        request();
        run.at(100, msi::event);
        run.at(500, msi::event);
        run.until(1_500);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq",
                        "110 irq done",
                        "110 opened",
                        "500 mask",
                        "1110 timer",
                        "1110 unmask",
                        "1110 irq",
                        "1120 irq done",
                        "1120 opened");
    }

    @Test
    void theDriversDisableInsideAWindowOutlastsIt() {
        request();
        run.at(100, msi::event);
        run.at(300, () -> line.disable(other));
        run.at(500, msi::event);
        run.at(1_000, () -> close(cpu));
        run.until(1_500);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.pending()).isTrue();
        assertThat(line.inProgress()).isFalse();
        assertThat(line.masked()).isTrue();

        run.at(2_000, () -> line.enable(other));
        run.until(5_000);
        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq",
                        "110 irq done",
                        "110 opened",
                        "500 mask",
                        "2000 unmask",
                        "2000 irq",
                        "2010 irq done",
                        "2010 opened");
    }

    @Test
    void theDriversEnableInsideAWindowDoesNotEndIt() {
        request();
        run.at(50, () -> line.disable(other));
        run.at(60, () -> line.enable(other));
        run.at(100, msi::event);
        run.at(300, () -> line.disable(other));
        run.at(500, msi::event);
        run.at(700, () -> line.enable(other));
        run.until(900);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.pending()).isTrue();

        run.at(1_000, () -> close(cpu));
        run.until(1_005);
        assertThat(line.handled()).isEqualTo(2);
    }

    @Test
    void aWindowOpensThoughTheHandlerHasDisabledTheLine() {
        line.requestIrq(new FakeAction(run.script("irq").step(10, line::disable)), other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.until(500);
        assertThat(line.depth()).isEqualTo(2);

        close(cpu);
        assertThat(line.depth()).isEqualTo(1);
        run.at(600, msi::event);
        run.at(700, () -> line.enable(other));
        run.until(705);
        assertThat(line.handled()).isEqualTo(2);
    }

    @Test
    void anEventThatAnotherCpuRefusedDuringTheHandlerWaitsForTheWindowsEnd() {
        request();
        run.at(100, msi::event);
        run.at(105, () -> line.refuse(other));
        run.at(1_000, () -> close(cpu));
        run.until(1_005);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask", "100 irq", "105 mask", "110 irq done", "110 opened", "1000 unmask", "1000 irq");
    }

    @Test
    void withoutAWindowSuchAnEventIsHandledAtOnceAndThePolicyIsAskedAgain() {
        policy.opens = false;
        request();
        run.at(100, msi::event);
        run.at(105, () -> line.refuse(other));
        run.until(5_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq",
                        "105 mask",
                        "110 irq done",
                        "110 asked",
                        "110 unmask",
                        "110 irq",
                        "120 irq done",
                        "120 asked");
    }

    @Test
    void thePolicyIsNotAskedAboutARefusedEvent() {
        policy.opens = false;
        request();
        run.at(50, () -> line.disable(other));
        run.at(100, msi::event);
        run.until(5_000);

        assertThat(run.log()).containsExactly("0 unmask", "100 mask");
    }

    @Test
    void aWindowIsOpenedAndClosedOnce() {
        request();
        assertThatIllegalStateException()
                .isThrownBy(() -> line.unmoderate(cpu))
                .withMessage("irq 37 (nvme0q1) is not moderated");
        line.moderate(cpu);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.moderate(cpu))
                .withMessage("irq 37 (nvme0q1) is moderated already");
        assertThat(line.depth()).isEqualTo(1);
        line.unmoderate(cpu);
        assertThat(line.depth()).isZero();
    }

    @Test
    void closingAWindowOfALineWhoseHandlerWasFreedDoesNotEnableIt() {
        var action = new FakeAction(run.script("irq").step(10));
        line.requestIrq(action, other);
        line.moderate(cpu);
        line.freeIrq(action, other);

        assertThat(line.quiet()).isFalse();
        line.unmoderate(cpu);

        assertThat(line.quiet()).isTrue();
        assertThat(line.masked()).isTrue();
        assertThat(line.depth()).isEqualTo(1);
    }

    @Test
    void aLineWithoutAHandlerHasNoWindows() {
        assertThatIllegalStateException()
                .isThrownBy(() -> line.moderate(cpu))
                .withMessage("irq 37 (nvme0q1) cannot be moderated");
    }

    private void request() {
        line.requestIrq(new FakeAction(run.script("irq").step(10)), other, IrqFlag.THREADED);
    }

    private void close(Cpu on) {
        line.unmoderate(on);
    }

    /** Opens a window after every handled interrupt, or never; its timer, if it has one, is to end it 1000 ns later. */
    private final class WindowPolicy implements FlowPolicy {
        private boolean opens = true;
        private HrTimer timer;

        @Override
        public boolean onHandled(IrqLine handled, PolicyCpu on) {
            run.note(opens ? "opened" : "asked");
            if (opens) {
                handled.moderate(on);
                if (timer != null) {
                    timer.arm((Cpu) on, 1_000, 0);
                }
            }
            return opens;
        }
    }
}
