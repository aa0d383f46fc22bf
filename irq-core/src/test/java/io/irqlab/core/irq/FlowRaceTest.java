package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Vector;
import org.junit.jupiter.api.Test;

/** Situations in which two CPUs have to do with one line at the same instant, or just after one another. */
final class FlowRaceTest {
    private final LineRig rig = new LineRig(3);

    /**
     * CPU 1 takes no time to enter the handler, so the event that the unmasking releases is there before the call returns. The
     * kernel's lock keeps it out until this CPU's handler is in progress again.
     */
    @Test
    void anEventThatTheReplayingEdgeFlowReleasesDoesNotRunTheHandlerBesideItself() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        var action = new Watched();
        line.requestIrq(action, rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        rig.run.at(100, rig.msi::event); // CPU 0 runs the handler, and the line moves
        rig.run.at(200, rig.msi::event); // CPU 1 refuses it, and masks
        rig.run.at(300, rig.msi::event); // waits in the device
        rig.run.until(20_000);

        assertThat(action.mostAtATime).isEqualTo(1);
        assertThat(action.calls).isGreaterThanOrEqualTo(2);
        assertThat(line.masked()).isFalse();
        assertThat(line.pending()).isFalse();
        assertThat(line.quiet()).isTrue();
    }

    /** The CPU that enables must not take that event, which another has refused just now, for the one that was pending before. */
    @Test
    void anEventThatAnEnableReleasesWhileTheHandlerRunsElsewhereUnmasksTheLineInTheEnd() {
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        var action = new Watched();
        line.requestIrq(action, rig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        rig.msi.unlazy = true;
        rig.run.at(100, rig.msi::event); // CPU 0 runs the handler, and the line moves
        rig.run.at(200, () -> {
            line.disable(rig.cpu(2));
            rig.msi.event(); // waits in the device
            line.setAffinity(CpuMask.of(0)); // where the line is back when the replay would arrive
            line.enable(rig.cpu(2)); // CPU 1 refuses it
        });
        rig.run.until(9_000);
        assertThat(line.masked()).isFalse();

        rig.run.at(10_000, rig.msi::event);
        rig.run.until(20_000);
        assertThat(action.mostAtATime).isEqualTo(1);
        assertThat(action.calls).isEqualTo(3);
        assertThat(line.masked()).isFalse();
    }

    /** A level on the fasteoi flow: unmasking after the move lets it reach the new CPU within the old one's flow. */
    @Test
    void noWindowIsOpenedBesideAHandlerThatBeganOnTheNewCpu() {
        var policy = new LineRig.Window();
        var windowRig = new LineRig(3, policy);
        IrqDescriptor line = windowRig.interrupts.allocate(24, "eth0", FlowType.FASTEOI, windowRig.wire, CpuMask.of(0));
        windowRig.wire.connect(line);
        int[] calls = {0};
        Routine code = windowRig.code("irq", 1_000);
        var action = new FakeAction(on -> {
            long ns = code.step(on);
            if (ns == Routine.DONE && ++calls[0] == 2) {
                windowRig.wire.lower(0);
            }
            return ns;
        });
        line.requestIrq(action, windowRig.cpu(2));
        line.setAffinity(CpuMask.of(1));
        policy.open = true;
        windowRig.run.at(100, () -> windowRig.wire.raise(0));
        windowRig.run.until(1_500);
        assertThat(line.inProgress()).isTrue();
        windowRig.run.until(5_000);

        // The second call, on the new CPU, may open it, the first may not.
        assertThat(calls[0]).isEqualTo(2);
        assertThat(line.inProgress()).isTrue();
        assertThat(line.depth()).isEqualTo(1);
        line.unmoderate(windowRig.cpu(1));
        windowRig.run.until(10_000);
        assertThat(line.quiet()).isTrue();
        assertThat(line.depth()).isZero();
        assertThat(line.masked()).isFalse();
    }

    /** A message may be posted for the CPU that the line leaves, just before it does. */
    @Test
    void aPostedMessageForWhereTheLineWasIsNeitherLostNorTheEndOfTheRun() {
        rig.cpu(0).deliverThrough(new PostedMessages());
        IrqDescriptor line = rig.line(FlowType.EDGE, 0);
        var action = new Watched();
        line.requestIrq(action, rig.cpu(2));
        boolean[] begun = {false};
        Vector before = rig.cpu(0).allocateVector("before", on -> {
            begun[0] = !begun[0];
            return begun[0] ? 1_000 : Routine.DONE;
        });
        rig.keepBusy(0, 100);
        line.setAffinity(CpuMask.of(1));
        rig.run.at(10, () -> rig.cpu(0).deliver(before));
        rig.run.at(20, rig.msi::event);
        rig.run.at(500, rig.msi::event); // posted, while the notification runs the other handler
        rig.run.at(1_200, rig.msi::event); // comes to CPU 1, while CPU 0 handles the first
        rig.run.until(20_000);

        assertThat(action.mostAtATime).isEqualTo(1);
        assertThat(line.cpu()).isSameAs(rig.cpu(1));
        assertThat(rig.cpu(0).deviceVectors()).extracting(Vector::name).doesNotContain("eth0");
        assertThat(line.pending()).isFalse();
        assertThat(line.masked()).isFalse();
        assertThat(action.calls).isGreaterThanOrEqualTo(2);
    }

    /** The thread of one handler ends while the walk is at another that has been freed, and that wakes its own thread then. */
    @Test
    void aFreedHandlerIsWaitedForThoughAnotherThreadEndsBetweenItsPrimaryAndItsThread() {
        IrqDescriptor line = rig.line(FlowType.FASTEOI, 0);
        FakeAction first = rig.threaded("first", 100, 5_000);
        FakeAction second = rig.threaded("second", 1_000, 3_000);
        line.requestIrq("first", first, rig.cpu(2), IrqFlag.SHARED, IrqFlag.THREADED);
        line.requestIrq("second", second, rig.cpu(2), IrqFlag.SHARED, IrqFlag.THREADED);
        second.result = IrqReturn.NONE;
        rig.run.at(0, rig.msi::event); // the first one's thread runs on CPU 0 from 1100 on
        rig.run.at(1_200, () -> {
            line.setAffinity(CpuMask.of(1));
            first.result = IrqReturn.NONE;
        });
        rig.run.at(1_300, rig.msi::event); // and the line moves meanwhile
        rig.run.at(6_500, () -> {
            second.result = IrqReturn.WAKE_THREAD;
            rig.msi.event();
        });
        rig.run.at(7_000, () -> line.freeIrq(second, rig.cpu(2)));
        for (long at = 7_050; at < 10_600; at += 50) {
            rig.run.at(at, () -> rig.run.note(line.quiet() ? "quiet" : "busy"));
        }
        rig.run.until(10_599);
        assertThat(rig.logFrom(7_000))
                .contains("7200 first thread done", "7600 second done", "8100 second thread on 1");
        assertThat(rig.logFrom(7_000)).noneMatch(entry -> entry.endsWith("quiet"));

        rig.run.until(20_000);
        assertThat(line.quiet()).isTrue();
    }

    /** A handler that counts how many of its calls run at a time. */
    private static final class Watched implements IrqAction {
        private int running;
        private int mostAtATime;
        private int calls;
        private final boolean[] begun = new boolean[8];

        @Override
        public long handlerStep(Cpu cpu) {
            int here = cpu.number();
            begun[here] = !begun[here];
            if (begun[here]) {
                running++;
                calls++;
                mostAtATime = Math.max(mostAtATime, running);
                return 1_000;
            }
            running--;
            return Routine.DONE;
        }

        @Override
        public IrqReturn result() {
            return IrqReturn.HANDLED;
        }
    }

    @Test
    void aNumberInUseCostsNoVector() {
        rig.line(FlowType.EDGE, 0);
        int before = rig.cpu(1).deviceVectors().size();
        assertThatIllegalStateException()
                .isThrownBy(() -> rig.interrupts.allocate(24, "again", FlowType.EDGE, rig.msi, CpuMask.of(1)))
                .withMessage("irq 24 is in use");

        assertThat(rig.cpu(1).deviceVectors()).hasSize(before);
    }

    /** The task that a line's first thread lives in was created on a CPU that is offline now. */
    @Test
    void aThreadRequestedWhileItsLineIsShutDownRunsWhereTheLineStarts() {
        IrqDescriptor line = rig.managed(0, 1);
        rig.hotplug.down(rig.cpu(0));
        rig.run.until(1_000);
        rig.hotplug.down(rig.cpu(1));
        rig.run.until(2_000);
        line.requestIrq(rig.threaded("irq", 100, 100), rig.cpu(2), IrqFlag.THREADED);
        rig.hotplug.up(rig.cpu(0));
        rig.run.at(3_000, rig.msi::event);
        rig.run.until(10_000);

        assertThat(rig.logFrom(3_000))
                .containsExactly("3000 irq on 0", "3100 irq done", "3100 irq thread on 0", "3200 irq thread done");
    }
}
