package io.irqlab.core.napi;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** NAPI polls in rounds, gives an interrupt back when a queue is empty, and puts that off if it is told to. */
final class NapiTest {
    private static final long MS = 1_000_000;

    private final Timeline run = new Timeline();
    private final CpuCosts costs = costs().hardirq(300, 200).softirqEntry(100).build();
    private final Cpu cpu = new Cpu(0, run.queue, costs);
    private final Cpu other = new Cpu(1, run.queue, costs);
    private final CpuHotplug machine = new CpuHotplug(List.of(cpu, other));
    private final Napi core = new Napi(machine, run.queue);

    /** A softirq that comes before NAPI's: one that is raised in a run of NAPI shows when that run ends. */
    @BeforeEach
    void openASendingSoftirq() {
        for (Cpu each : machine.cpus()) {
            each.openSoftirq(Softirq.NET_TX, on -> {
                run.note("tx");
                return Routine.DONE;
            });
        }
    }

    @Test
    void anInstanceIsPolledAfterTheHardirqThatScheduledItAndUnmasks() {
        var a = new Nic("a", 5);
        interrupt(cpu, 1_000, a);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a unmask");
        assertThat(a.instance.scheduled()).isFalse();
        assertThat(core.squeezed(cpu)).isZero();
    }

    @Test
    void oneThatUsesItsWholeWeightOf64WaitsForTheNextRun() {
        var a = new Nic("a", 130);
        a.onCall = on -> on.raiseSoftirq(Softirq.NET_TX);
        interrupt(cpu, 1_000, a, new Nic("b", 10));
        run.until(MS);

        assertThat(run.log())
                .containsExactly(
                        "1600 a 64",
                        "2240 b 10",
                        "2340 b unmask",
                        "2340 tx",
                        "2340 a 64",
                        "2980 tx",
                        "2980 a 2",
                        "3000 a unmask",
                        "3000 tx");
        assertThat(core.squeezed(cpu)).isZero();
    }

    @Test
    void aRunIsSqueezedByItsBudgetOf300AndBeginsNextTimeWhereItLeftOff() {
        var nics = new Nic[7];
        for (int i = 0; i < nics.length; i++) {
            nics[i] = new Nic("n" + i, 70);
        }
        interrupt(cpu, 1_000, nics);
        run.until(1_600 + 7 * 640 - 1);

        // 64 each: after the fifth the budget is exceeded; the two that were not polled come before those that were.
        assertThat(core.squeezed(cpu)).isEqualTo(1);
        run.until(MS);
        assertThat(run.log().stream().filter(line -> !line.contains("unmask")).map(line -> line.split(" ", -1)[1]))
                .containsExactly("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n0", "n1", "n2", "n3", "n4", "n5", "n6");
        assertThat(core.squeezed(cpu)).isEqualTo(1);
    }

    @Test
    void aRunIsSqueezedByTheSecondJiffyAfterItBegan() {
        var nics = new Nic[5];
        for (int i = 0; i < nics.length; i++) {
            nics[i] = new Nic("n" + i, 60);
            nics[i].packetNs = 10_000;
        }
        nics[0].onCall = on -> on.raiseSoftirq(Softirq.NET_TX);
        interrupt(cpu, 1_000, nics);
        run.until(10 * MS);

        // 600 us each from 1.6 us on: the fourth ends at 2.4 ms, two jiffies after the first. The rest is ksoftirqd's.
        assertThat(run.log())
                .startsWith(
                        "1600 n0 60",
                        "601600 n0 unmask",
                        "601600 n1 60",
                        "1201600 n1 unmask",
                        "1201600 n2 60",
                        "1801600 n2 unmask",
                        "1801600 n3 60",
                        "2401600 n3 unmask",
                        "2401700 tx", // 100 ns to begin in ksoftirqd
                        "2401700 n4 60");
        assertThat(core.squeezed(cpu)).isEqualTo(1);
    }

    @Test
    void oneThatIsScheduledWhileARunGoesOnIsPolledInThatRun() {
        var b = new Nic("b", 3);
        var a = new Nic("a", 10);
        a.onCall = on -> {
            on.raiseSoftirq(Softirq.NET_TX);
            b.instance.schedule(on);
        };
        interrupt(cpu, 1_000, a);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 10", "1700 a unmask", "1700 b 3", "1730 b unmask", "1730 tx");
    }

