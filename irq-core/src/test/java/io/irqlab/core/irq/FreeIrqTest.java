package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Handlers that are freed while something of theirs is under way. */
final class FreeIrqTest {
    private final TestMachine machine = new TestMachine(2);
    private final Cpu cpu = machine.cpu(0);
    private final Cpu other = machine.cpu(1);
    private final FakeChip chip = new FakeChip(machine.run, FlowType.EDGE);
    private final IrqDescriptor line = machine.line(40, "eth0", chip, 0);
    private final FakeAction action = machine.action("irq", 1_000);

    @Test
    void theLastHandlerDisablesAndMasksTheLineWhateverItsDepthWas() {
        line.requestIrq(action, other);
        line.disable(other);
        line.disable(other);
        line.freeIrq(current, other);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(machine.run.log()).containsExactly("0 unmask on 1", "0 mask on 1");
        line.requestIrq(action, other);
        assertThat(line.depth()).isZero();
    }

    @Test
    void whatWasPendingIsReplayedToTheNextHandler() {
        line.requestIrq(action, other);
        machine.run.at(100, () -> line.disable(other));
        machine.run.at(200, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.at(900, () -> line.requestIrq(action, other));
        machine.run.until(500);
        assertThat(line.pending()).isTrue();
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "200 mask on 0", "900 unmask on 1", "900 irq on 0", "1900 irq done");
    }

