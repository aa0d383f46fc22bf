package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** ONESHOT: the line stays masked until the threads that the interrupt woke have ended. */
final class OneshotTest {
    private final LineRig rig = new LineRig(2);

    @Test
    void aFasteoiLineStaysMaskedUntilTheThreadHasEnded() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, rig.msi::event);
        rig.run.until(20_000);

        assertThat(rig.run.log())
                .containsExactly(
                        "0 unmask",
                        "100 mask",
                        "100 irq on 0",
                        "200 irq done",
                        "200 irq thread on 0",
                        "1200 irq thread done",
                        "1200 unmask",
                        "1200 mask",
                        "1200 irq on 0",
                        "1300 irq done",
                        "1300 irq thread on 0",
                        "2300 irq thread done",
                        "2300 unmask");
        assertThat(rig.msi.messages).isEqualTo(2);
    }

    @Test
    void aLevelLineStaysMaskedSoThatItDoesNotStorm() {
        IrqDescriptor line = rig.line(FlowType.LEVEL, 0);
        var action = new FakeAction(
                rig.code("irq", 100), rig.run.script("thread").step(1_000).end(on -> rig.wire.lower(0)));
        action.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(action, rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, () -> rig.wire.raise(0));
        rig.run.until(20_000);

        assertThat(rig.run.log())
                .containsExactly(
                        "0 unmask",
                        "100 mask",
                        "100 irq on 0",
                        "200 irq done",
                        "200 thread",
                        "1200 thread done",
                        "1200 unmask");
    }

    @Test
    void aSharedLineWaitsForTheLastOfItsThreads() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        IrqFlag[] flags = {IrqFlag.THREADED, IrqFlag.ONESHOT, IrqFlag.SHARED};
        line.requestIrq("a", rig.threaded("a", 0, 1_000), rig.cpu(1), flags);
        line.requestIrq("b", rig.threaded("b", 0, 5_000), rig.cpu(1), flags);
        rig.run.at(100, rig.msi::event);
        rig.run.until(20_000);

        assertThat(rig.logFrom(1_000))
                .containsExactly("1100 a thread done", "1100 b thread on 0", "6100 b thread done", "6100 unmask");
    }

    @Test
    void aLineThatIsDisabledWhileTheThreadRunsIsUnmaskedByTheEnable() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> line.disable(rig.cpu(1)));
        rig.run.at(5_000, () -> line.enable(rig.cpu(1)));
        rig.run.until(20_000);

        assertThat(rig.logFrom(1_000)).containsExactly("1200 irq thread done", "5000 unmask");
    }

    @Test
    void anEnableWhileTheThreadRunsDoesNotUnmaskTooSoon() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> line.disable(rig.cpu(1)));
        rig.run.at(600, () -> line.enable(rig.cpu(1)));
        rig.run.until(20_000);

        assertThat(rig.logFrom(500)).containsExactly("1200 irq thread done", "1200 unmask");
    }

    @Test
    void norDoesAnEnableWhileTheHandlerRunsThatIsAboutToWakeIt() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.threaded("irq", 1_000, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> line.disable(rig.cpu(1)));
        rig.run.at(600, () -> line.enable(rig.cpu(1)));
        rig.run.until(20_000);

        assertThat(rig.logFrom(500))
                .containsExactly("1100 irq done", "1100 irq thread on 0", "2100 irq thread done", "2100 unmask");
    }

    @Test
    void anInterruptWhoseHandlerLeavesTheThreadAsleepUnmasksAtOnce() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.handler("irq", 100), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.until(20_000);

        assertThat(rig.run.log()).containsExactly("0 unmask", "100 mask", "100 irq on 0", "200 irq done", "200 unmask");
    }

    @Test
    void anEdgeLineIsNotMaskedAndRunsItsThreadOnceMore() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, rig.msi::event);
        rig.run.until(20_000);

        assertThat(rig.run.log())
                .containsExactly(
                        "0 unmask",
                        "100 irq on 0",
                        "200 irq done",
                        "200 irq thread on 0",
                        "500 irq on 0",
                        "600 irq done",
                        "1300 irq thread done",
                        "1300 irq thread on 0",
                        "2300 irq thread done");
    }

    @Test
    void theThreadOfAnEdgeLineDoesNotKeepItMasked() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        line.requestIrq(rig.threaded("irq", 100, 2_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.at(300, () -> line.disable(rig.cpu(1)));
        rig.run.at(400, rig.msi::event);
        rig.run.at(500, () -> line.enable(rig.cpu(0)));
        rig.run.until(20_000);

        assertThat(rig.logFrom(400)).startsWith("400 mask", "500 unmask", "500 irq on 0", "600 irq done");
        assertThat(line.masked()).isFalse();
    }

    @Test
    void aChipThatIsSafeTakesTheFlagAwaySoThatTheLineMayBeModerated() {
        rig.msi.oneshotSafe = true;
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);
        rig.run.at(100, rig.msi::event);
        rig.run.until(20_000);

        assertThat(rig.run.log()).doesNotContain("100 mask");
        assertThat(line.moderatable()).isTrue();
    }

    @Test
    void aLineWithTheFlagIsNotModeratable() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        line.requestIrq(rig.threaded("irq", 100, 1_000), rig.cpu(1), IrqFlag.THREADED, IrqFlag.ONESHOT);

        assertThat(line.moderatable()).isFalse();
    }
}
