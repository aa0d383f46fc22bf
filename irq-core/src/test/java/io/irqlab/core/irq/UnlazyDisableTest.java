package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Chips that disable at once, and those that cannot mask at all. */
final class UnlazyDisableTest {
    private final LineRig.Window policy = new LineRig.Window();
    private final LineRig rig = new LineRig(2, policy);
    private final IrqDescriptor line = rig.line(FlowType.EDGE, 0);

    @Test
    void aChipThatDisablesAtOnceMasksWithTheFirstDisable() {
        rig.msi.unlazy = true;
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, () -> line.disable(rig.cpu(1)));
        rig.run.at(300, rig.msi::event);
        rig.run.at(400, () -> line.enable(rig.cpu(1)));
        rig.run.at(1_000, () -> line.enable(rig.cpu(1)));
        rig.run.until(5_000);

        // The device keeps the event; the CPU sees it once.
        assertThat(rig.logFrom(100)).containsExactly("100 mask", "1000 unmask", "1000 irq on 0", "1100 irq done");
        assertThat(line.refused()).isZero();
        assertThat(rig.msi.messages).isEqualTo(1);
    }

    @Test
    void aWindowOfSuchALineMasksWhenItOpens() {
        rig.msi.unlazy = true;
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        policy.open = true;
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, rig.msi::event);
        rig.run.at(1_000, () -> line.unmoderate(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(100))
                .containsExactly(
                        "100 irq on 0", "200 irq done", "200 mask", "1000 unmask", "1000 irq on 0", "1100 irq done");
        assertThat(line.refused()).isZero();
    }

    @Test
    void aChipThatCannotMaskHasEveryEventRefusedAndOneReplayed() {
        rig.msi.maskable = false;
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(300, rig.msi::event);
        rig.run.at(1_000, () -> line.enable(rig.cpu(0)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("1000 irq on 0", "1100 irq done");
        assertThat(line.refused()).isEqualTo(2);
        assertThat(line.masked()).isFalse();
        assertThat(line.moderatable()).isFalse();
    }
}