    @Test
    void oneThatIsScheduledWhileItIsPolledIsPolledOnceMore() {
        var a = new Nic("a", 5);
        interrupt(cpu, 1_000, a);
        run.at(1_625, () -> a.left = 2);
        interrupt(other, 1_320, a); // its handler acts at 1620, while cpu0 polls
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete", "1650 a 2", "1670 a unmask");
    }

    // ---- napi_defer_hard_irqs and gro_flush_timeout

    @Test
    void anEmptyPollArmsATimerInsteadOfUnmaskingSoManyTimesInARow() {
        var a = new Nic("a", 5);
        a.instance.defer(3, 10_000);
        interrupt(cpu, 1_000, a);
        run.until(MS);

        // From the timer's expiry: 300 ns in, 200 ns out, 100 ns to the softirq. The first of three is that with
        // packets.
        assertThat(run.log())
                .containsExactly(
                        "1600 a 5",
                        "1650 a complete",
                        "12250 a 0",
                        "12250 a complete",
                        "22850 a 0",
                        "22850 a complete",
                        "33450 a 0",
                        "33450 a unmask");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(3);
    }

    @Test
    void packetsBeginTheCountAnew() {
        var a = new Nic("a", 5);
        a.instance.defer(2, 10_000);
        interrupt(cpu, 1_000, a);
        run.at(12_000, () -> a.left = 4);
        run.until(MS);

        assertThat(run.log())
                .containsExactly(
                        "1600 a 5",
                        "1650 a complete",
                        "12250 a 4",
                        "12290 a complete",
                        "22890 a 0",
                        "22890 a complete",
                        "33490 a 0",
                        "33490 a unmask");
    }

    @Test
    void aTimeoutWithoutACountAndACountWithoutATimeoutPutNothingOff() {
        var a = new Nic("a", 5);
        a.instance.defer(0, 10_000);
        var b = new Nic("b", 5);
        b.instance.defer(4, 0);
        interrupt(cpu, 1_000, a, b);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a unmask", "1650 b 5", "1700 b unmask");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isZero();
    }

