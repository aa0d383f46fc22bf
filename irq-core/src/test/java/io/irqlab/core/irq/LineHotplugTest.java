package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.CpuMask;
import org.junit.jupiter.api.Test;

/** What becomes of a line whose CPU goes, which it does an inter-processor interrupt after it is asked to. */
final class LineHotplugTest {
    private final LineRig rig = new LineRig(3);

    @Test
    void aLineMovesAtOnceWithinItsAffinity() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 2);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.run.at(100, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(1_000, rig.msi::event);
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("350 mask", "350 unmask", "1000 irq on 2", "1100 irq done");
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 2));
        assertThat(rig.cpu(0).deviceVectors()).isEmpty();
    }

    @Test
    void anAffinityWithoutAnOnlineCpuIsBroken() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.hotplug.down(rig.cpu(0));
        rig.run.until(1_000);

        assertThat(line.affinity()).isEqualTo(CpuMask.of(1, 2));
        assertThat(line.cpu()).isSameAs(rig.cpu(1));
    }

    @Test
    void aLineDoesNotReturnByItself() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 2);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.run.at(100, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(500, () -> rig.hotplug.up(rig.cpu(0)));
        rig.run.at(1_000, rig.msi::event);
        rig.run.until(5_000);

        assertThat(line.cpu()).isSameAs(rig.cpu(2));
    }

    @Test
    void whatWaitsInTheDyingCpuIsTriggeredAgainOnTheNewOne() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 2);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.keepBusy(0, 10_000);
        rig.msi.event();
        // As the stop thread does, but with a vector that it cannot take any more.
        rig.run.at(1_000, () -> rig.interrupts.offline(rig.cpu(0), rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(1_000)).containsExactly("1000 mask", "1000 unmask", "1250 irq on 2", "1350 irq done");
    }

    @Test
    void ofADisabledLineItIsRefusedThereAndReplayedLater() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 2);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.keepBusy(0, 10_000);
        rig.msi.event();
        rig.run.at(500, () -> line.disable(rig.cpu(1)));
        rig.run.at(1_000, () -> rig.interrupts.offline(rig.cpu(0), rig.cpu(1)));
        rig.run.at(3_000, () -> line.enable(rig.cpu(2)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(1_000))
                .containsExactly(
                        "1000 mask", "1000 unmask", "1250 mask", "3000 unmask", "3000 irq on 2", "3100 irq done");
    }

    @Test
    void anOldVectorThatIsStillKeptGoesWithItsCpu() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1);
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(2));
        rig.msi.event();
        line.setAffinity(CpuMask.of(1));
        rig.run.until(2_000);
        rig.run.at(2_000, rig.msi::event); // moves to CPU 1
        rig.run.at(5_000, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(6_000, rig.msi::event);
        rig.run.until(10_000);

        assertThat(rig.cpu(0).deviceVectors()).isEmpty();
        assertThat(rig.logFrom(6_000)).containsExactly("6000 irq on 1", "7000 irq done");
    }

    @Test
    void aPendingMoveHappensWithTheUnplug() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 1, 2);
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(2));
        line.setAffinity(CpuMask.of(2));
        rig.hotplug.down(rig.cpu(0));
        rig.run.until(1_000);

        assertThat(line.cpu()).isSameAs(rig.cpu(2));
    }

    @Test
    void theThreadRunsWhereTheLineWent() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0, 2);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(5_000, rig.msi::event);
        rig.run.until(10_000);

        // The running thread goes on elsewhere with what is left; woken there, it follows the line.
        assertThat(rig.run.log().stream().filter(entry -> entry.contains("thread")))
                .containsExactly(
                        "200 irq thread on 0", "1450 irq thread done", "5600 irq thread on 2", "6600 irq thread done");
    }

    // ---- managed lines

    @Test
    void aManagedLineGoesToTheNextOfItsGroup() {
        IrqDescriptor line = rig.managed(0, 1);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        rig.hotplug.down(rig.cpu(0));
        rig.run.until(500);

        assertThat(line.cpu()).isSameAs(rig.cpu(1));
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 1));
    }

    @Test
    void withoutACpuOfItsGroupItIsShutDownAndStartsWhenOneIsBack() {
        IrqDescriptor line = rig.managed(0, 1);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        rig.run.at(100, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(200, () -> rig.hotplug.down(rig.cpu(1)));
        rig.run.until(500);
        assertThat(line.started()).isFalse();
        assertThat(line.masked()).isTrue();
        assertThat(line.affinity()).isEqualTo(CpuMask.of(0, 1));

        rig.run.at(600, rig.msi::event);
        rig.run.at(1_000, () -> rig.hotplug.up(rig.cpu(1)));
        rig.run.until(5_000);
        assertThat(rig.logFrom(500)).containsExactly("1000 unmask", "1000 irq on 1", "1100 irq done");
        assertThat(line.started()).isTrue();
    }

    @Test
    void itStaysOffIfTheDriverDisabledItMeanwhile() {
        IrqDescriptor line = rig.managed(0);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        rig.hotplug.down(rig.cpu(0));
        rig.run.until(500);
        line.disable(rig.cpu(2));
        rig.msi.event();
        rig.hotplug.up(rig.cpu(0));
        rig.run.until(1_000);
        assertThat(line.masked()).isTrue();

        line.enable(rig.cpu(0));
        rig.run.until(5_000);
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void aRequestWithoutACpuWaitsForOne() {
        IrqDescriptor line = rig.managed(0);
        rig.hotplug.down(rig.cpu(0));
        rig.run.until(500);
        line.requestIrq(rig.threaded("irq", 100, 100), rig.cpu(2), IrqFlag.THREADED);
        rig.msi.event();
        rig.run.until(900);
        assertThat(line.depth()).isZero();
        assertThat(line.masked()).isTrue();

        rig.run.at(1_000, () -> rig.hotplug.up(rig.cpu(0)));
        rig.run.until(5_000);
        assertThat(rig.logFrom(1_000))
                .containsExactly(
                        "1000 unmask",
                        "1000 irq on 0",
                        "1100 irq done",
                        "1100 irq thread on 0",
                        "1200 irq thread done");
    }

    @Test
    void aMessageThatWasUnderWayToALineWithoutACpuIsNotLost() {
        rig.msi.messageNs = 700;
        IrqDescriptor line = rig.managed(0);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(2));
        rig.run.at(100, rig.msi::event);
        rig.run.at(200, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.until(2_000);
        assertThat(line.pending()).isTrue();
        rig.run.at(3_000, () -> rig.hotplug.up(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(3_000)).containsExactly("3000 unmask", "3000 irq on 0", "3100 irq done");
    }

    @Test
    void aThreadDoesNotFollowItsLineToACpuThatIsGone() {
        IrqDescriptor line = rig.managed(0, 1);
        line.requestIrq(rig.threaded("irq", 100, 5_000), rig.cpu(2), IrqFlag.THREADED);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, rig.msi::event);
        rig.run.at(1_000, () -> rig.hotplug.down(rig.cpu(0)));
        rig.run.at(1_500, () -> rig.hotplug.down(rig.cpu(1)));
        rig.run.until(50_000);

        assertThat(rig.run.log().stream().filter(entry -> entry.endsWith("thread done")))
                .hasSize(2);
        assertThat(line.thread().cpu()).isSameAs(rig.cpu(2));
    }
}
