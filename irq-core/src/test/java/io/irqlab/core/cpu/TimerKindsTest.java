package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Soft, unpinned and periodic timers. */
final class TimerKindsTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());

    @Test
    void aSoftTimerExpiresInTheSoftirqAfterAllHardOnes() {
        var costly = new Cpu(
                1,
                run.queue,
                costs().hardirq(300, 200).softirqEntry(70).timer(50, 90).build());
        HrTimer soft = HrTimer.soft(costly, on -> run.note("soft"));
        HrTimer hard = new HrTimer(costly, on -> run.note("hard"));
        HrTimer later = new HrTimer(costly, on -> run.note("later hard"));
        run.at(0, () -> {
            soft.arm(costly, 1_000, 0); // first, so programmed
            later.arm(costly, 1_050, 0);
            hard.arm(costly, 1_000, 0); // programmed, since it is first of the hard ones and no later than the soft one
        });
        run.until(10_000);

        // Entry 300 and what arming cost, 100; two callbacks of 90; exit 200 without programming, as nothing is left
        // but the
        // soft one, which is raised; softirq entry 70.
        assertThat(run.log()).containsExactly("1300 hard", "1490 later hard", "1850 soft");
        assertThat(costly.times()).isEqualTo(new CpuTimes(300 + 100 + 180 + 200, 70 + 90, 0, 0, 10_000 - 780 - 160));
    }

    @Test
    void softTimersHaveNoInterruptOfTheirOwnWhileTheirSoftirqIsRaised() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(10));
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(2_000));
        HrTimer first = HrTimer.soft(cpu, on -> run.note("first"));
        HrTimer second = HrTimer.soft(cpu, on -> run.note("second"));
        Vector raiser = cpu.allocateVector("raiser", on -> {
            on.raiseSoftirq(Softirq.BLOCK);
            return Routine.DONE;
        });
        run.at(0, () -> {
            first.arm(cpu, 1_000, 0);
            second.arm(cpu, 1_500, 0);
            cpu.raise(raiser);
        });
        run.at(1_700, () -> cpu.raise(vector));
        run.until(10_000);

        // Block's pass, in which the timer interrupt comes, takes until 2010; the next pass finds both.
        assertThat(run.log())
                .containsExactly(
                        "0 block", "1700 irq", "1710 irq done", "2010 block done", "2010 first", "2010 second");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
    }

    @Test
    void aSoftTimerWhoseWindowEndsAfterTheSoftirqHasItsOwnInterrupt() {
        HrTimer[] timer = new HrTimer[1];
        timer[0] = HrTimer.soft(cpu, on -> {
            run.note("soft");
            timer[0].arm(on, 500, 0);
        });
        timer[0].arm(cpu, 1_000, 0);
        run.until(2_100);

        assertThat(run.log()).containsExactly("1000 soft", "1500 soft", "2000 soft");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(3);
    }

    @Test
    void aHardTimerThatASoftOneArmsIsNotLate() {
        var costly = new Cpu(1, run.queue, costs().timer(0, 1_000).build());
        HrTimer hard = new HrTimer(costly, on -> run.note("hard"));
        HrTimer arms = HrTimer.soft(costly, on -> {
            run.note("arms");
            hard.arm(on, 300, 0);
        });
        HrTimer next = HrTimer.soft(costly, on -> run.note("next"));
        arms.arm(costly, 1_000, 0);
        next.arm(costly, 1_000, 0);
        run.until(10_000);

        // In the middle of the first callback's 1 us; its rest and the second callback follow.
        assertThat(run.log()).containsExactly("1000 arms", "1300 hard", "3000 next");
    }

    @Test
    void aSoftTimerCancelledWhileItsSoftirqIsRaisedDoesNotExpire() {
        HrTimer soft = HrTimer.soft(cpu, on -> run.note("soft"));
        HrTimer next = HrTimer.soft(cpu, on -> run.note("next"));
        Vector vector = cpu.allocateVector("irq", on -> {
            soft.cancel();
            return Routine.DONE;
        });
        soft.arm(cpu, 1_000, 0);
        next.arm(cpu, 2_000, 0);
        HrTimer hard = new HrTimer(cpu, on -> on.raise(vector));
        hard.arm(cpu, 1_000, 0);
        run.until(10_000);

        assertThat(run.log()).containsExactly("2000 next");
    }

    @Test
    void anUnpinnedTimerExpiresOnTheCpuThatArmsIt() {
        Cpu other = new Cpu(1, run.queue, TestCosts.free());
        List<Cpu> where = new ArrayList<>();
        HrTimer timer = HrTimer.unpinned(where::add);
        timer.arm(cpu, 100, 0);
        run.until(100);
        timer.arm(other, 100, 0);
        run.until(200);
        timer.arm(cpu, 100, 0);
        timer.arm(other, 50, 0); // anew, elsewhere
        run.until(1_000);

        assertThat(where).containsExactly(cpu, other, other);
    }

    @Test
    void aPeriodicTimerDoesNotDriftThoughItsInterruptIsLate() {
        var costly =
                new Cpu(1, run.queue, costs().hardirq(300, 200).idleExit(2_000).build());
        HrTimer[] timer = new HrTimer[1];
        timer[0] = new HrTimer(costly, on -> {
            run.note("period");
            assertThat(timer[0].forward(on, 10_000)).isEqualTo(1);
        });
        timer[0].arm(costly, 10_000, 0);
        run.until(35_000);

        assertThat(run.log()).containsExactly("12300 period", "22300 period", "32300 period");
    }

    @Test
    void missedPeriodsAreCounted() {
        List<Long> periods = new ArrayList<>();
        HrTimer[] timer = new HrTimer[1];
        timer[0] = new HrTimer(cpu, on -> {
            run.note("period");
            periods.add(timer[0].forward(on, 1_000));
        });
        timer[0].arm(cpu, 1_000, 0);
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(3_500));
        run.at(1_500, () -> cpu.raise(vector));
        run.until(7_000);

        // 2000 comes at 5000; 3000, 4000 and 5000 are over, the last exactly, so the next is 6000.
        assertThat(run.log())
                .containsExactly(
                        "1000 period", "1500 irq", "5000 irq done", "5000 period", "6000 period", "7000 period");
        assertThat(periods).containsExactly(1L, 4L, 1L, 1L);
    }

    @Test
    void forwardIsForExpiredTimersAndRealPeriods() {
        HrTimer timer = new HrTimer(cpu, on -> {});
        timer.arm(cpu, 100, 0);
        assertThatIllegalStateException()
                .isThrownBy(() -> timer.forward(cpu, 10))
                .withMessage("a timer that is queued cannot go forward");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> timer.forward(cpu, 0))
                .withMessage("a period must be more than 0 ns, was 0");
    }
}
