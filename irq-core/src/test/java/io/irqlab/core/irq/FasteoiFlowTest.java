package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import org.junit.jupiter.api.Test;

/** The fasteoi flow: the chip holds further interrupts back until it is told the end. */
final class FasteoiFlowTest {
    private final TestMachine machine = new TestMachine(2);
    private final Cpu cpu = machine.cpu(0);
    private final Cpu other = machine.cpu(1);
    private final FakeChip chip = new FakeChip(machine.run, FlowType.FASTEOI);
    private final IrqDescriptor line = machine.line(24, "gic", chip, 0);

    @Test
    void theEndIsToldAfterTheHandlerAndLetsTheNextEventThrough() {
        line.requestIrq(machine.action("irq", 1_000), other);
        machine.run.at(100, chip::event);
        machine.run.at(200, chip::event);
        machine.run.at(300, chip::event); // merges with the one before
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 irq on 0",
                        "1100 irq done",
                        "1100 eoi on 0",
                        "1100 irq on 0",
                        "2100 irq done",
                        "2100 eoi on 0");
        assertThat(line.handled()).isEqualTo(2);
        assertThat(line.refused()).isZero();
    }

    @Test
    void aLineWithoutAHandlerIsMaskedAndItsEventRemembered() {
        machine.run.at(100, line::raise);
        machine.run.at(500, () -> line.requestIrq(machine.action("irq", 10), other));
        machine.run.until(400);
        assertThat(line.pending()).isTrue();
        assertThat(machine.run.log()).containsExactly("100 eoi on 0"); // masked as it was made
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly("100 eoi on 0", "500 unmask on 1", "500 irq on 0", "510 irq done", "510 eoi on 0");
    }

    @Test
    void anEventOfALineThatIsDisabledLazilyIsRememberedMaskedAndEnded() {
        line.requestIrq(machine.action("irq", 10), other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(300, chip::event); // the mask keeps it
        machine.run.at(900, () -> line.enable(cpu));
        machine.run.until(10_000);

        // The replay and the event that the chip kept are one bit in the vector.
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "200 mask on 0",
                        "200 eoi on 0",
                        "900 unmask on 0",
                        "900 irq on 0",
                        "910 irq done",
                        "910 eoi on 0");
        assertThat(line.refused()).isEqualTo(1);
    }

    @Test
    void aLineThatIsDisabledAtOnceNeverRefuses() {
        chip.disablesAtOnce = true;
        line.requestIrq(machine.action("irq", 10), other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(900, () -> line.enable(other));
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 1",
                        "900 unmask on 1",
                        "900 irq on 0",
                        "910 irq done",
                        "910 eoi on 0");
        assertThat(line.refused()).isZero();
    }

    @Test
    void anEventOnAnotherCpuWhileTheHandlerRunsIsReplayedByTheHandlersCpu() {
        line.requestIrq(machine.action("irq", 1_000), other);
        machine.run.at(100, chip::event);
        machine.run.at(200, () -> {
            // What the flow does on a CPU to which the line has moved meanwhile.
            assertThat(line.mayHandle(other)).isFalse();
            assertThat(line.runsHandlers()).isTrue();
            line.remember();
            line.eoiUnhandled(other);
        });
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 irq on 0",
                        "200 eoi on 1",
                        "1100 irq done",
                        "1100 eoi on 0",
                        "1100 irq on 0",
                        "2100 irq done",
                        "2100 eoi on 0");
    }

    @Test
    void anEventInsideAWindowIsRememberedAndMaskedThere() {
        line.requestIrq(machine.action("irq", 10), other);
        machine.run.at(100, () -> line.moderate(cpu));
        machine.run.at(200, chip::event);
        machine.run.at(500, () -> line.unmoderate(cpu));
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "200 mask on 0",
                        "200 eoi on 0",
                        "500 unmask on 0",
                        "500 irq on 0",
                        "510 irq done",
                        "510 eoi on 0");
    }

    @Test
    void aOneshotLineStaysMaskedUntilItsThreadHasEndedAndTheEndIsToldBefore() {
        request("a", 500, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.at(300, chip::event);
        machine.run.until(700);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 0",
                        "100 a on 0",
                        "110 a done",
                        "110 eoi on 0",
                        "110 a thread",
                        "610 a thread done",
                        "610 unmask on 0",
                        "610 mask on 0",
                        "610 a on 0",
                        "620 a done",
                        "620 eoi on 0",
                        "620 a thread");
    }

    @Test
    void ofTwoOneshotThreadsTheLastOneUnmasks() {
        request("a", 500, IrqFlag.THREADED, IrqFlag.ONESHOT, IrqFlag.SHARED);
        request("b", 500, IrqFlag.THREADED, IrqFlag.ONESHOT, IrqFlag.SHARED);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 0",
                        "100 a on 0",
                        "110 a done",
                        "110 b on 0",
                        "120 b done",
                        "120 eoi on 0",
                        "120 a thread",
                        "620 a thread done",
                        "620 b thread",
                        "1120 b thread done",
                        "1120 unmask on 0");
    }

    @Test
    void aOneshotHandlerThatWakesNoThreadUnmasksAtOnce() {
        line.requestIrq(machine.action("irq", 10), other, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 0",
                        "100 irq on 0",
                        "110 irq done",
                        "110 eoi on 0",
                        "110 unmask on 0");
    }

    @Test
    void aOneshotLineThatIsDisabledByItsThreadStaysMasked() {
        var action = machine.action("irq", 10);
        var disabling = new FakeAction(action::handlerStep, on -> {
            line.disable(on);
            return -1;
        });
        disabling.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(disabling, other, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.at(800, () -> line.enable(other));
        machine.run.until(700);
        assertThat(line.masked()).isTrue();
        machine.run.until(10_000);
        assertThat(machine.run.log()).endsWith("110 eoi on 0", "800 unmask on 1");
    }

    @Test
    void aChipThatIsSafeForOneshotIsNotMasked() {
        chip.oneshotSafe = true;
        request("a", 500, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 a on 0",
                        "110 a done",
                        "110 eoi on 0",
                        "110 a thread",
                        "610 a thread done");
    }

    @Test
    void norDoesItsThreadHoldTheLineOrKeepOthersFromSharing() {
        chip.oneshotSafe = true;
        request("a", 5_000, IrqFlag.SHARED, IrqFlag.THREADED, IrqFlag.ONESHOT);
        line.requestIrq("b", new FakeAction(on -> -1), other, IrqFlag.SHARED);
        machine.run.at(100, chip::event);
        machine.run.at(200, () -> line.disable(other));
        machine.run.at(300, chip::event);
        machine.run.at(400, () -> line.enable(other));
        machine.run.until(1_000);
        assertThat(line.masked()).isFalse();
        assertThat(line.handled()).isEqualTo(2);
    }

    @Test
    void aChipThatIsToldTheEndOnlyOfWhatWasHandledKeepsTheEvent() {
        chip.eoiIfHandled = true;
        line.requestIrq(machine.action("irq", 10), other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(900, () -> line.enable(other));
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "200 mask on 0",
                        "900 unmask on 1",
                        "900 irq on 0",
                        "910 irq done",
                        "910 eoi on 0");
    }

    private void request(String name, long threadNs, IrqFlag... flags) {
        var action = new FakeAction(
                machine.action(name, 10)::handlerStep,
                machine.run.script(name + " thread").step(threadNs));
        action.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(name, action, other, flags);
    }
}
