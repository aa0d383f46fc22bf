package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.CpuMask;
import org.junit.jupiter.api.Test;

/** The fasteoi flow: one end of interrupt for each, nothing masked unless it cannot be handled. */
final class FasteoiFlowTest {
    private final LineRig.Window policy = new LineRig.Window();
    private final LineRig rig = new LineRig(2, policy);
    private final IrqDescriptor line = rig.line(FlowType.FASTEOI, 0, 1);

    @Test
    void theEndIsToldAfterTheHandler() {
        line.requestIrq(
                new FakeAction(rig.run.script("irq").step(1_000).end(on -> rig.run.note("eois " + rig.msi.eois))),
                rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        rig.run.until(5_000);

        assertThat(rig.run.log()).containsExactly("0 unmask", "100 irq", "1100 irq done", "1100 eois 0");
        assertThat(rig.msi.eois).isEqualTo(1);
        assertThat(rig.msi.acks).isZero();
        assertThat(line.inProgress()).isFalse();
    }

    @Test
    void aDisabledLineIsMaskedAndItsEventReplayed() {
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(500, () -> line.enable(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(rig.run.log())
                .containsExactly("0 unmask", "200 mask", "500 unmask", "500 irq on 0", "1500 irq done");
        assertThat(rig.msi.eois).isEqualTo(2);
    }

    @Test
    void aChipThatWantsNoEndOfWhatWasNotHandledGetsNone() {
        rig.msi.eoiIfHandled = true;
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, rig.msi::event);
        rig.run.until(400);
        assertThat(rig.msi.eois).isZero();

        rig.run.at(500, () -> line.enable(rig.cpu(0)));
        rig.run.until(5_000);
        assertThat(rig.msi.eois).isEqualTo(1);
    }

    @Test
    void anEventOnTheNewCpuWhileTheHandlerRunsOnTheOldOneIsReplayedByThat() {
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(1));
        rig.run.at(50, () -> line.setAffinity(CpuMask.of(1)));
        rig.run.at(100, rig.msi::event); // the move is at its end
        rig.run.at(1_200, rig.msi::event);
        rig.run.until(1_250);
        line.setAffinity(CpuMask.of(0));
        rig.run.until(10_000);
        // 1200: on CPU 1; at 2200 it moves back to CPU 0.
        rig.run.at(11_000, rig.msi::event);
        rig.run.until(20_000);

        assertThat(rig.run.log().stream().filter(entry -> entry.contains(" on ")))
                .containsExactly("100 irq on 0", "1200 irq on 1", "11000 irq on 0");
    }

    @Test
    void anEventThatFindsTheHandlerRunningElsewhereIsRememberedUnmaskedAndReplayed() {
        line.requestIrq(rig.handler("irq", 1_000), rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        // The flow of another CPU, which took a message just after a move.
        rig.run.at(300, () -> new FasteoiFlow(line).step(rig.cpu(1)));
        rig.run.until(400);
        assertThat(line.pending()).isTrue();
        assertThat(line.masked()).isFalse();
        rig.run.until(5_000);

        assertThat(rig.run.log())
                .containsExactly("0 unmask", "100 irq on 0", "1100 irq done", "1100 irq on 0", "2100 irq done");
        assertThat(rig.msi.eois).isEqualTo(3);
    }

    @Test
    void anEventInAWindowIsMaskedAndReplayedWhenItCloses() {
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        policy.open = true;
        rig.run.at(100, rig.msi::event);
        rig.run.at(1_000, rig.msi::event);
        rig.run.at(5_000, () -> line.unmoderate(rig.cpu(0)));
        rig.run.until(4_000);
        assertThat(line.inProgress()).isTrue();
        assertThat(line.masked()).isTrue();
        rig.run.until(10_000);

        assertThat(rig.run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq on 0",
                        "200 irq done",
                        "1000 mask",
                        "5000 unmask",
                        "5000 irq on 0",
                        "5100 irq done");
    }
}
