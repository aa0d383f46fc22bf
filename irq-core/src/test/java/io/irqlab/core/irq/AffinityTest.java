package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.CpuMask;
import org.junit.jupiter.api.Test;

/** Where a line fires, and how it moves: with its next interrupt, and its thread after it. */
final class AffinityTest {
    private final LineRig rig = new LineRig(3);

    @Test
    void aNewLineFiresWhereTheFewestVectorsAre() {
        rig.cpu(0).allocateVector("other", on -> io.irqlab.core.cpu.Routine.DONE);
        rig.cpu(1).allocateVector("other", on -> io.irqlab.core.cpu.Routine.DONE);

        assertThat(rig.line(FlowType.EDGE, 0, 1, 2).cpu()).isSameAs(rig.cpu(2));
    }

    @Test
    void aManagedLineFiresOnTheFirstCpuOfItsGroup() {
        rig.cpu(1).allocateVector("other", on -> io.irqlab.core.cpu.Routine.DONE);

        assertThat(rig.managed(1, 2).cpu()).isSameAs(rig.cpu(1));
    }

    @Test
    void theMoveTakesEffectWithTheNextInterruptWhichStillComesToTheOldCpu() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        rig.run.at(100, () -> line.setAffinity(CpuMask.of(1)));
        rig.run.until(500);
        assertThat(line.cpu()).isSameAs(rig.cpu(0));
        assertThat(line.affinity()).isEqualTo(CpuMask.of(1));

        rig.run.at(1_000, rig.msi::event);
        rig.run.at(2_000, rig.msi::event);
        rig.run.until(5_000);
        assertThat(rig.logFrom(500))
                .containsExactly(
                        "1000 mask", "1000 unmask", "1000 irq on 0", "1100 irq done", "2000 irq on 1", "2100 irq done");
        assertThat(line.handled(0)).isEqualTo(1);
        assertThat(line.handled(1)).isEqualTo(1);
    }

    @Test
    void theOldVectorIsKeptUntilTheFirstInterruptOnTheNewCpu() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        rig.run.at(1_000, rig.msi::event);
        rig.run.until(1_500);
        assertThat(rig.cpu(0).deviceVectors()).hasSize(1);
        assertThat(rig.cpu(1).deviceVectors()).hasSize(1);

        rig.run.at(2_000, rig.msi::event);
        rig.run.until(2_500);
        assertThat(rig.cpu(0).deviceVectors()).isEmpty();
        assertThat(rig.cpu(1).deviceVectors()).hasSize(1);
    }

    @Test
    void anotherMoveWaitsUntilTheOldVectorIsFree() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        rig.keepBusy(0, 500);
        rig.msi.event(); // waits on CPU 0
        rig.run.at(600, () -> {
            line.setAffinity(CpuMask.of(2));
            rig.msi.event();
        });
        rig.run.at(3_000, rig.msi::event);
        rig.run.until(10_000);

        // The second interrupt is on CPU 1; it releases CPU 0 and moves on.
        assertThat(line.cpu()).isSameAs(rig.cpu(2));
        assertThat(rig.run.log().stream().filter(entry -> entry.contains(" on ")))
                .containsExactly("500 irq on 0", "1500 irq on 0", "3000 irq on 2");
    }

    @Test
    void anEventOnTheNewCpuWhileTheHandlerRunsOnTheOldOneIsServedByTheOldOne() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        rig.run.at(100, rig.msi::event);
        rig.run.at(300, rig.msi::event);
        rig.run.until(10_000);

        assertThat(rig.logFrom(100))
                .containsExactly(
                        "100 mask",
                        "100 unmask",
                        "100 irq on 0",
                        "300 mask",
                        "1100 irq done",
                        "1100 unmask",
                        "1100 irq on 0",
                        "2100 irq done");
        assertThat(line.refused()).isEqualTo(1);
    }

    @Test
    void aDisabledLineStaysUntilItIsEnabled() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        rig.run.at(100, () -> line.disable(rig.cpu(2)));
        rig.run.at(200, rig.msi::event);
        rig.run.until(1_000);
        assertThat(line.cpu()).isSameAs(rig.cpu(0));

        rig.run.at(2_000, () -> line.enable(rig.cpu(2)));
        rig.run.until(5_000);
        // The replay reaches CPU 0 by an inter-processor interrupt, and moves the line.
        assertThat(rig.logFrom(2_000))
                .containsExactly("2000 unmask", "2250 mask", "2250 unmask", "2250 irq on 0", "2350 irq done");
        assertThat(line.cpu()).isSameAs(rig.cpu(1));
    }

    @Test
    void aLineThatIsNotStartedYetMovesWhenItStarts() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.setAffinity(CpuMask.of(1));
        assertThat(line.cpu()).isSameAs(rig.cpu(0));
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));

        assertThat(line.cpu()).isSameAs(rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        rig.run.until(500);
        assertThat(rig.logFrom(100)).containsExactly("100 irq on 1", "200 irq done");
        assertThat(rig.cpu(0).deviceVectors()).isEmpty();
    }

    @Test
    void aMoveThatIsCalledBackDoesNotHappen() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        line.setAffinity(CpuMask.of(0, 1));
        rig.run.at(100, rig.msi::event);
        rig.run.until(1_000);

        assertThat(line.cpu()).isSameAs(rig.cpu(0));
    }

    @Test
    void theThreadFollowsBeforeItsFunctionRunsNext() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.threaded("irq", 100, 2_000), rig.cpu(2), IrqFlag.THREADED);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> line.setAffinity(CpuMask.of(1)));
        rig.run.at(1_000, rig.msi::event);
        rig.run.until(10_000);

        // Interrupted once, the thread ends on CPU 0 what it began there.
        assertThat(rig.run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly(
                        "200 irq thread on 0", "2300 irq thread done", "2550 irq thread on 1", "4550 irq thread done");
    }

    @Test
    void theAffinityOfAManagedLineIsTheKernels() {
        IrqDescriptor line = rig.managed(0, 1);

        assertThatIllegalStateException()
                .isThrownBy(() -> line.setAffinity(CpuMask.of(1)))
                .withMessage("the affinity of irq 24 (eth0) is managed and cannot be changed");
    }

    @Test
    void aLineCannotBeSentWhereNoCpuIsOnline() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        rig.hotplug.down(rig.cpu(2));
        rig.run.until(1_000);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> line.setAffinity(CpuMask.of(2)))
                .withMessage("none of the CPUs 2 for irq 24 (eth0) is online");
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 1));
    }

    @Test
    void replayFromAnotherCpuTakesAnInterProcessorInterrupt() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        rig.run.at(100, () -> line.disable(rig.cpu(2)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(1_000, () -> line.enable(rig.cpu(2)));
        rig.run.until(1_100);
        assertThat(line.pending()).isTrue();
        rig.run.until(5_000);

        assertThat(rig.logFrom(1_000)).containsExactly("1000 unmask", "1250 irq on 0", "1350 irq done");
    }
}
