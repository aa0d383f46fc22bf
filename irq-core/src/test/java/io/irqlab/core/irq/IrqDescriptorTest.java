package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuTimes;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import org.junit.jupiter.api.Test;

/** Lazy disable, replay on enable, and what is counted. */
final class IrqDescriptorTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private final Cpu other = new Cpu(1, run.queue, TestCosts.free());
    private final FakeMsi msi = new FakeMsi(run);
    private final IrqDescriptor line = TestInterrupts.edge(run.queue, 37, "nvme0q1", cpu, msi, null);
    private final FakeAction action = new FakeAction(run.script("irq").step(1_000));

    IrqDescriptorTest() {
        msi.connect(line);
    }

    @Test
    void aNewLineIsDisabledAndMaskedUntilAHandlerIsRequested() {
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.masked()).isTrue();
        assertThat(line.pending()).isFalse();
        assertThat(line.inProgress()).isFalse();

        line.requestIrq(action, other, IrqFlag.THREADED);
        assertThat(line.depth()).isZero();
        assertThat(line.masked()).isFalse();
        assertThat(msi.masked).isFalse();
    }

    @Test
    void eventsBeforeTheRequestAreDeliveredAsOne() {
        run.at(10, msi::event);
        run.at(20, msi::event);
        run.at(100, () -> line.requestIrq(action, other, IrqFlag.THREADED));
        run.until(10_000);

        assertThat(run.log()).containsExactly("100 unmask", "100 irq", "1100 irq done");
    }

    @Test
    void aVectorThatIsRaisedBeforeTheRequestIsRefusedAndReplayedThen() {
        run.at(10, () -> line.raise());
        run.at(100, () -> line.requestIrq(action, other, IrqFlag.THREADED));
        run.until(50);
        assertThat(line.pending()).isTrue();
        assertThat(line.refused()).isEqualTo(1);
        run.until(10_000);

        assertThat(run.log()).containsExactly("100 unmask", "100 irq", "1100 irq done");
    }

    @Test
    void aLineHasOneHandler() {
        line.requestIrq(action, other, IrqFlag.THREADED);

        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(action, other, IrqFlag.THREADED))
                .withMessage("irq 37 (nvme0q1) has a handler already, and is not to be shared");
    }

    @Test
    void disablingIsLazyTheNextEventIsRefusedRememberedAndMasked() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, () -> line.disable(other));
        run.until(199);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.masked()).isFalse();
        assertThat(msi.masked).isFalse();

        run.at(200, msi::event);
        run.until(299);
        assertThat(line.masked()).isTrue();
        assertThat(msi.masked).isTrue();
        assertThat(line.pending()).isTrue();
        assertThat(msi.acks).isEqualTo(1);

        run.at(300, msi::event);
        run.until(1_000);
        assertThat(msi.pending).isTrue();
        assertThat(msi.messages).isEqualTo(1);
        assertThat(line.refused()).isEqualTo(1);
        assertThat(line.handled()).isZero();
        assertThat(run.log()).containsExactly("0 unmask", "200 mask");
    }

    @Test
    void enablingReplaysOneInterruptForAllEventsMeanwhile() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, () -> line.disable(other));
        run.at(200, msi::event); // refused
        run.at(300, msi::event); // in the device's pending bit
        run.at(400, msi::event);
        run.at(500, () -> line.enable(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask", "200 mask", "500 unmask", "500 irq", "1500 irq done");
        assertThat(line.handled()).isEqualTo(1);
        assertThat(line.refused()).isEqualTo(1);
        assertThat(line.pending()).isFalse();
        assertThat(msi.pending).isFalse();
    }

    @Test
    void aReplayNeedsNoMessageOfTheDevice() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, () -> line.disable(other));
        run.at(200, msi::event);
        run.at(500, () -> line.enable(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask", "200 mask", "500 unmask", "500 irq", "1500 irq done");
        assertThat(msi.messages).isEqualTo(1);
    }

    @Test
    void enablingReplaysNothingIfNothingHappened() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, () -> line.disable(other));
        run.at(500, () -> line.enable(other));
        run.at(600, msi::event);
        run.until(10_000);

        // Lazy as it is, disabling has not even masked the line.
        assertThat(run.log()).containsExactly("0 unmask", "600 irq", "1600 irq done");
    }

    @Test
    void disablesNestAndTheLastEnableCounts() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, () -> {
            line.disable(other);
            line.disable(other);
            line.disable(cpu);
        });
        run.at(200, msi::event);
        run.at(300, () -> line.enable(cpu));
        run.at(400, () -> line.enable(other));
        run.until(450);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.pending()).isTrue();
        assertThat(run.log()).containsExactly("0 unmask", "200 mask");

        run.at(500, () -> line.enable(other));
        run.until(10_000);
        assertThat(line.depth()).isZero();
        assertThat(run.log()).containsExactly("0 unmask", "200 mask", "500 unmask", "500 irq", "1500 irq done");
    }

    @Test
    void anEnableTooManyIsAnErrorAndChangesNothing() {
        line.requestIrq(action, other, IrqFlag.THREADED);

        assertThatIllegalStateException()
                .isThrownBy(() -> line.enable(other))
                .withMessage("unbalanced enable of irq 37 (nvme0q1)");
        assertThat(line.depth()).isZero();
        run.at(100, msi::event);
        run.until(10_000);
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void disablingWhileTheHandlerRunsLetsItFinish() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.at(200, () -> line.disable(other));
        run.at(300, msi::event);
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 unmask", "100 irq", "1100 irq done", "1100 mask");
        assertThat(line.pending()).isTrue();
        assertThat(line.inProgress()).isFalse();
    }

    @Test
    void aHandlerMayDisableItsLineAndAnotherCpuEnableIt() {
        var disabling = new FakeAction(run.script("irq").step(1_000, line::disable));
        line.requestIrq(disabling, other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.at(200, msi::event); // taken at 1100, and refused
        run.at(5_000, () -> line.enable(other));
        run.at(5_500, () -> line.enable(other));
        run.until(20_000);

        assertThat(run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq",
                        "1100 irq done",
                        "1100 mask",
                        "5000 unmask",
                        "5000 irq",
                        "6000 irq done");
        assertThat(line.depth()).isZero();
    }

    @Test
    void maskingAndUnmaskingArePaidForByTheCpuThatDoesThem() {
        Cpu costly = new Cpu(2, run.queue, costs().hardirq(300, 200).build());
        FakeMsi slow = new FakeMsi(run);
        slow.maskNs = 700;
        slow.unmaskNs = 90;
        var slowLine = TestInterrupts.edge(run.queue, 38, "nvme0q2", costly, slow, null);
        slow.connect(slowLine);
        slowLine.requestIrq(new FakeAction(run.script("irq").step(1_000)), other, IrqFlag.THREADED);
        var enabler = costly.allocateVector("enabler", run.script("enabler").end(slowLine::enable));
        run.at(100, () -> slowLine.disable(other));
        run.at(1_000, slow::event);
        run.at(5_000, () -> costly.raise(enabler));
        run.until(10_000);

        // Refused and masked within 300 + 700 + 200 ns; enabled within 300 + 90 + 200 ns; then replayed.
        assertThat(run.log())
                .containsExactly(
                        "0 unmask", "1300 mask", "5300 enabler done", "5300 unmask", "5890 irq", "6890 irq done");
        assertThat(costly.times()).isEqualTo(new CpuTimes(1_200 + 590 + 1_500, 0, 0, 0, 10_000 - 3_290));
        assertThat(costly.deviceVectors().get(0).timeNs()).isEqualTo(1_200 + 1_500);
    }

    @Test
    void interruptsThatTheHandlerDisownsAreCounted() {
        action.result = IrqReturn.NONE;
        line.requestIrq(action, other, IrqFlag.THREADED);
        run.at(100, msi::event);
        run.at(2_000, msi::event);
        run.until(10_000);

        assertThat(line.handled()).isEqualTo(2);
        assertThat(line.unhandled()).isEqualTo(2);
    }

    @Test
    void aLineKnowsItsNumberItsNameAndItsCpu() {
        assertThat(line.irq()).isEqualTo(37);
        assertThat(line.name()).isEqualTo("nvme0q1");
        assertThat(line.cpu()).isSameAs(cpu);
        assertThat(cpu.deviceVectors().get(0).name()).isEqualTo("nvme0q1");
        assertThat(line.moderatable()).isFalse();
        line.requestIrq(action, other);
        assertThat(line.moderatable()).isTrue();
        assertThat(line).hasToString("37:nvme0q1");
    }
}
