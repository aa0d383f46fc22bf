package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Routine;
import org.junit.jupiter.api.Test;

/** The level flow: masked while the handlers run, and taken again as long as the line is asserted. */
final class LevelFlowTest {
    private final LineRig rig = new LineRig(2);
    private final IrqDescriptor line = rig.line(FlowType.LEVEL, 0);

    @Test
    void theLineIsMaskedWhileTheHandlerRuns() {
        line.requestIrq(serving(1_000), rig.cpu(1));
        rig.run.at(100, () -> rig.wire.raise(0));
        rig.run.until(5_000);

        assertThat(rig.run.log()).containsExactly("0 unmask", "100 mask", "100 irq", "1100 irq done", "1100 unmask");
        assertThat(rig.wire.messages).isEqualTo(1);
    }

    @Test
    void aLineThatStaysAssertedInterruptsAgainAtOnce() {
        int[] calls = {0};
        line.requestIrq(
                new FakeAction(rig.run.script("irq").step(1_000, on -> {
                    if (++calls[0] == 3) {
                        rig.wire.lower(0);
                    }
                })),
                rig.cpu(1));
        rig.run.at(100, () -> rig.wire.raise(0));
        rig.run.until(50_000);

        assertThat(line.handled()).isEqualTo(3);
        assertThat(rig.wire.messages).isEqualTo(3);
        assertThat(line.masked()).isFalse();
    }

    @Test
    void aDisabledLineStaysMaskedAndIsTakenAgainOnEnableWithoutAReplay() {
        line.requestIrq(serving(1_000), rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, () -> rig.wire.raise(0));
        rig.run.until(400);
        assertThat(line.pending()).isTrue();
        assertThat(line.masked()).isTrue();
        rig.run.at(500, () -> line.enable(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(rig.run.log())
                .containsExactly(
                        "0 unmask", "200 mask", "500 unmask", "500 mask", "500 irq", "1500 irq done", "1500 unmask");
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void aDeviceThatGivesUpWhileTheLineIsDisabledCausesNoCall() {
        line.requestIrq(serving(1_000), rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, () -> rig.wire.raise(0));
        rig.run.at(300, () -> rig.wire.lower(0));
        rig.run.at(500, () -> line.enable(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(line.handled()).isZero();
        assertThat(line.pending()).isFalse();
    }

    @Test
    void aHandlerThatDisablesTheLineLeavesItMasked() {
        line.requestIrq(new FakeAction(rig.run.script("irq").step(1_000, on -> line.disable(on))), rig.cpu(1));
        rig.run.at(100, () -> rig.wire.raise(0));
        rig.run.until(50_000);

        assertThat(rig.run.log()).containsExactly("0 unmask", "100 mask", "100 irq", "1100 irq done");
        assertThat(line.masked()).isTrue();
    }

    private FakeAction serving(long ns) {
        return new FakeAction(new Routine() {
            private final Routine script = rig.run.script("irq").step(ns, on -> rig.wire.lower(0));

            @Override
            public long step(io.irqlab.core.cpu.Cpu cpu) {
                return script.step(cpu);
            }
        });
    }
}
