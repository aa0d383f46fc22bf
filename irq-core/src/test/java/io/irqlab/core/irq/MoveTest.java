package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import org.junit.jupiter.api.Test;

/** Changes of affinity: the line moves with its next interrupt, which still comes to the old CPU. */
final class MoveTest {
    private TestMachine machine = new TestMachine(3);
    private FakeChip chip = new FakeChip(machine.run, FlowType.EDGE);
    private IrqDescriptor line = machine.line(40, "eth0", chip, 0);

    @Test
    void theNextInterruptComesToTheOldCpuAndTakesTheLineToTheNewOne() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(200, chip::event);
        machine.run.at(900, chip::event);
        machine.run.until(150);
        assertThat(line.cpu()).isSameAs(machine.cpu(0));
        assertThat(line.affinity()).isEqualTo(CpuMask.of(1));
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 2",
                        "200 mask on 0",
                        "200 route to 1 on 0",
                        "200 unmask on 0",
                        "200 irq on 0",
                        "300 irq done",
                        "900 irq on 1",
                        "1000 irq done");
        assertThat(line.cpu()).isSameAs(machine.cpu(1));
        assertThat(line.handled(0)).isEqualTo(1);
        assertThat(line.handled(1)).isEqualTo(1);
    }

    @Test
    void theOldVectorIsKeptUntilTheFirstInterruptOnTheNewCpu() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(200, chip::event);
        machine.run.at(900, chip::event);
        machine.run.until(800);
        assertThat(vectors()).containsExactly(1, 1, 0);
        machine.run.until(10_000);
        assertThat(vectors()).containsExactly(0, 1, 0);
    }

    @Test
    void aSecondMoveWaitsUntilTheFirstIsOver() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(200, chip::event); // on 0: moves to 1
        machine.run.at(400, () -> line.setAffinity(CpuMask.of(2)));
        machine.run.at(500, chip::event); // on 1: the first from there, so it moves to 2
        machine.run.at(900, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log().stream().filter(entry -> entry.contains("route") || entry.contains("irq on")))
                .containsExactly(
                        "200 route to 1 on 0", "200 irq on 0", "500 route to 2 on 1", "500 irq on 1", "900 irq on 2");
        assertThat(vectors()).containsExactly(0, 0, 1);
    }

    @Test
    void aLateInterruptOfTheOldVectorDoesNotMoveItAgain() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(200, chip::event);
        // One that was under way to the old CPU when the line moved, and was taken after that.
        machine.run.at(400, () -> line.setAffinity(CpuMask.of(2)));
        machine.run.at(
                500, () -> machine.cpu(0).raise(machine.cpu(0).deviceVectors().get(0)));
        machine.run.until(800);
        assertThat(line.cpu()).isSameAs(machine.cpu(1));
        assertThat(line.handled(0)).isEqualTo(2);
        machine.run.at(900, chip::event);
        machine.run.until(10_000);
        assertThat(line.cpu()).isSameAs(machine.cpu(2));
    }

    @Test
    void moveBackBeforeTheNextInterruptIsNoMove() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(150, () -> line.setAffinity(CpuMask.of(0, 1)));
        machine.run.at(200, chip::event);
        machine.run.until(10_000);
        assertThat(line.cpu()).isSameAs(machine.cpu(0));
        assertThat(machine.run.log()).containsExactly("0 unmask on 2", "200 irq on 0", "300 irq done");
    }

    @Test
    void aTargetThatHasGoneOfflineByThenIsNotMovedTo() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(150, () -> machine.hotplug.down(machine.cpu(1)));
        machine.run.at(200, chip::event);
        machine.run.at(900, chip::event);
        machine.run.until(10_000);
        assertThat(line.cpu()).isSameAs(machine.cpu(0));
        assertThat(line.handled(0)).isEqualTo(2);
    }

    @Test
    void maskingRoutingAndUnmaskingArePaidForInTheInterrupt() {
        costly(TestCosts.costs().hardirq(300, 200));
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(1_000, chip::event);
        machine.run.until(10_000);
        // 300 entry, 70 + 80 + 90 for the move, 100 handler, 200 exit.
        assertThat(machine.cpu(0).times().hardirqNs()).isEqualTo(840);
    }

    @Test
    void aHypervisorTrapsMaskAndUnmask() {
        costly(TestCosts.costs().virtualization(new VirtualizationCosts(0, 0, 1_000, 0, 0, 0)));
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(1_000, chip::event);
        machine.run.until(10_000);
        assertThat(machine.cpu(0).times().hardirqNs()).isEqualTo(240 + 100 + 2_000);
    }

    @Test
    void theThreadFollowsTheLine() {
        var action = new FakeAction(machine.action("irq", 10)::handlerStep, on -> {
            machine.run.note("thread on " + on.number());
            return -1;
        });
        action.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(action, machine.cpu(2), IrqFlag.THREADED);
        machine.run.at(100, chip::event);
        machine.run.at(200, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(300, chip::event);
        machine.run.at(900, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly("110 thread on 0", "310 thread on 1", "910 thread on 1");
    }

    @Test
    void ofSeveralCpusItGoesToThatWithTheFewestVectors() {
        machine.line(41, "a", new FakeChip(machine.run, FlowType.EDGE), 1);
        request();
        line.setAffinity(CpuMask.of(1, 2));
        chip.event();
        assertThat(line.cpu()).isSameAs(machine.cpu(2));

        // A new line too; the first of equals.
        assertThat(machine.line(42, "b", new FakeChip(machine.run, FlowType.EDGE), 1, 2)
                        .cpu())
                .isSameAs(machine.cpu(1));
        assertThat(machine.line(43, "c", new FakeChip(machine.run, FlowType.EDGE), 1, 2)
                        .cpu())
                .isSameAs(machine.cpu(2));
    }

    @Test
    void aManagedLineCannotBeMoved() {
        var managed = machine.managedLine(50, "nvme0q1", new FakeChip(machine.run, FlowType.EDGE), 1, 2);
        assertThatIllegalStateException()
                .isThrownBy(() -> managed.setAffinity(CpuMask.of(0)))
                .withMessage("the affinity of irq 50 (nvme0q1) is managed and cannot be changed");
    }

    @Test
    void aFasteoiLineMovesWhenTheEndIsTold() {
        var gic = new FakeChip(machine.run, FlowType.FASTEOI);
        var spi = machine.line(50, "spi", gic, 0);
        spi.requestIrq(machine.action("irq", 100), machine.cpu(2));
        machine.run.at(100, () -> spi.setAffinity(CpuMask.of(1)));
        machine.run.at(200, gic::event);
        machine.run.at(900, gic::event);
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 2",
                        "200 irq on 0",
                        "300 irq done",
                        "300 eoi on 0",
                        "300 mask on 0",
                        "300 route to 1 on 0",
                        "300 unmask on 0",
                        "900 irq on 1",
                        "1000 irq done",
                        "1000 eoi on 1");
    }

    @Test
    void aLevelLineMovesWhileItIsMaskedAnyway() {
        var level = new FakeChip(machine.run, FlowType.LEVEL);
        var pci = machine.line(50, "pci", level, 0);
        var action = machine.action("irq", 100);
        pci.requestIrq(
                new FakeAction(on -> {
                    level.served();
                    return action.handlerStep(on);
                }),
                machine.cpu(2));
        machine.run.at(100, () -> pci.setAffinity(CpuMask.of(1)));
        machine.run.at(200, level::event);
        machine.run.at(900, level::event);
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 2",
                        "200 mask on 0",
                        "200 route to 1 on 0",
                        "200 irq on 0",
                        "300 irq done",
                        "300 unmask on 0",
                        "900 mask on 1",
                        "900 irq on 1",
                        "1000 irq done",
                        "1000 unmask on 1");
    }

    @Test
    void aSetOfWhichNoCpuIsOnlineIsAnErrorAndChangesNothing() {
        machine.hotplug.down(machine.cpu(2));
        machine.run.until(10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> line.setAffinity(CpuMask.of(2, 7)))
                .withMessage("none of the CPUs 2,7 for irq 40 (eth0) is online");
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.line(60, "x", new FakeChip(machine.run, FlowType.EDGE), 2))
                .withMessage("none of the CPUs 2 for irq 60 (x) is online");
    }

    @Test
    void aDisabledLineStaysUntilItIsEnabled() {
        request();
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        machine.run.at(150, () -> line.disable(machine.cpu(2)));
        machine.run.at(200, chip::event); // refused and masked
        machine.run.at(900, () -> line.enable(machine.cpu(0))); // replayed here, and moves
        machine.run.at(5_000, chip::event);
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 2",
                        "200 mask on 0",
                        "900 unmask on 0",
                        "900 mask on 0",
                        "900 route to 1 on 0",
                        "900 unmask on 0",
                        "900 irq on 0",
                        "1000 irq done",
                        "5000 irq on 1",
                        "5100 irq done");
    }

    private void costly(TestCosts costs) {
        machine = new TestMachine(3, costs.build(), null);
        chip = new FakeChip(machine.run, FlowType.EDGE);
        line = machine.line(40, "eth0", chip, 0);
        chip.maskNs = 70;
        chip.routeNs = 80;
        chip.unmaskNs = 90;
    }

    private void request() {
        line.requestIrq(machine.action("irq", 100), machine.cpu(2));
    }

    private int[] vectors() {
        return machine.cpus.stream()
                .mapToInt((Cpu cpu) -> cpu.deviceVectors().size())
                .toArray();
    }
}
