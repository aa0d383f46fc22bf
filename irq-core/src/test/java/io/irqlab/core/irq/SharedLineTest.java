package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Several handlers of one line: all are called, and their answers count together. */
final class SharedLineTest {
    private final LineRig rig = new LineRig(2);
    private final IrqDescriptor line = rig.line(FlowType.EDGE, 0);
    private final FakeAction first = rig.handler("first", 100);
    private final FakeAction second = rig.handler("second", 200);

    @Test
    void allHandlersAreCalledInTheOrderOfTheirRequests() {
        share();
        rig.run.at(100, rig.msi::event);
        rig.run.until(5_000);

        assertThat(rig.logFrom(100))
                .containsExactly("100 first on 0", "200 first done", "200 second on 0", "400 second done");
        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void anInterruptIsUnhandledOnlyIfAllSaySo() {
        share();
        first.result = IrqReturn.NONE;
        rig.run.at(100, rig.msi::event);
        rig.run.until(1_000);
        assertThat(line.unhandled()).isZero();

        second.result = IrqReturn.NONE;
        rig.run.at(2_000, rig.msi::event);
        rig.run.until(5_000);
        assertThat(line.unhandled()).isEqualTo(1);
    }

    @Test
    void aLineIsSharedOnlyIfAllAgree() {
        line.requestIrq(first, rig.cpu(1), IrqFlag.SHARED);

        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(second, rig.cpu(1)))
                .withMessage("irq 24 (eth0) has a handler already, and is not to be shared");
        assertThatIllegalStateException()
                .isThrownBy(() -> line.requestIrq(second, rig.cpu(1), IrqFlag.SHARED, IrqFlag.ONESHOT))
                .withMessage("irq 24 (eth0) is shared, and its handlers do not agree about ONESHOT");
    }

    @Test
    void aSharedLineIsNotModeratable() {
        line.requestIrq(first, rig.cpu(1), IrqFlag.SHARED);
        assertThat(line.moderatable()).isTrue();
        line.requestIrq(second, rig.cpu(1), IrqFlag.SHARED);

        assertThat(line.moderatable()).isFalse();
    }

    @Test
    void freeingOneLeavesTheOthersAtWork() {
        share();
        rig.run.at(50, () -> line.freeIrq(first, rig.cpu(1)));
        rig.run.at(100, rig.msi::event);
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("100 second on 0", "300 second done");
        assertThat(line.depth()).isZero();
    }

    @Test
    void aHandlerThatIsFreedBeforeItsTurnIsNotCalled() {
        share();
        rig.run.at(100, rig.msi::event);
        rig.run.at(150, () -> line.freeIrq(second, rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("100 first on 0", "200 first done");
    }

    private void share() {
        line.requestIrq("first", first, rig.cpu(1), IrqFlag.SHARED);
        line.requestIrq("second", second, rig.cpu(1), IrqFlag.SHARED);
    }
}
