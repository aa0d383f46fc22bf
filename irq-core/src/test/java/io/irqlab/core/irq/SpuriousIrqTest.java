package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Routine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines that nobody cares for are switched off; those that somebody cares for now and then are not. */
final class SpuriousIrqTest {
    private static final int WINDOW = 100_000;

    private final LineRig rig = new LineRig(2);
    private final IrqDescriptor line = rig.line(FlowType.EDGE, 0);
    private final FakeAction action = new FakeAction(on -> Routine.DONE);

    @Test
    void theHundredThousandthUnhandledInterruptSwitchesTheLineOff() {
        line.requestIrq("eth", action, rig.cpu(1));
        action.result = IrqReturn.NONE;
        events(WINDOW - 1, 1_000);
        assertThat(line.spuriousDisabled()).isFalse();
        assertThat(rig.reports).isEmpty();

        events(1, 1_000);
        assertThat(line.spuriousDisabled()).isTrue();
        assertThat(line.depth()).isEqualTo(1);
        assertThat(rig.reports).containsExactly(new SpuriousIrq(24, "eth0", 0, 99_999_000, List.of("eth")));
        assertThat(rig.reports.get(0)).hasToString("irq 24 (eth0): nobody cared, on cpu 0 at 99999000 ns; asked: eth");
    }

    @Test
    void aHundredHandledOnesOfAHundredThousandKeepItOn() {
        line.requestIrq(action, rig.cpu(1));
        events(100, 1_000);
        action.result = IrqReturn.NONE;
        events(WINDOW - 100, 1_000);

        assertThat(line.unhandled()).isEqualTo(99_900);
        assertThat(line.spuriousDisabled()).isFalse();
    }

    @Test
    void ninetyNineHandledOnesDoNot() {
        line.requestIrq(action, rig.cpu(1));
        events(99, 1_000);
        action.result = IrqReturn.NONE;
        events(WINDOW - 99, 1_000);

        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void aTenthOfASecondOfQuietForgivesWhatWasUnhandledBefore() {
        line.requestIrq(action, rig.cpu(1));
        action.result = IrqReturn.NONE;
        events(50_000, 1_000);
        rig.run.until(rig.run.queue.nowNs() + 100_000_001);
        events(50_000, 1_000);

        assertThat(line.unhandled()).isEqualTo(WINDOW);
        assertThat(line.spuriousDisabled()).isFalse();
    }

    @Test
    void aThreadThatHandlesNothingIsNoExcuse() {
        var threaded = new FakeAction(on -> Routine.DONE);
        threaded.result = IrqReturn.WAKE_THREAD;
        line.requestIrq(threaded, rig.cpu(1), IrqFlag.THREADED);
        events(WINDOW, 1_000);
        assertThat(line.spuriousDisabled()).isFalse();

        threaded.threadResult = IrqReturn.NONE;
        events(WINDOW, 1_000);
        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void aSharedLineThatIsOffIsLookedAtEveryTenthOfASecond() {
        line.requestIrq("a", action, rig.cpu(1), IrqFlag.SHARED);
        action.result = IrqReturn.NONE;
        events(WINDOW, 1_000);
        long calls = line.handled();
        rig.run.until(rig.run.queue.nowNs() + 1_050_000_000);

        assertThat(line.handled()).isEqualTo(calls + 10);
        assertThat(line.depth()).isEqualTo(1);
    }

    @Test
    void aLineThatIsNotSharedIsNotLookedAt() {
        line.requestIrq(action, rig.cpu(1));
        action.result = IrqReturn.NONE;
        events(WINDOW, 1_000);
        long calls = line.handled();
        rig.run.until(rig.run.queue.nowNs() + 1_050_000_000);

        assertThat(line.handled()).isEqualTo(calls);
    }

    @Test
    void aNewHandlerOfASharedLineSwitchesItOnAgain() {
        line.requestIrq("a", action, rig.cpu(1), IrqFlag.SHARED);
        action.result = IrqReturn.NONE;
        events(WINDOW, 1_000);
        line.requestIrq("b", new FakeAction(on -> Routine.DONE), rig.cpu(1), IrqFlag.SHARED);

        assertThat(line.spuriousDisabled()).isFalse();
        assertThat(line.depth()).isZero();
        events(WINDOW + 10, 1_000);
        assertThat(rig.reports).hasSize(1);
    }

    @Test
    void afterAFreeAndARequestItIsJudgedAnew() {
        line.requestIrq(action, rig.cpu(1), IrqFlag.SHARED);
        action.result = IrqReturn.NONE;
        events(WINDOW, 1_000);
        line.freeIrq(action, rig.cpu(1));
        rig.run.until(rig.run.queue.nowNs() + 1_000_000_000);
        line.requestIrq(action, rig.cpu(1));
        events(WINDOW - 1, 1_000);
        assertThat(line.spuriousDisabled()).isFalse();
        events(1, 1_000);
        assertThat(rig.reports).hasSize(2);
    }

    private void events(int count, long gapNs) {
        for (int i = 0; i < count; i++) {
            rig.msi.event();
            rig.run.until(rig.run.queue.nowNs() + gapNs);
        }
    }
}
