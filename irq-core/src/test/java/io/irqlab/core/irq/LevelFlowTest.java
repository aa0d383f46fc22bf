package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import org.junit.jupiter.api.Test;

/** The level flow: masked while the handlers run; what is still asserted then interrupts again. */
final class LevelFlowTest {
    private final TestMachine machine = new TestMachine(2);
    private final Cpu cpu = machine.cpu(0);
    private final Cpu other = machine.cpu(1);
    private final FakeChip chip = new FakeChip(machine.run, FlowType.LEVEL);
    private final IrqDescriptor line = machine.line(16, "pci", chip, 0);

    @Test
    void theLineIsMaskedWhileTheHandlerServesItsDevice() {
        line.requestIrq(serving("irq", 1_000, 1), other);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "100 mask on 0", "100 irq on 0", "1100 irq done", "1100 unmask on 0");
        assertThat(line.handled()).isEqualTo(1);
        assertThat(line.inProgress()).isFalse();
    }

    @Test
    void aLevelThatIsStillAssertedAfterTheUnmaskInterruptsAgain() {
        line.requestIrq(serving("irq", 100, 3), other);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log().stream().filter(entry -> entry.endsWith("irq on 0")))
                .containsExactly("100 irq on 0", "200 irq on 0", "300 irq on 0");
        assertThat(line.handled()).isEqualTo(3);
    }

    @Test
    void aLevelOfTheSecondOfTwoSharedHandlersIsServedByIt() {
        var first = machine.action("first", 10);
        first.result = IrqReturn.NONE;
        line.requestIrq("first", first, other, IrqFlag.SHARED);
        line.requestIrq("second", serving("second", 20, 1), other, IrqFlag.SHARED);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 0",
                        "100 first on 0",
                        "110 first done",
                        "110 second on 0",
                        "130 second done",
                        "130 unmask on 0");
        assertThat(line.unhandled()).isZero();
    }

    @Test
    void aLineWithoutAHandlerIsNotUnmasked() {
        line.requestIrq(serving("irq", 10, 1), other);
        line.freeIrq(actionOf, other);
        machine.run.at(100, line::raise); // was under way
        machine.run.until(10_000);

        assertThat(machine.run.log()).containsExactly("0 unmask on 1", "0 mask on 1");
        assertThat(line.pending()).isTrue();
        assertThat(line.refused()).isEqualTo(1);
    }

    @Test
    void aLineThatIsDisabledLazilyIsMaskedByItsNextInterrupt() {
        line.requestIrq(serving("irq", 10, 1), other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(900, () -> line.enable(other));
        machine.run.until(10_000);

        // Still asserted, it needs no replay.
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "200 mask on 0",
                        "900 unmask on 1",
                        "900 mask on 0",
                        "900 irq on 0",
                        "910 irq done",
                        "910 unmask on 0");
        assertThat(line.pending()).isFalse();
        assertThat(line.handled()).isEqualTo(1);
        assertThat(line.refused()).isEqualTo(1);
    }

    @Test
    void aLevelThatWentAwayWhileTheLineWasDisabledIsNotReplayed() {
        line.requestIrq(serving("irq", 10, 1), other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(300, chip::served);
        machine.run.at(900, () -> line.enable(other));
        machine.run.until(10_000);

        assertThat(machine.run.log()).containsExactly("0 unmask on 1", "200 mask on 0", "900 unmask on 1");
        assertThat(line.pending()).isFalse();
    }

    @Test
    void aLineThatIsDisabledAtOnceIsNotInterrupted() {
        chip.disablesAtOnce = true;
        line.requestIrq(serving("irq", 10, 1), other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(900, () -> line.enable(other));
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 1",
                        "900 unmask on 1",
                        "900 mask on 0",
                        "900 irq on 0",
                        "910 irq done",
                        "910 unmask on 0");
        assertThat(line.refused()).isZero();
    }

    @Test
    void disablingWhileTheHandlerRunsKeepsTheMask() {
        line.requestIrq(serving("irq", 1_000, 1), other);
        machine.run.at(100, chip::event);
        machine.run.at(200, () -> line.disable(other));
        machine.run.at(3_000, () -> line.enable(other));
        machine.run.until(2_000);
        assertThat(line.masked()).isTrue();
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "100 mask on 0", "100 irq on 0", "1100 irq done", "3000 unmask on 1");
    }

    @Test
    void aOneshotLevelIsServedByItsThreadAndInterruptsNotBefore() {
        request("a", 500, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 0",
                        "100 a on 0",
                        "110 a done",
                        "110 a thread",
                        "610 a thread done",
                        "610 unmask on 0");
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void enablingTheLineWhileAThreadHoldsItLetsTheLevelThroughOnceMore() {
        request("a", 500, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.at(200, () -> line.disable(other));
        machine.run.at(300, () -> line.enable(other));
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 mask on 0",
                        "100 a on 0",
                        "110 a done",
                        "110 a thread",
                        "300 unmask on 1",
                        "300 mask on 0",
                        "300 a on 0",
                        "310 a done",
                        "620 a thread done",
                        "620 a thread",
                        "1120 a thread done",
                        "1120 unmask on 0");
    }

    @Test
    void ofTwoOneshotThreadsTheLastOneUnmasks() {
        request("a", 500, IrqFlag.THREADED, IrqFlag.ONESHOT, IrqFlag.SHARED);
        request("b", 300, IrqFlag.THREADED, IrqFlag.ONESHOT, IrqFlag.SHARED);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .endsWith("620 a thread done", "620 b thread", "920 b thread done", "920 unmask on 0");
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void aLevelCannotBeModerated() {
        line.requestIrq(serving("irq", 10, 1), other);
        assertThat(line.moderatable()).isFalse();
    }

    @Test
    void theLineKeepsItsCpu() {
        assertThat(line.cpu()).isSameAs(cpu);
        assertThat(line.flow()).hasToString("level");
    }

    private IrqAction actionOf;

    /** A handler whose device is served after some calls. */
    private FakeAction serving(String name, long durationNs, int calls) {
        int[] left = {calls};
        var noting = machine.action(name, durationNs);
        var action = new FakeAction(on -> {
            long ns = noting.handlerStep(on);
            if (ns == Routine.DONE && --left[0] == 0) {
                chip.served();
            }
            return ns;
        });
        actionOf = action;
        return action;
    }

    private void request(String name, long threadNs, IrqFlag... flags) {
        var action = new FakeAction(
                machine.action(name, 10)::handlerStep,
                machine.run.script(name + " thread").step(threadNs).end(on -> chip.served()));
        action.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(name, action, other, flags);
    }
}
