package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import org.junit.jupiter.api.Test;

/** Freeing and requesting: no call begins after a free, and a request finds what the device kept. */
final class FreeIrqTest {
    private final LineRig.Window policy = new LineRig.Window();
    private final LineRig rig = new LineRig(2, policy);
    private final IrqDescriptor line = rig.line(FlowType.EDGE, 0);
    private final FakeAction action = rig.handler("irq", 1_000);

    @Test
    void theLastFreeDisablesAndMasksTheLine() {
        line.requestIrq(action, rig.cpu(1));
        line.disable(rig.cpu(1));
        line.freeIrq(action, rig.cpu(1));

        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.masked()).isTrue();
        assertThat(line.quiet()).isTrue();
    }

    @Test
    void whatWasPendingIsReplayedAtTheNextRequest() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(300, () -> line.freeIrq(action, rig.cpu(1)));
        rig.run.at(400, () -> line.requestIrq(action, rig.cpu(1)));
        rig.run.until(399);
        assertThat(line.pending()).isTrue();
        rig.run.until(5_000);

        assertThat(line.handled()).isEqualTo(1);
        assertThat(line.pending()).isFalse();
    }

    @Test
    void aReplayThatFindsNoHandlerStaysPending() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, () -> line.disable(rig.cpu(1)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(300, () -> line.enable(rig.cpu(1)));
        rig.run.at(400, () -> line.freeIrq(action, rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(line.handled()).isZero();
        assertThat(line.refused()).isEqualTo(2);
        assertThat(line.pending()).isTrue();
    }

    @Test
    void whatTheDeviceRaisesMeanwhileIsDeliveredAfterTheNextRequest() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, () -> line.freeIrq(action, rig.cpu(1)));
        rig.run.at(200, rig.msi::event);
        rig.run.at(500, () -> line.requestIrq(action, rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(rig.logFrom(100)).containsExactly("100 mask", "500 unmask", "500 irq on 0", "1500 irq done");
    }

    @Test
    void disablesBeforeARequestDoNotCount() {
        line.disable(rig.cpu(1));
        line.requestIrq(action, rig.cpu(1));

        assertThat(line.depth()).isZero();
    }

    @Test
    void aLineWithoutAHandlerCannotBeEnabled() {
        assertThatIllegalStateException()
                .isThrownBy(() -> line.enable(rig.cpu(1)))
                .withMessage("unbalanced enable of irq 24 (eth0)");
        assertThat(line.masked()).isTrue();
    }

    @Test
    void aFreeWaitsForTheHandlerThatRuns() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> free(action));
        rig.run.until(5_000);

        assertThat(rig.logFrom(500)).containsExactly("500 mask", "1100 irq done", "1150 freed");
    }

    @Test
    void aFreeWaitsForTheThreadAlsoOneThatTheLastCallWakes() {
        FakeAction threaded = rig.threaded("irq", 1_000, 3_000);
        line.requestIrq(threaded, rig.cpu(1), IrqFlag.THREADED);
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> free(threaded));
        rig.run.until(10_000);

        assertThat(rig.logFrom(500))
                .containsExactly(
                        "500 mask", "1100 irq done", "1100 irq thread on 0", "4100 irq thread done", "4150 freed");
    }

    @Test
    void theEventsOfAFreedLineRunNothing() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        rig.run.at(200, rig.msi::event); // waits in the CPU
        rig.run.at(500, () -> line.freeIrq(action, rig.cpu(1)));
        rig.run.until(10_000);

        assertThat(line.handled()).isEqualTo(1);
    }

    @Test
    void aFreeInAWindowWaitsForItsEndWhichDoesNotEnableTheLine() {
        line.requestIrq(action, rig.cpu(1));
        policy.open = true;
        rig.run.at(100, rig.msi::event);
        rig.run.at(2_000, () -> free(action));
        rig.run.at(9_000, () -> line.unmoderate(rig.cpu(0)));
        rig.run.until(20_000);

        assertThat(rig.logFrom(2_000)).containsExactly("2000 mask", "9050 freed");
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.masked()).isTrue();
    }

    @Test
    void aRequestMustWaitForTheEndOfTheFreedHandler() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> {
            line.freeIrq(action, rig.cpu(1));
            assertThatIllegalStateException()
                    .isThrownBy(() -> line.requestIrq(action, rig.cpu(1)))
                    .withMessage(
                            "irq 24 (eth0) is requested while a handler that was freed may still run; await its end");
        });
        rig.run.until(5_000);
        line.requestIrq(action, rig.cpu(1));

        assertThat(line.depth()).isZero();
    }

    @Test
    void onlyAnInstalledHandlerCanBeFreed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> line.freeIrq(action, rig.cpu(1)))
                .withMessage("irq 24 (eth0) has no such handler to free");
    }

    @Test
    void aSynchronousDisableReturnsAfterTheHandler() {
        line.requestIrq(action, rig.cpu(1));
        rig.run.at(100, rig.msi::event);
        rig.run.at(500, () -> {
            line.disable(rig.cpu(1));
            await("disabled");
        });
        rig.run.until(5_000);

        assertThat(rig.logFrom(500)).containsExactly("1100 irq done", "1150 disabled");
    }

    private void free(FakeAction freed) {
        line.freeIrq(freed, rig.cpu(1));
        await("freed");
    }

    /** A task of CPU 1, which starts an inter-processor interrupt later, waits and looks every 100 ns. */
    private void await(String what) {
        Routine wait = line.synchronizeIrq();
        boolean[] done = {false};
        Task.fair(rig.cpu(1), "driver", on -> {
                    long ns = wait.step(on);
                    if (ns == Routine.DONE && !done[0]) {
                        done[0] = true;
                        rig.run.note(what);
                    }
                    return ns;
                })
                .start();
    }
}
