package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** What lines do while the machine is suspended. */
final class SuspendTest {
    private final LineRig rig = new LineRig(2);
    private final IrqDescriptor line = rig.line(FlowType.EDGE, 0);
    private final FakeAction action = rig.handler("irq", 100);

    @Test
    void anEventIsRememberedAndReplayedAtResume() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, () -> rig.interrupts.suspendDeviceIrqs(rig.cpu(0)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(300, rig.msi::event);
        rig.run.at(1_000, () -> rig.interrupts.resumeDeviceIrqs(rig.cpu(0)));
        rig.run.until(900);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.pending()).isTrue();
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("200 mask", "1000 unmask", "1000 irq on 0", "1100 irq done");
    }

    @Test
    void aHandlerThatMustNotSleepKeepsItsLineOn() {
        line.requestIrq(action, rig.cpu(1), IrqFlag.NO_SUSPEND);
        rig.run.at(100, () -> rig.interrupts.suspendDeviceIrqs(rig.cpu(0)));
        rig.run.at(200, rig.msi::event);
        rig.run.until(1_000);

        assertThat(line.handled()).isEqualTo(1);
        assertThat(line.depth()).isZero();
    }

    @Test
    void aWakeUpLineReportsItsFirstEventAndReplaysIt() {
        line.requestIrq(action, rig.cpu(1));
        line.setWake(true);
        rig.run.at(100, () -> rig.interrupts.suspendDeviceIrqs(rig.cpu(0)));
        rig.run.until(150);
        assertThat(line.depth()).isZero();
        assertThat(rig.interrupts.wakeUps()).isEmpty();

        rig.run.at(200, rig.msi::event);
        rig.run.until(900);
        assertThat(rig.interrupts.wakeUps()).containsExactly(line);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.handled()).isZero();

        rig.run.at(1_000, () -> rig.interrupts.resumeDeviceIrqs(rig.cpu(0)));
        rig.run.until(5_000);
        assertThat(rig.logFrom(1_000)).containsExactly("1000 unmask", "1000 irq on 0", "1100 irq done");
        assertThat(line.depth()).isZero();
    }

    @Test
    void aWakeUpLineWithoutAnEventResumesAsItWas() {
        line.requestIrq(action, rig.cpu(1));
        line.setWake(true);
        rig.interrupts.suspendDeviceIrqs(rig.cpu(0));
        rig.interrupts.resumeDeviceIrqs(rig.cpu(0));
        rig.msi.event();
        rig.run.until(1_000);

        assertThat(line.handled()).isEqualTo(1);
        assertThat(rig.interrupts.wakeUps()).isEmpty();
    }

    @Test
    void theSuspensionsDisableNestsWithTheDrivers() {
        line.requestIrq(action, rig.cpu(1));
        line.disable(rig.cpu(1));
        rig.interrupts.suspendDeviceIrqs(rig.cpu(0));
        assertThat(line.depth()).isEqualTo(2);
        line.enable(rig.cpu(1));
        assertThat(line.depth()).isEqualTo(1);

        assertThatIllegalStateException()
                .isThrownBy(() -> line.enable(rig.cpu(1)))
                .withMessage("unbalanced enable of irq 24 (eth0)");
        rig.interrupts.resumeDeviceIrqs(rig.cpu(0));
        assertThat(line.depth()).isZero();
    }

    @Test
    void aChipThatCannotTellEventsFromWakeUpsIsMaskedAtOnce() {
        rig.msi.maskedOnSuspend = true;
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, () -> rig.interrupts.suspendDeviceIrqs(rig.cpu(0)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(1_000, () -> rig.interrupts.resumeDeviceIrqs(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("100 mask", "1000 unmask", "1000 irq on 0", "1100 irq done");
        assertThat(line.refused()).isZero();
    }

    @Test
    void aLineThatIsFreedWhileSuspendedOwesNothing() {
        line.requestIrq(action, rig.cpu(1));
        rig.interrupts.suspendDeviceIrqs(rig.cpu(0));
        line.freeIrq(action, rig.cpu(1));
        rig.interrupts.resumeDeviceIrqs(rig.cpu(0));
        assertThat(line.depth()).isEqualTo(1);

        line.requestIrq(action, rig.cpu(1));
        assertThat(line.depth()).isZero();
    }

    @Test
    void anArmedLineThatIsFreedWakesNothing() {
        line.requestIrq(action, rig.cpu(1));
        line.setWake(true);
        rig.interrupts.suspendDeviceIrqs(rig.cpu(0));
        line.freeIrq(action, rig.cpu(1));
        line.raise(); // was under way
        rig.run.until(1_000);

        assertThat(rig.interrupts.wakeUps()).isEmpty();
        assertThat(line.depth()).isEqualTo(1);
    }

    @Test
    void suspendingTwiceIsAnError() {
        rig.interrupts.suspendDeviceIrqs(rig.cpu(0));

        assertThatIllegalStateException()
                .isThrownBy(() -> rig.interrupts.suspendDeviceIrqs(rig.cpu(0)))
                .withMessage("the device interrupts are suspended already");
        rig.interrupts.resumeDeviceIrqs(rig.cpu(0));
        assertThatIllegalStateException()
                .isThrownBy(() -> rig.interrupts.resumeDeviceIrqs(rig.cpu(0)))
                .withMessage("the device interrupts are not suspended");
    }
}
