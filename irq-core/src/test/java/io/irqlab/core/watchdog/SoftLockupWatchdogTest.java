package io.irqlab.core.watchdog;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A CPU that takes one interrupt after the other and runs no task is reported, when and as Linux would. */
final class SoftLockupWatchdogTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000 * MS;
    /** How far handlers may delay the timer and each other. */
    private static final long DELAY_NS = 50 * MS;

    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(
            2,
            run.queue,
            costs().hardirq(300, 200).contextSwitch(1_000).idleExit(2_000).build());
    private final List<Lockup> lockups = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {9_000, 9_700, 10_500, 11_100, 11_900, 12_300, 14_800, 17_600, 33_333})
    void aBusyCpuIsReported20To24SecondsAfterTheHangAsStuckFor22Or23(long hangMs) {
        watch(10);
        keepBusy();
        stormFrom(hangMs * MS);
        run.until(hangMs * MS + 30 * SECOND);

        assertThat(lockups).hasSize(1);
        Lockup lockup = lockups.get(0);
        long lastTimerNs = hangMs * MS / (4 * SECOND) * (4 * SECOND);
        assertThat(lockup.atNs()).isBetween(lastTimerNs + 24 * SECOND, lastTimerNs + 24 * SECOND + DELAY_NS);
        assertThat(lockup.atNs() - hangMs * MS).isBetween(20 * SECOND, 24 * SECOND + DELAY_NS);
        assertThat(lockup.stuckSeconds()).isBetween(22L, 23L);
        assertThat(lockup.thresholdSeconds()).isEqualTo(20);
        assertThat(lockup.kind()).isEqualTo(Lockup.Kind.SOFT_LOCKUP);
        assertThat(lockup.cpu()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {9_000, 9_700, 10_500, 11_100, 11_900, 12_300, 14_800, 17_600, 33_333})
    void aCpuThatIdledBeforeIsReported24To28SecondsAfterTheHangAsStuckFor26Or27(long hangMs) {
        watch(10);
        stormFrom(hangMs * MS);
        run.until(hangMs * MS + 30 * SECOND);

        assertThat(lockups).hasSize(1);
        Lockup lockup = lockups.get(0);
        long lastTimerNs = hangMs * MS / (4 * SECOND) * (4 * SECOND);
        assertThat(lockup.atNs()).isBetween(lastTimerNs + 28 * SECOND, lastTimerNs + 28 * SECOND + DELAY_NS);
        assertThat(lockup.atNs() - hangMs * MS).isBetween(24 * SECOND, 28 * SECOND + DELAY_NS);
        assertThat(lockup.stuckSeconds()).isBetween(26L, 27L);
    }

    @ParameterizedTest
    @CsvSource({"true, 22, 45", "false, 26, 49"})
    void aCpuThatStaysStuckIsReportedAgain(boolean busy, long first, long second) {
        watch(10);
        if (busy) {
            keepBusy();
        }
        stormFrom(9 * SECOND);
        run.until(65 * SECOND);

        // Seconds of 2^30 ns, whole ones: a second more or less is the phase.
        assertThat(lockups).hasSize(2);
        assertThat(lockups.get(0).stuckSeconds()).isBetween(first, first + 1);
        assertThat(lockups.get(1).stuckSeconds()).isBetween(second - 1, second);
        assertThat(lockups.get(1).atNs() - lockups.get(0).atNs()).isBetween(24 * SECOND, 24 * SECOND + DELAY_NS);
    }

    @Test
    void aThresholdOfOneSecondShowsTheSameInATenthOfTheTime() {
        watch(1);
        keepBusy();
        stormFrom(1_000 * MS);
        run.until(5 * SECOND);

        // Touched at 0.8 s; then every 0.4 s, until three seconds of 2^30 ns have begun after that of the touch.
        assertThat(lockups).hasSize(1);
        Lockup lockup = lockups.get(0);
        assertThat(lockup.thresholdSeconds()).isEqualTo(2);
        assertThat(lockup.stuckSeconds()).isEqualTo(3);
        assertThat(lockup.atNs()).isBetween(3_600 * MS, 3_600 * MS + DELAY_NS);
    }

    @Test
    void aThresholdOfOneSecondAndACpuThatIdledBefore() {
        watch(1);
        stormFrom(1_000 * MS);
        run.until(5 * SECOND);

        // The timer at 1.2 s only begins the period anew: three seconds of 2^30 ns after that one's, 1.
        assertThat(lockups).hasSize(1);
        assertThat(lockups.get(0).stuckSeconds()).isEqualTo(4);
        assertThat(lockups.get(0).atNs()).isBetween(4_400 * MS, 4_400 * MS + DELAY_NS);
    }

    @Test
    void noTaskRunsInTheStormAndNoneIsLateWithoutIt() {
        watch(1);
        keepBusy();
        stormFrom(1_000 * MS);
        run.until(1_001 * MS);
        long systemNs = cpu.times().systemNs();
        run.until(5 * SECOND);

        assertThat(cpu.times().systemNs()).isEqualTo(systemNs);
        assertThat(cpu.times().idleNs()).isLessThan(10_000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aGapNowAndThenIsEnough(boolean busy) {
        watch(10);
        if (busy) {
            keepBusy();
        }
        var storm = new Storm();
        for (long second = 9; second < 120; second += 15) {
            run.at(second * SECOND, storm::begin);
            run.at((second + 15) * SECOND - 5 * MS, storm::end); // the last handlers run for some 2 ms more
        }
        run.until(120 * SECOND);

        assertThat(lockups).isEmpty();
        assertThat(cpu.times().hardirqNs()).isGreaterThan(110 * SECOND);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMicrosecondBetweenHandlersIsEnough(boolean busy) {
        watch(10);
        if (busy) {
            keepBusy();
        }
        // 300 ns of entry, 200 ns of exit, up to 2000 ns out of idle, and 1500 ns for tasks or idling.
        periodic("irq", 9 * SECOND, MS + 500 + 2_000 + 1_500, MS);
        run.until(120 * SECOND);

        assertThat(lockups).isEmpty();
        assertThat(cpu.times().hardirqNs()).isGreaterThan(110 * SECOND);
    }

    @Test
    void theInterruptsThatTookMostTimeSinceTheLastTouchAreNamedMostFirst() {
        watch(1);
        keepBusy();
        periodic("filler", 1_000 * MS, MS, 2 * MS); // all that the others, whose vectors go first, leave
        long[] gapsNs = {50 * MS, 3 * MS, 90 * MS, 5 * MS, 70 * MS, 30 * MS};
        for (int i = 0; i < gapsNs.length; i++) {
            periodic("irq" + i, 1_000 * MS, gapsNs[i], MS);
        }
        periodic("early", 100 * MS, 3 * MS, 2 * MS, 700 * MS); // much time, but before the touch
        cpu.allocateVector("silent", on -> Routine.DONE);
        run.until(5 * SECOND);

        assertThat(lockups).isNotEmpty();
        assertThat(lockups.get(0).irqs()).containsExactly("filler", "irq1", "irq3", "irq5", "irq0");
    }

    @Test
    void anInterruptThatTookNoTimeIsNotNamedAndOneThatIsNewIs() {
        watch(1);
        keepBusy();
        cpu.allocateVector("silent", on -> Routine.DONE);
        run.at(1_000 * MS, () -> {
            var late = new Source("late", MS, 1_100_000, Long.MAX_VALUE);
            late.arrive();
        });
        run.until(5 * SECOND);

        assertThat(lockups.get(0).irqs()).containsExactly("late");
    }

    @Test
    void aTaskThatKeepsTheCpuIsNoSoftLockup() {
        watch(1);
        Task.fifo(cpu, "fifo", 99, on -> 60 * SECOND).start();
        run.until(60 * SECOND);

        assertThat(lockups).isEmpty();
    }

    @Test
    void anIdleCpuIsNotReported() {
        watch(1);
        run.until(100 * SECOND);

        assertThat(lockups).isEmpty();
        assertThat(cpu.hardirqs(Vector.Source.TIMER))
                .isBetween(498L, 500L); // every 0.4 s, and the tick that follows the stopper
    }

    @Test
    void theThresholdIsOneSecondOrMore() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SoftLockupWatchdog(cpu, run.queue, 0, lockups::add))
                .withMessage("watchdog_thresh must be 1 s or more, was 0");
    }

    @Test
    void aReportCannotBeChangedThroughItsList() {
        List<String> irqs = new ArrayList<>(List.of("nvme0q1"));
        var lockup = new Lockup(Lockup.Kind.SOFT_LOCKUP, 0, 0, 22, 20, irqs, List.of(), List.of());
        irqs.add("nvme0q2");

        assertThat(lockup.irqs()).containsExactly("nvme0q1");
    }

    private void watch(int watchdogThreshSeconds) {
        new SoftLockupWatchdog(cpu, run.queue, watchdogThreshSeconds, lockups::add).start();
    }

    private void keepBusy() {
        Task.fair(cpu, "hog", on -> MS).start();
    }

    private void stormFrom(long timeNs) {
        run.at(timeNs, new Storm()::begin);
    }

    private void periodic(String name, long fromNs, long gapNs, long handlerNs) {
        periodic(name, fromNs, gapNs, handlerNs, Long.MAX_VALUE);
    }

    private void periodic(String name, long fromNs, long gapNs, long handlerNs, long untilNs) {
        var source = new Source(name, gapNs, handlerNs, untilNs);
        run.at(fromNs, source::arrive);
    }

    /** Two interrupts each of whose handlers takes longer than the other's next arrival. */
    private final class Storm {
        private final Source first = new Source("first", MS, 1_100_000, Long.MAX_VALUE);
        private final Source second = new Source("second", MS, 1_200_000, Long.MAX_VALUE);

        void begin() {
            first.stopped = false;
            second.stopped = false;
            first.arrive();
            second.arrive();
        }

        void end() {
            first.stopped = true;
            second.stopped = true;
        }
    }

    /** A device that interrupts in equal gaps. */
    private final class Source {
        private final Vector vector;
        private final int event = run.queue.register(code -> arrive(), 0);
        private final long gapNs;
        private final long untilNs;
        private boolean stopped;

        Source(String name, long gapNs, long handlerNs, long untilNs) {
            this.gapNs = gapNs;
            this.untilNs = untilNs;
            boolean[] running = {false};
            vector = cpu.allocateVector(name, on -> {
                running[0] = !running[0];
                return running[0] ? handlerNs : Routine.DONE;
            });
        }

        void arrive() {
            if (stopped || run.queue.nowNs() >= untilNs) {
                return;
            }
            cpu.raise(vector);
            run.queue.reschedule(event, run.queue.nowNs() + gapNs);
        }
    }
}
