package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines with several handlers: all are called, in the order of their requests, until they are freed. */
final class SharedHandlersTest {
    private final TestMachine machine = new TestMachine(2);
    private final Cpu other = machine.cpu(1);
    private final FakeChip chip = new FakeChip(machine.run, FlowType.EDGE);
    private final IrqDescriptor line = machine.line(16, "pci", chip, 0);
    private final FakeAction a = machine.action("a", 100);
    private final FakeAction b = machine.action("b", 100);
    private final FakeAction c = machine.action("c", 100);

    @Test
    void everyHandlerIsCalledEvenIfOneHasHandledIt() {
        share(a, b, c);
        b.result = IrqReturn.NONE;
        machine.run.at(100, chip::event);
        machine.run.until(10_000);

        assertThat(handlers())
                .containsExactly("100 a on 0", "200 a done", "200 b on 0", "300 b done", "300 c on 0", "400 c done");
        assertThat(line.handled()).isEqualTo(1);
        assertThat(line.unhandled()).isZero();
    }

    @Test
    void oneInterruptThatNoneOfThemKnowsIsUnhandledOnce() {
        share(a, b);
        a.result = IrqReturn.NONE;
        b.result = IrqReturn.NONE;
        machine.run.at(100, chip::event);
        machine.run.until(10_000);
        assertThat(line.unhandled()).isEqualTo(1);
    }

    @Test
    void aLineWhoseHandlerDoesNotShareTakesNoOther() {
        line.requestIrq(a, other);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(b, other, IrqFlag.SHARED))
                .withMessage("irq 16 (pci) has a handler already, and that one does not share");
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(b, other))
                .withMessage("irq 16 (pci) has a handler already, and is not to be shared");
        assertThat(line.handlerNames()).containsExactly("pci");
    }

    @Test
    void aHandlerThatDoesNotShareIsRefusedBySharedOnes() {
        share(a);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(b, other))
                .withMessage("irq 16 (pci) has a handler already, and is not to be shared");
        assertThat(line.depth()).isZero();
    }

    @Test
    void handlersMustAgreeAboutOneshot() {
        line.requestIrq(a, other, IrqFlag.SHARED, IrqFlag.THREADED, IrqFlag.ONESHOT);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(b, other, IrqFlag.SHARED))
                .withMessage("irq 16 (pci) is shared, and its handlers do not agree about ONESHOT");
        line.freeIrq(a, other);
        share(a);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(b, other, IrqFlag.SHARED, IrqFlag.THREADED, IrqFlag.ONESHOT))
                .withMessage("irq 16 (pci) is shared, and its handlers do not agree about ONESHOT");
    }

    @Test
    void oneThatIsFreedBeforeItsTurnIsLeftOut() {
        share(a, b, c);
        machine.run.at(100, chip::event);
        machine.run.at(150, () -> line.freeIrq(b, other));
        machine.run.until(10_000);
        assertThat(handlers()).containsExactly("100 a on 0", "200 a done", "200 c on 0", "300 c done");
    }

    @Test
    void oneThatIsFreedWhileItRunsEndsAndTheWalkGoesOn() {
        share(a, b, c);
        machine.run.at(100, chip::event);
        machine.run.at(250, () -> line.freeIrq(b, other));
        machine.run.at(1_000, chip::event);
        machine.run.until(10_000);
        assertThat(handlers())
                .containsExactly(
                        "100 a on 0",
                        "200 a done",
                        "200 b on 0",
                        "300 b done",
                        "300 c on 0",
                        "400 c done",
                        "1000 a on 0",
                        "1100 a done",
                        "1100 c on 0",
                        "1200 c done");
    }

    @Test
    void oneThatIsRequestedDuringTheWalkIsCalledFromTheNextInterruptOn() {
        share(a);
        machine.run.at(100, chip::event);
        machine.run.at(150, () -> share(b));
        machine.run.at(1_000, chip::event);
        machine.run.until(10_000);
        assertThat(handlers())
                .containsExactly(
                        "100 a on 0", "200 a done", "1000 a on 0", "1100 a done", "1100 b on 0", "1200 b done");
    }

    @Test
    void theLastMayBeFreedInsideItsOwnHardirq() {
        var self = new ArrayList<FakeAction>();
        self.add(new FakeAction(machine.run.script("irq").step(100).end(on -> line.freeIrq(self.get(0), on))));
        line.requestIrq(self.get(0), other);
        machine.run.at(100, chip::event);
        machine.run.at(150, chip::event); // taken after it, and nobody is there
        machine.run.until(10_000);

        assertThat(machine.run.log()).containsExactly("0 unmask on 1", "100 irq", "200 irq done", "200 mask on 0");
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.inProgress()).isFalse();
        assertThat(line.quiet()).isTrue();
        assertThat(line.handlerNames()).isEmpty();
    }

    @Test
    void freeingOneOfTwoKeepsTheLineEnabled() {
        share(a, b);
        line.freeIrq(a, other);
        machine.run.at(100, chip::event);
        machine.run.until(10_000);
        assertThat(machine.run.log()).containsExactly("0 unmask on 1", "100 b on 0", "200 b done");
    }

    @Test
    void aHandlerThatIsNotThereCannotBeFreed() {
        share(a);
        assertThatIllegalStateException()
                .isThrownBy(() -> line.freeIrq(b, other))
                .withMessage("irq 16 (pci) has no such handler to free");
    }

    @Test
    void aHandlerThatWakesAThreadItDoesNotHaveIsAnErrorThatNamesIt() {
        line.requestIrq("a", a, other, IrqFlag.SHARED, IrqFlag.THREADED);
        line.requestIrq("b", b, other, IrqFlag.SHARED);
        b.result = IrqReturn.WAKE_THREAD;
        machine.run.at(100, chip::event);
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.run.until(10_000))
                .withMessage("the handler b of 16:pci woke its thread, and has none");
    }

    @Test
    void eachHasAThreadOfItsOwn() {
        var threads = new ArrayList<FakeAction>();
        for (String name : List.of("x", "y")) {
            var action = new FakeAction(
                    on -> Routine.DONE, machine.run.script(name + " thread").step(100));
            action.result = IrqReturn.WAKE_THREAD;
            threads.add(action);
            line.requestIrq(name, action, other, IrqFlag.SHARED, IrqFlag.THREADED);
        }
        machine.run.at(100, chip::event);
        machine.run.at(1_000, () -> threads.get(0).result = IrqReturn.NONE);
        machine.run.at(1_100, chip::event);
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 1",
                        "100 x thread",
                        "200 x thread done",
                        "200 y thread",
                        "300 y thread done",
                        "1100 y thread",
                        "1200 y thread done");
        assertThat(line.thread()).hasToString("irq/16-x/0");
    }

    private void share(FakeAction... actions) {
        for (FakeAction action : actions) {
            line.requestIrq(action, other, IrqFlag.SHARED);
        }
    }

    private List<String> handlers() {
        return machine.run.log().stream()
                .filter(entry -> !entry.contains("mask"))
                .toList();
    }
}
