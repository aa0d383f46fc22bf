package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import org.junit.jupiter.api.Test;

/** The machine suspends: device interrupts are held back, but for those that may wake it or must go on. */
final class SuspendTest {
    private final TestMachine machine = new TestMachine(2);
    private final Cpu cpu = machine.cpu(0);
    private final FakeChip chip = new FakeChip(machine.run, FlowType.EDGE);
    private final IrqDescriptor line = machine.line(40, "eth0", chip, 1);

    @Test
    void aLineIsDisabledLazilyAndItsEventReplayedAtResume() {
        request();
        suspendAt(100);
        machine.run.at(200, chip::event);
        machine.run.at(300, chip::event);
        resumeAt(900);
        machine.run.until(150);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.masked()).isFalse();
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly("0 unmask on 0", "200 mask on 1", "900 unmask on 0", "900 irq on 1", "1000 irq done");
        assertThat(machine.interrupts.wakeUps()).isEmpty();
    }

    @Test
    void aChipThatMustBeMaskedInSuspendIsMaskedAtOnce() {
        chip.maskedOnSuspend = true;
        request();
        suspendAt(100);
        machine.run.at(200, chip::event);
        resumeAt(900);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly("0 unmask on 0", "100 mask on 0", "900 unmask on 0", "900 irq on 1", "1000 irq done");
        assertThat(line.refused()).isZero();
    }

    @Test
    void aLineThatSaidNoSuspendGoesOn() {
        request(IrqFlag.NO_SUSPEND);
        suspendAt(100);
        machine.run.at(200, chip::event);
        resumeAt(900);
        machine.run.until(10_000);
        assertThat(machine.run.log()).containsExactly("0 unmask on 0", "200 irq on 1", "300 irq done");
        assertThat(line.depth()).isZero();
    }

    @Test
    void oneOfItsSharedHandlersIsEnoughForThat() {
        request(IrqFlag.SHARED);
        line.requestIrq("b", machine.action("b", 10), cpu, IrqFlag.SHARED, IrqFlag.NO_SUSPEND);
        suspendAt(100);
        machine.run.at(200, chip::event);
        machine.run.until(10_000);
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void aWakeUpLineReportsItsFirstEventAndHandlesItAtResume() {
        request();
        line.setWake(true);
        suspendAt(100);
        machine.run.at(200, chip::event);
        machine.run.at(300, chip::event);
        resumeAt(900);
        machine.run.until(150);
        assertThat(line.depth()).isZero();
        machine.run.until(250);
        assertThat(machine.interrupts.wakeUps()).containsExactly(line);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.pending()).isTrue();
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly("0 unmask on 0", "200 mask on 1", "900 unmask on 0", "900 irq on 1", "1000 irq done");
        assertThat(machine.interrupts.wakeUps()).containsExactly(line);
        assertThat(line.depth()).isZero();
    }

    @Test
    void wakeUpsAreInTheOrderOfTheirEventsAndForgottenAtTheNextSuspend() {
        request();
        line.setWake(true);
        var keyChip = new FakeChip(machine.run, FlowType.LEVEL);
        var keys = machine.line(1, "i8042", keyChip, 0);
        keys.requestIrq(
                new FakeAction(on -> {
                    keyChip.served();
                    return -1;
                }),
                cpu);
        keys.setWake(true);
        suspendAt(100);
        machine.run.at(200, chip::event);
        machine.run.at(300, keyChip::event);
        resumeAt(900);
        machine.run.until(1_500);
        assertThat(machine.interrupts.wakeUps()).containsExactly(line, keys);
        assertThat(keys.handled()).isEqualTo(1);
        machine.interrupts.suspendDeviceIrqs(cpu);
        assertThat(machine.interrupts.wakeUps()).isEmpty();
    }

    @Test
    void aWakeUpLineThatStaysQuietIsAsBefore() {
        request();
        line.setWake(true);
        suspendAt(100);
        resumeAt(900);
        machine.run.at(1_000, chip::event);
        machine.run.until(10_000);
        assertThat(machine.interrupts.wakeUps()).isEmpty();
        assertThat(machine.run.log()).containsExactly("0 unmask on 0", "1000 irq on 1", "1100 irq done");
    }

    @Test
    void aLineThatMayNoLongerWakeIsSuspendedLikeOthers() {
        request();
        line.setWake(true);
        line.setWake(false);
        machine.interrupts.suspendDeviceIrqs(cpu);
        assertThat(line.depth()).isEqualTo(1);
    }

    @Test
    void aDriversDisableNestsWithIt() {
        request();
        machine.run.at(50, () -> line.disable(cpu));
        suspendAt(100);
        machine.run.at(200, chip::event);
        resumeAt(900);
        machine.run.until(950);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.handled()).isZero();
        machine.run.at(1_000, () -> line.enable(cpu));
        machine.run.until(10_000);
        assertThat(machine.run.log()).endsWith("1000 unmask on 0", "1000 irq on 1", "1100 irq done");
    }

    @Test
    void aDriversEnableDuringSuspendDoesNotEndIt() {
        request();
        machine.run.at(50, () -> line.disable(cpu));
        suspendAt(100);
        machine.run.at(150, () -> line.enable(cpu));
        machine.run.at(200, chip::event);
        resumeAt(900);
        machine.run.until(500);
        assertThat(line.handled()).isZero();
        machine.run.until(10_000);
        assertThat(machine.run.log()).endsWith("900 unmask on 0", "900 irq on 1", "1000 irq done");
    }

    @Test
    void anUnbalancedEnableDoesNotUndoTheSuspend() {
        request();
        machine.interrupts.suspendDeviceIrqs(cpu);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.enable(cpu))
                .withMessage("unbalanced enable of irq 40 (eth0)");
        assertThat(line.depth()).isEqualTo(1);
        machine.interrupts.resumeDeviceIrqs(cpu);
        assertThat(line.depth()).isZero();
    }

    @Test
    void aLineWithoutAHandlerIsLeftAlone() {
        machine.interrupts.suspendDeviceIrqs(cpu);
        assertThat(line.depth()).isEqualTo(1);
        request();
        assertThat(line.depth()).isZero();
        machine.interrupts.resumeDeviceIrqs(cpu);
        assertThat(line.depth()).isZero();
    }

    @Test
    void aLineThatIsFreedInSuspendIsNotEnabledByTheResume() {
        var action = machine.action("irq", 100);
        line.requestIrq(action, cpu);
        machine.interrupts.suspendDeviceIrqs(cpu);
        line.freeIrq(action, cpu);
        machine.interrupts.resumeDeviceIrqs(cpu);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.masked()).isTrue();
    }

    @Test
    void suspendingOrResumingTwiceIsAnError() {
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.interrupts.resumeDeviceIrqs(cpu))
                .withMessage("the device interrupts are not suspended");
        machine.interrupts.suspendDeviceIrqs(cpu);
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.interrupts.suspendDeviceIrqs(cpu))
                .withMessage("the device interrupts are suspended already");
        machine.interrupts.resumeDeviceIrqs(cpu);
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.interrupts.resumeDeviceIrqs(cpu))
                .withMessage("the device interrupts are not suspended");
    }

    private void request(IrqFlag... flags) {
        line.requestIrq(machine.action("irq", 100), cpu, flags);
    }

    private void suspendAt(long ns) {
        machine.run.at(ns, () -> machine.interrupts.suspendDeviceIrqs(cpu));
    }

    private void resumeAt(long ns) {
        machine.run.at(ns, () -> machine.interrupts.resumeDeviceIrqs(cpu));
    }
}
