package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import org.junit.jupiter.api.Test;

/** Lines whose CPU goes offline, and comes back. CPU 0 always survives, and does the work. */
final class UnplugTest {
    private TestMachine machine = new TestMachine(3);
    private FakeChip chip = new FakeChip(machine.run, FlowType.EDGE);

    @Test
    void aLineGoesToAnotherOfItsCpus() {
        var line = requested(machine.line(40, "eth0", chip, 1, 2));
        down(1, 100);
        machine.run.at(200, chip::event);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 0",
                        "100 mask on 0",
                        "100 route to 2 on 0",
                        "100 unmask on 0",
                        "200 irq on 2",
                        "300 irq done");
        assertThat(line.affinity()).isEqualTo(CpuMask.of(1, 2));
        assertThat(vectors()).containsExactly(0, 0, 1);
    }

    @Test
    void ifNoneOfItsCpusIsLeftItsAffinityIsBrokenToAllThatAreOnline() {
        var line = requested(machine.line(40, "eth0", chip, 1));
        down(1, 100);
        machine.run.until(10_000);
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 2));
        assertThat(line.cpu()).isSameAs(machine.cpu(0));

        machine.hotplug.up(machine.cpu(1));
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 2));
        assertThat(line.cpu()).isSameAs(machine.cpu(0));
    }

    @Test
    void anInterruptThatWaitsInTheDyingCpuIsTriggeredWhereTheLineGoes() {
        var line = requested(machine.line(40, "eth0", chip, 1, 2));
        // The stopper runs at the end of that hardirq, and what is pending is taken before; so pend it while it is off.
        machine.hotplug.add(new CpuHotplug.Listener() {
            @Override
            public void offline(Cpu dying, Cpu survivor) {
                chip.event();
            }

            @Override
            public void online(Cpu cpu) {}
        });
        down(1, 100);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 0",
                        "100 mask on 0",
                        "100 route to 2 on 0",
                        "100 unmask on 0",
                        "100 irq on 2",
                        "200 irq done");
        assertThat(line.pending()).isFalse();
    }

    @Test
    void aReplayThatIsOnItsWayWhileTheCpuDiesArrivesWhereTheLineWent() {
        machine = new TestMachine(3, TestCosts.costs().ipi(500).build(), null);
        chip = new FakeChip(machine.run, FlowType.EDGE);
        var line = requested(machine.line(40, "eth0", chip, 1, 2));
        machine.run.at(100, () -> line.disable(machine.cpu(0)));
        machine.run.at(200, chip::event);
        machine.run.at(300, () -> line.enable(machine.cpu(0))); // arrives at 800
        down(1, 150); // its stopper is told of it at 650
        machine.run.until(700);
        assertThat(machine.cpu(1).online()).isFalse();
        assertThat(line.pending()).isTrue();
        machine.run.until(10_000);
        assertThat(machine.run.log()).endsWith("800 irq on 2", "900 irq done");
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void aManagedLineOfWhichAllCpusAreOfflineIsShutDownAndStartsAgain() {
        var line = requested(machine.managedLine(40, "nvme0q1", chip, 1, 2));
        assertThat(line.cpu()).isSameAs(machine.cpu(1));
        down(1, 100);
        down(2, 200);
        machine.run.at(300, chip::event);
        machine.run.until(350);
        assertThat(line.started()).isFalse();
        assertThat(line.depth()).isZero();
        assertThat(line.affinity()).isEqualTo(CpuMask.of(1, 2));
        assertThat(vectors()).containsExactly(0, 0, 0);

        machine.run.at(400, () -> machine.hotplug.up(machine.cpu(2)));
        machine.run.until(10_000);
        assertThat(line.started()).isTrue();
        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 0",
                        "100 mask on 0",
                        "100 route to 2 on 0",
                        "100 unmask on 0",
                        "200 mask on 0",
                        "400 route to 2 on 2",
                        "400 unmask on 2",
                        "400 irq on 2",
                        "500 irq done");
    }

    @Test
    void anEventThatTheDescriptorRemembersSurvivesTheShutdown() {
        var line = requested(machine.managedLine(40, "nvme0q1", chip, 1));
        machine.run.at(50, () -> line.disable(machine.cpu(0)));
        machine.run.at(60, chip::event); // refused
        down(1, 100);
        machine.run.at(200, () -> line.enable(machine.cpu(0)));
        machine.run.until(250);
        assertThat(line.pending()).isTrue();
        assertThat(line.masked()).isTrue();
        machine.run.at(300, () -> machine.hotplug.up(machine.cpu(1)));
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .endsWith("300 route to 1 on 1", "300 unmask on 1", "300 irq on 1", "400 irq done");
    }

    @Test
    void theDepthIsKeptThroughShutdownAndRestart() {
        var line = requested(machine.managedLine(40, "nvme0q1", chip, 1));
        machine.run.at(50, () -> line.disable(machine.cpu(0)));
        down(1, 100);
        machine.run.at(150, () -> line.disable(machine.cpu(0)));
        machine.run.at(200, () -> machine.hotplug.up(machine.cpu(1)));
        machine.run.until(250);
        assertThat(line.depth()).isEqualTo(2);
        assertThat(line.masked()).isTrue();
        machine.run.at(300, chip::event);
        machine.run.at(400, () -> line.enable(machine.cpu(0)));
        machine.run.at(500, () -> line.enable(machine.cpu(0)));
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .endsWith("200 route to 1 on 1", "500 unmask on 0", "500 irq on 1", "600 irq done");
    }

    @Test
    void aManagedLineOfOfflineCpusIsMadeShutDown() {
        machine.hotplug.down(machine.cpu(2));
        machine.run.until(10);
        var line = requested(machine.managedLine(40, "nvme0q1", chip, 2));
        assertThat(line.started()).isFalse();
        assertThat(line.masked()).isTrue();
        machine.run.at(300, () -> machine.hotplug.up(machine.cpu(2)));
        machine.run.at(400, chip::event);
        machine.run.until(10_000);
        assertThat(line.handled(2)).isEqualTo(1);
    }

    @Test
    void theThreadFollowsTheLineOffTheDyingCpuAndBack() {
        var line = machine.managedLine(40, "nvme0q1", chip, 1, 2);
        var action = new FakeAction(on -> -1, on -> {
            machine.run.note("thread on " + on.number());
            return -1;
        });
        action.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(action, machine.cpu(0), IrqFlag.THREADED);
        machine.run.at(50, chip::event);
        down(1, 100);
        machine.run.at(200, chip::event);
        down(2, 300);
        machine.run.at(400, () -> machine.hotplug.up(machine.cpu(1)));
        machine.run.at(500, chip::event);
        machine.run.until(10_000);
        assertThat(machine.run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly("50 thread on 1", "200 thread on 2", "500 thread on 1");
    }

    @Test
    void theVectorThatAMoveLeftOnTheDyingCpuGoesWithIt() {
        var line = requested(machine.line(40, "eth0", chip, 1));
        machine.run.at(10, () -> line.setAffinity(CpuMask.of(2)));
        machine.run.at(20, chip::event);
        down(1, 300);
        machine.run.until(250);
        assertThat(vectors()).containsExactly(0, 1, 1);
        machine.run.until(350);
        assertThat(vectors()).containsExactly(0, 0, 1);
        machine.run.at(400, chip::event);
        machine.run.until(10_000);
        assertThat(line.handled(2)).isEqualTo(1);
    }

    @Test
    void aMoveThatWaitsForAnInterruptIsDoneAtOnce() {
        var line = requested(machine.line(40, "eth0", chip, 1));
        machine.run.at(10, () -> line.setAffinity(CpuMask.of(2)));
        down(1, 300);
        machine.run.until(10_000);
        assertThat(line.cpu()).isSameAs(machine.cpu(2));
        assertThat(line.affinity()).isEqualTo(CpuMask.of(2));
    }

    @Test
    void aWindowOnTheDyingCpuIsClosedByItsPolicyBeforeTheLineGoes() {
        IrqLine[] open = {null};
        var policy = new FlowPolicy() {
            @Override
            public boolean onHandled(IrqLine handled, PolicyCpu on) {
                if (open[0] == null && on.number() == 1) {
                    open[0] = handled;
                    handled.moderate(on);
                    return true;
                }
                return false;
            }

            @Override
            public void onCpuOffline(int cpu, PolicyCpu on) {
                machine.run.note("policy hears that " + cpu + " goes");
                open[0].unmoderate(on);
            }
        };
        machine = new TestMachine(3, TestCosts.free(), policy);
        chip = new FakeChip(machine.run, FlowType.EDGE);
        var line = requested(machine.line(40, "eth0", chip, 1, 2));
        machine.run.at(50, chip::event);
        machine.run.at(200, chip::event); // inside the window
        down(1, 300);
        machine.run.until(10_000);

        assertThat(machine.run.log())
                .containsExactly(
                        "0 unmask on 0",
                        "50 irq on 1",
                        "150 irq done",
                        "200 mask on 1",
                        "300 policy hears that 1 goes",
                        "300 unmask on 0",
                        "300 mask on 0",
                        "300 route to 2 on 0",
                        "300 unmask on 0",
                        "300 irq on 2",
                        "400 irq done");
        assertThat(line.depth()).isZero();
    }

    @Test
    void vectorsDoNotLeak() {
        var line = requested(machine.line(40, "eth0", chip, 1, 2));
        for (int round = 0; round < 500; round++) {
            long at = 1_000 + round * 1_000;
            int cpu = 1 + round % 2;
            down(cpu, at);
            machine.run.at(at + 300, chip::event);
            machine.run.at(at + 500, () -> machine.hotplug.up(machine.cpu(cpu)));
        }
        machine.run.until(1_000_000);
        assertThat(vectors()).containsExactly(0, 1, 0);
        assertThat(line.handled()).isEqualTo(500);
    }

    // ---- when a CPU's 191 vectors are used up

    @Test
    void aLineStaysWhereItIsIfTheTableOfItsNewCpuIsFull() {
        var line = requested(machine.line(40, "eth0", chip, 1));
        fill(2);
        machine.run.at(100, () -> line.setAffinity(CpuMask.of(2)));
        machine.run.at(200, chip::event);
        machine.run.at(900, chip::event);
        machine.run.until(10_000);
        assertThat(line.handled(1)).isEqualTo(2);
        assertThat(line.affinity()).isEqualTo(CpuMask.of(1));
    }

    @Test
    void aLineOfACpuThatGoesTakesOneThatHasRoom() {
        var line = requested(machine.line(40, "eth0", chip, 1, 2));
        fill(2);
        down(1, 100);
        machine.run.at(200, chip::event);
        machine.run.until(10_000);
        assertThat(line.handled(0)).isEqualTo(1);
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 2));
    }

    @Test
    void ifNoneHasRoomItIsOffUntilACpuComesBack() {
        var line = requested(machine.line(40, "eth0", chip, 1));
        fill(0);
        fill(2);
        down(1, 100);
        machine.run.at(200, chip::event);
        machine.run.until(300);
        assertThat(line.started()).isFalse();
        machine.run.at(400, () -> machine.hotplug.up(machine.cpu(1)));
        machine.run.until(10_000);
        assertThat(line.started()).isTrue();
        assertThat(line.handled(1)).isEqualTo(1);
    }

    @Test
    void ifTheCpuThatComesBackIsNoneOfItsOwnItsAffinityIsBrokenThen() {
        var line = requested(machine.line(40, "eth0", chip, 1));
        machine.hotplug.down(machine.cpu(2));
        machine.run.until(10);
        fill(0);
        down(1, 100);
        machine.run.at(200, () -> machine.hotplug.up(machine.cpu(2)));
        machine.run.at(300, chip::event);
        machine.run.until(10_000);
        assertThat(line.handled(2)).isEqualTo(1);
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 2));
    }

    @Test
    void aManagedLineTakesTheNextOfItsCpusThatHasRoom() {
        fill(1);
        assertThat(machine.managedLine(40, "nvme0q1", chip, 1, 2).cpu()).isSameAs(machine.cpu(2));
    }

    @Test
    void aNewLineThatFindsNoRoomIsAnError() {
        fill(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.line(40, "eth0", chip, 1))
                .withMessage("none of the CPUs 1 has a free vector for irq 40 (eth0)");
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.managedLine(40, "eth0", chip, 1))
                .withMessage("none of the CPUs 1 has a free vector for irq 40 (eth0)");
        assertThat(machine.interrupts.lines()).hasSize(191);
    }

    private void fill(int cpu) {
        for (int i = 0; i < 191; i++) {
            machine.line(1_000 * (cpu + 1) + i, "filler", new FakeChip(machine.run, FlowType.EDGE), cpu);
        }
        assertThat(machine.cpu(cpu).hasFreeVector()).isFalse();
    }

    private IrqDescriptor requested(IrqDescriptor line) {
        line.requestIrq(machine.action("irq", 100), machine.cpu(0));
        return line;
    }

    private void down(int cpu, long atNs) {
        machine.run.at(atNs, () -> machine.hotplug.down(machine.cpu(cpu)));
    }

    private int[] vectors() {
        return machine.cpus.stream()
                .mapToInt((Cpu cpu) -> cpu.deviceVectors().size())
                .toArray();
    }
}