    @Test
    void countAndTimeoutAreZeroOrMore() {
        var a = new Nic("a", 0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.instance.defer(-1, 0))
                .withMessage("napi_defer_hard_irqs must be 0 or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.instance.defer(0, -1))
                .withMessage("gro_flush_timeout must be 0 ns or more, was -1");
    }

    @Test
    void theTimerOfACpuThatGoesOfflineExpiresOnAnother() {
        var a = new Nic("a", 5);
        a.notesCpu = true;
        a.instance.defer(1, 100_000);
        interrupt(other, 1_000, a);
        run.at(50_000, () -> machine.down(other));
        run.at(90_000, () -> a.left = 1);
        run.until(MS);

        assertThat(run.log())
                .containsExactly(
                        "1600 a 5 on cpu1",
                        "1650 a complete",
                        "102250 a 1 on cpu0",
                        "102260 a complete",
                        "202860 a 0 on cpu0",
                        "202860 a unmask");
    }

    // ---- disable

    @Test
    void aDisabledInstanceIsNotScheduledUntilItIsEnabled() {
        var a = new Nic("a", 5);
        a.instance.disable();
        interrupt(cpu, 1_000, a);
        run.at(10_000, a.instance::enable);
        interrupt(cpu, 11_000, a);
        run.until(MS);

        assertThat(run.log()).containsExactly("11600 a 5", "11650 a unmask");
    }

    @Test
    void oneThatIsDisabledWhileItIsPolledEndsWithThatCall() {
        var a = new Nic("a", 1_000);
        interrupt(cpu, 1_000, a);
        run.at(2_500, a.instance::disable);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 64", "2240 a 64");
        assertThat(a.instance.scheduled()).isFalse();
    }

    @Test
    void oneThatIsDisabledAfterItMissedSomethingTakesTheOtherLookAndUnmasks() {
        var a = new Nic("a", 5);
        interrupt(cpu, 1_000, a);
        interrupt(other, 1_320, a);
        run.at(1_630, a.instance::disable);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete", "1650 a 0", "1650 a unmask");
        assertThat(a.instance.scheduled()).isFalse();
    }

    @Test
    void disablingStopsTheTimerAlsoIfThePollThatWouldArmItStillRuns() {
        var a = new Nic("a", 5);
        a.instance.defer(5, 10_000);
        interrupt(cpu, 1_000, a);
        run.at(1_630, a.instance::disable);
        run.at(1_700, a.instance::enable);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isZero();
    }

    @Test
    void disablingStopsATimerThatIsArmed() {
        var a = new Nic("a", 5);
        a.instance.defer(5, 10_000);
        interrupt(cpu, 1_000, a);
        run.at(5_000, a.instance::disable);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete");
    }

    // ---- drivers that break the contract

    @Test
    void lessThanTheBudgetWithoutCompletionIsAFault() {
        var a = new Nic("eth0-rx-3", 5);
        a.completes = false;
        interrupt(cpu, 1_000, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessage(
                        "driver bug: the poll function of eth0-rx-3 returned 5, less than its budget of 64, without"
                                + " calling napi_complete_done");
    }

    @Test
    void completionWithTheFullBudgetIsAFault() {
        var a = new Nic("eth0-rx-3", 100);
        a.completesAlways = true;
        interrupt(cpu, 1_000, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessageStartingWith("driver bug: the poll function of eth0-rx-3 called napi_complete_done and"
                        + " returned its full budget of 64");
    }

    @Test
    void moreThanTheBudgetIsAFault() {
        var a = new Nic("eth0-rx-3", 100);
        a.returnsMore = 1;
        interrupt(cpu, 1_000, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessage("driver bug: the poll function of eth0-rx-3 returned 65, which is not within its budget of"
                        + " 64");
    }

    @Test
    void completingWhatIsNotScheduledIsAFault() {
        var a = new Nic("eth0-rx-3", 5);

        assertThatIllegalStateException()
                .isThrownBy(() -> a.instance.completeDone(0, cpu))
                .withMessage("driver bug: eth0-rx-3 completes a poll that is not scheduled");
    }

    @Test
    void aPollFunctionThatCompletesEarlyAndRunsOnTwoCpusIsAFault() {
        var a = new Nic("eth0-rx-3", 5);
        a.afterCompletionNs = 5_000;
        interrupt(cpu, 1_000, a);
        interrupt(other, 1_700, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessage(
                        "driver bug: cpu1 would run the poll function of eth0-rx-3, which has completed on cpu0 and"
                                + " not returned");
    }

    // ---- CPUs that go

    @Test
    void theListOfACpuThatGoesOfflineIsPolledOnAnIdleOneAtOnce() {
        var a = new Nic("a", 200);
        a.notesCpu = true;
        interrupt(other, 1_000, a);
        run.at(2_000, () -> machine.down(other));
        run.until(MS);

        // The stopper's interrupt takes 500 ns and ends the service at the end of the run; then 600 ns on cpu0.
        assertThat(run.log())
                .containsExactly(
                        "1600 a 64 on cpu1",
                        "3340 a 64 on cpu0",
                        "3980 a 64 on cpu0",
                        "4620 a 8 on cpu0",
                        "4700 a unmask");
    }

    private void interrupt(Cpu on, long timeNs, Nic... nics) {
        var vector = on.allocateVector("irq", running -> {
            for (Nic nic : nics) {
                nic.instance.schedule(running);
            }
            return Routine.DONE;
        });
        run.at(timeNs, () -> on.raise(vector));
    }

    /** A queue of packets and its driver; it notes each call with what it takes, and what it does at the end. */
    private final class Nic implements NapiPoll {
        private final String name;
        private final NapiInstance instance;
        private int left;
        private int work;
        private int steps;
        private long packetNs = 10;
        private long afterCompletionNs;
        private boolean completes = true;
        private boolean completesAlways;
        private boolean notesCpu;
        private int returnsMore;
        private Consumer<Cpu> onCall = on -> {};

        Nic(String name, int packets) {
            this.name = name;
            this.left = packets;
            this.instance = new NapiInstance(core, name, this);
        }

        @Override
        public long step(Cpu on, int budget) {
            steps++;
            if (steps == 1) {
                onCall.accept(on);
                work = Math.min(left, budget);
                left -= work;
                run.note(name + " " + work + (notesCpu ? " on " + on : ""));
                return work * packetNs;
            }
            if (steps == 2 && (completesAlways || (completes && work < budget))) {
                run.note(name + (instance.completeDone(work, on) ? " unmask" : " complete"));
                if (afterCompletionNs > 0) {
                    return afterCompletionNs;
                }
            }
            steps = 0;
            return Routine.DONE;
        }

        @Override
        public int work() {
            return work + returnsMore;
        }
    }
}