    @Test
    void aHandlerInProgressEndsAndUntilThenTheLineIsNotQuiet() {
        line.requestIrq(action, other);
        machine.run.at(100, chip::event);
        machine.run.at(200, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.until(1_000);
        assertThat(line.quiet()).isFalse();
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(action, other))
                .withMessage("irq 40 (eth0) is requested while a handler that was freed may still run; await its end");
        machine.run.until(10_000);
        assertThat(line.quiet()).isTrue();
        // The second event finds nobody.
        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "100 irq on 0", "300 mask on 1", "1100 irq done");
    }

    @Test
    void aTaskSpinsUntilTheHandlerHasEnded() {
        line.requestIrq(action, other);
        machine.run.at(100, chip::event);
        Routine synchronize = line.synchronizeIrq();
        boolean[] freed = {false};
        machine.run.at(
                150,
                () -> Task.fair(other, "remove", on -> {
                            if (!freed[0]) {
                                freed[0] = true;
                                line.freeIrq(current, on);
                            }
                            long ns = synchronize.step(on);
                            if (ns == Routine.DONE) {
                                machine.run.note("removed");
                            }
                            return ns;
                        })
                        .start());
        machine.run.until(10_000);
        // Looks every 100 ns, from 150 on.
        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "100 irq on 0", "150 mask on 1", "1100 irq done", "1150 removed");
        assertThat(other.times().systemNs()).isEqualTo(1_000);
    }

    @Test
    void synchronizingAQuietLineTakesNoTime() {
        line.requestIrq(action, other);
        assertThat(line.synchronizeIrq().step(other)).isEqualTo(Routine.DONE);
    }

    @Test
    void freeingInsideAWindowLeavesTheEndOfTheWindowWithoutEffect() {
        line.requestIrq(action, other);
        machine.run.at(100, () -> line.moderate(cpu));
        machine.run.at(200, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.until(400);
        assertThat(line.quiet()).isFalse();
        assertThat(line.depth()).isEqualTo(1);
        machine.run.at(500, () -> line.unmoderate(cpu));
        machine.run.until(600);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.quiet()).isTrue();
        machine.run.at(900, () -> line.requestIrq(action, other));
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "200 mask on 0", "900 unmask on 1", "900 irq on 0", "1900 irq done");
    }

    @Test
    void aThreadThatRunsEnds() {
        requestThread(500);
        machine.run.at(100, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.until(550);
        assertThat(line.quiet()).isFalse();
        machine.run.until(10_000);
        assertThat(line.quiet()).isTrue();
        assertThat(machine.run.log()).endsWith("110 thread", "300 mask on 1", "610 thread done");
    }

    @Test
    void aThreadThatIsWantedRunsALastTime() {
        requestThread(500);
        Task.fifo(cpu, "busy", 99, machine.run.script("busy").step(1_000)).start();
        machine.run.at(100, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.until(10_000);
        assertThat(machine.run.log()).endsWith("300 mask on 1", "1010 busy done", "1010 thread", "1510 thread done");
        assertThat(line.quiet()).isTrue();
    }

    @Test
    void aHandlerThatWakesItsThreadAfterItWasFreedIsQuietOnlyWhenThatHasRun() {
        var threaded = new FakeAction(
                machine.action("irq", 1_000)::handlerStep,
                machine.run.script("thread").step(500));
        threaded.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(threaded, other, IrqFlag.THREADED);
        machine.run.at(100, chip::event);
        machine.run.at(300, () -> line.freeIrq(threaded, other));
        machine.run.until(1_200);
        assertThat(line.inProgress()).isFalse();
        assertThat(line.quiet()).isFalse();
        machine.run.until(10_000);
        assertThat(line.quiet()).isTrue();
        assertThat(machine.run.log()).endsWith("1100 irq done", "1100 thread", "1600 thread done");
    }

    @Test
    void aThreadThatIsWantedAgainWhileItRunsDoesSoOnceMore() {
        requestThread(500);
        machine.run.at(100, chip::event);
        machine.run.at(200, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.until(10_000);
        assertThat(machine.run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly("110 thread", "620 thread done", "620 thread", "1120 thread done");
        assertThat(line.quiet()).isTrue();
    }

    @Test
    void aOneshotHandlerThatIsFreedWhileItsThreadHoldsTheLineLeavesItMasked() {
        requestThread(500, IrqFlag.ONESHOT);
        machine.run.at(100, chip::event);
        machine.run.at(300, () -> line.freeIrq(current, other));
        machine.run.until(10_000);
        assertThat(line.masked()).isTrue();
        machine.run.at(20_000, chip::event);
        machine.run.at(21_000, () -> line.requestIrq(machine.action("next", 10), other));
        machine.run.until(30_000);
        assertThat(machine.run.log()).endsWith("21000 unmask on 1", "21000 next on 0", "21010 next done");
    }

    @Test
    void ofTwoOneshotHandlersTheOneThatIsFreedReleasesTheLineForTheOther() {
        var level = new FakeChip(machine.run, FlowType.LEVEL);
        var shared = machine.line(16, "pci", level, 0);
        var first = new FakeAction(
                machine.action("first", 10)::handlerStep,
                machine.run.script("first thread").step(500).end(on -> level.served()));
        first.result = IrqReturn.WAKE_THREAD;
        var second = machine.action("second", 10);
        second.result = IrqReturn.NONE;
        shared.requestIrq("first", first, other, IrqFlag.SHARED, IrqFlag.THREADED, IrqFlag.ONESHOT);
        shared.requestIrq("second", second, other, IrqFlag.SHARED, IrqFlag.THREADED, IrqFlag.ONESHOT);
        machine.run.at(100, level::event);
        machine.run.at(300, () -> shared.freeIrq(first, other));
        machine.run.until(500);
        assertThat(shared.masked()).isTrue();
        machine.run.until(10_000);
        assertThat(shared.masked()).isFalse();
        assertThat(machine.run.log()).endsWith("620 first thread done", "620 unmask on 0");
    }

    @Test
    void aLevelThatIsStillAssertedReachesTheNextHandler() {
        var level = new FakeChip(machine.run, FlowType.LEVEL);
        var pci = machine.line(16, "pci", level, 0);
        var deaf = machine.action("deaf", 1_000);
        pci.requestIrq(deaf, other);
        machine.run.at(100, level::event);
        machine.run.at(300, () -> pci.freeIrq(deaf, other));
        machine.run.until(10_000);
        assertThat(pci.masked()).isTrue();
        assertThat(machine.run.log())
                .containsExactly("0 unmask on 1", "100 mask on 0", "100 deaf on 0", "1100 deaf done");

        var serving = machine.action("serving", 10);
        machine.run.at(
                20_000,
                () -> pci.requestIrq(
                        new FakeAction(on -> {
                            level.served();
                            return serving.handlerStep(on);
                        }),
                        other));
        machine.run.until(30_000);
        assertThat(machine.run.log())
                .endsWith(
                        "20000 unmask on 1",
                        "20000 mask on 0",
                        "20000 serving on 0",
                        "20010 serving done",
                        "20010 unmask on 0");
    }

    private void requestThread(long threadNs, IrqFlag... more) {
        var threaded = new FakeAction(
                machine.action("irq", 10)::handlerStep,
                machine.run.script("thread").step(threadNs));
        threaded.result = IrqReturn.WAKE_THREAD;
        var flags = new ArrayList<>(List.of(more));
        flags.add(IrqFlag.THREADED);
        line.requestIrq(threaded, other, flags.toArray(IrqFlag[]::new));
        current = threaded;
    }

    private FakeAction current = action;
}
