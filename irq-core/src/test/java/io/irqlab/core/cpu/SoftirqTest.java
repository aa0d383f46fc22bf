package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Softirqs run when the hardirq that raised them ends, within limits; beyond those and for tasks, in ksoftirqd. */
final class SoftirqTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());
    private int rounds;

    @Test
    void aSoftirqRunsAtTheEndOfTheHardirqThatRaisedItBeforeAnyTask() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("softirq").step(400));
        Task task = Task.stop(cpu, "stop", run.script("stop").step(50));
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(100, on -> {
            on.raiseSoftirq(Softirq.BLOCK);
            task.wake(on);
        }));
        run.at(0, () -> cpu.raise(vector));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 irq", "100 irq done", "100 softirq", "500 softirq done", "500 stop", "550 stop done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(100, 400, 50, 0, 9_450));
    }

    @Test
    void enteringSoftirqProcessingCostsTimeOnce() {
        Cpu costly = new Cpu(1, run.queue, costs().softirqEntry(70).build());
        costly.openSoftirq(Softirq.BLOCK, run.script("block").step(400));
        costly.openSoftirq(Softirq.IRQ_POLL, run.script("poll").step(400));
        raiseAt(costly, 0, Softirq.BLOCK, Softirq.IRQ_POLL);
        run.until(10_000);

        assertThat(run.log()).containsExactly("70 block", "470 block done", "470 poll", "870 poll done");
        assertThat(costly.times().softirqNs()).isEqualTo(870);
    }

    @Test
    void theLowerNumberRunsFirstAndEachOnceHoweverOftenItWasRaised() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block"));
        cpu.openSoftirq(Softirq.IRQ_POLL, run.script("poll"));
        raiseAt(cpu, 0, Softirq.IRQ_POLL, Softirq.BLOCK, Softirq.IRQ_POLL, Softirq.BLOCK);
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 block done", "0 poll done");
    }

    @Test
    void whatIsRaisedDuringAPassRunsInTheNextOneThoughItsNumberBeLower() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        cpu.openSoftirq(
                Softirq.IRQ_POLL,
                run.script("poll")
                        .step(100, on -> on.raiseSoftirq(Softirq.BLOCK))
                        .step(100));
        raiseAt(cpu, 0, Softirq.IRQ_POLL);
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 poll", "100 poll 2", "200 poll done", "200 block", "300 block done");
        assertThat(cpu.times().softirqNs()).isEqualTo(300);
    }

    @Test
    void whatAnInterruptRaisesDuringAPassRunsInTheNextOne() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        raiseAt(cpu, 0, Softirq.BLOCK);
        raiseAt(cpu, 50, Softirq.BLOCK);
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 block", "100 block done", "100 block", "200 block done");
    }

    @Test
    void tenPassesRunAtTheEndOfAHardirqAndTheRestInKsoftirqd() {
        cpu.openSoftirq(Softirq.BLOCK, again(25, 1_000));
        raiseAt(cpu, 0, Softirq.BLOCK);
        run.until(9_999);
        assertThat(cpu.contextSwitches()).isZero();
        run.until(10_000);
        assertThat(cpu.contextSwitches()).isEqualTo(1);
        run.until(100_000);

        assertThat(rounds).isEqualTo(25);
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 25_000, 0, 0, 75_000));
        assertThat(cpu.contextSwitches()).isEqualTo(1);
    }

    @Test
    void passesRunAtTheEndOfAHardirqForTwoMilliseconds() {
        cpu.openSoftirq(Softirq.BLOCK, again(9, 500_000));
        raiseAt(cpu, 0, Softirq.BLOCK);
        run.until(4 * 500_000 - 1);
        assertThat(cpu.contextSwitches()).isZero();
        run.until(4 * 500_000);
        assertThat(cpu.contextSwitches()).isEqualTo(1);
        run.until(100_000_000);

        assertThat(rounds).isEqualTo(9);
        assertThat(cpu.times().softirqNs()).isEqualTo(9 * 500_000);
    }

    @Test
    void theTwoMillisecondsIncludeTheTimeOfInterrupts() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(1_000_000));
        cpu.openSoftirq(Softirq.BLOCK, again(9, 500_000));
        raiseAt(cpu, 0, Softirq.BLOCK);
        run.at(100_000, () -> cpu.raise(vector));
        run.until(1_000_000 + 2 * 500_000 - 1);
        assertThat(cpu.contextSwitches()).isZero();
        run.until(1_000_000 + 2 * 500_000);
        assertThat(cpu.contextSwitches()).isEqualTo(1);
        run.until(100_000_000);

        assertThat(cpu.times().softirqNs()).isEqualTo(9 * 500_000);
    }

    @Test
    void aPassIsNotCutShortButItIsTheLastIfATaskIsToPreempt() {
        Task task = Task.fifo(cpu, "fifo", 1, run.script("fifo").step(50));
        cpu.openSoftirq(Softirq.BLOCK, again(3, 1_000));
        raiseAt(cpu, 0, Softirq.BLOCK);
        run.at(1_200, () -> task.wake(cpu));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 round 1", "1000 round 2", "2000 fifo", "2050 fifo done", "2050 round 3");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 3_000, 50, 0, 6_950));
    }

    @Test
    void eachEndOfAHardirqHasTheFullLimits() {
        cpu.openSoftirq(Softirq.BLOCK, again(10, 300_000));
        raiseAt(cpu, 0, Softirq.BLOCK);
        run.until(4_000_000);
        rounds = 0;
        raiseAt(cpu, 50_000_000, Softirq.BLOCK);
        // 7 passes of 300 us each until 2 ms are over; the other 3 in ksoftirqd.
        run.until(50_000_000 + 7 * 300_000 - 1);
        assertThat(cpu.contextSwitches()).isEqualTo(1);
        run.until(50_000_000 + 7 * 300_000);
        assertThat(cpu.contextSwitches()).isEqualTo(2);
        run.until(100_000_000);
        assertThat(cpu.times().softirqNs()).isEqualTo(2 * 10 * 300_000);
    }

    @Test
    void ksoftirqdSharesTheCpuAsAFairTaskDoes() {
        cpu.openSoftirq(Softirq.BLOCK, again(Integer.MAX_VALUE, 30_000));
        long[] hogNs = {0};
        Task.fair(cpu, "hog", on -> {
                    hogNs[0] += 100_000;
                    return 100_000;
                })
                .start();
        raiseAt(cpu, 0, Softirq.BLOCK);
        run.until(200_000_000);

        // The two tasks have equal times, but while the hog runs, each tick's exit serves ten passes, 0.3 ms of the
        // next
        // 1 ms: a share of x for the hog takes x / 0.7 of the time and leaves x, so that x = 0.7 / 1.7 = 41.2 %.
        assertThat(hogNs[0]).isBetween(78_000_000L, 88_000_000L);
    }

    @Test
    void whatATaskRaisesRunsInKsoftirqd() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        Task.fair(
                        cpu,
                        "task",
                        run.script("task")
                                .step(500, on -> on.raiseSoftirq(Softirq.BLOCK))
                                .step(500))
                .start();
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 task", "500 task 2", "1000 task done", "1000 block", "1100 block done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 100, 1_000, 0, 8_900));
    }

    @Test
    void ksoftirqdPaysForItsWakeUpAndForEachEntry() {
        Cpu costly = new Cpu(1, run.queue, costs().softirqEntry(70).wakeup(400).build());
        costly.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        Task.fair(costly, "task", run.script("task").step(500, on -> on.raiseSoftirq(Softirq.BLOCK)))
                .start();
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task", "900 task done", "970 block", "1070 block done");
    }

    @Test
    void whileKsoftirqdWaitsForItsTurnHardirqsServeWhatIsPending() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        cpu.openSoftirq(Softirq.IRQ_POLL, run.script("poll").step(100));
        Task.fair(cpu, "task", run.script("task").step(1_000, on -> on.raiseSoftirq(Softirq.BLOCK)))
                .start();
        raiseAt(cpu, 500, Softirq.IRQ_POLL);
        raiseAt(cpu, 1_050, Softirq.IRQ_POLL);
        raiseAt(cpu, 5_000, Softirq.IRQ_POLL);
        run.until(4_000);

        assertThat(run.log())
                .containsExactly(
                        "0 task",
                        "500 block",
                        "600 block done",
                        "600 poll",
                        "700 poll done",
                        "1050 poll",
                        "1150 poll done",
                        "1300 task done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 300, 1_000, 0, 2_700));
        assertThat(cpu.contextSwitches()).isEqualTo(2); // ksoftirqd ran, and found nothing to do
        run.until(10_000);
        assertThat(cpu.times().softirqNs()).isEqualTo(400);
    }

    @Test
    void whileKsoftirqdServesWhatAHardirqRaisesIsLeftToIt() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        cpu.openSoftirq(Softirq.IRQ_POLL, run.script("poll").step(100));
        Task.fair(cpu, "task", run.script("task").step(1_000, on -> on.raiseSoftirq(Softirq.BLOCK)))
                .start();
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(10, on -> on.raiseSoftirq(Softirq.IRQ_POLL)));
        run.at(1_050, () -> cpu.raise(vector));
        run.until(4_000);

        // The hardirq's exit does not begin poll; block's pass goes on.
        assertThat(run.log())
                .containsExactly(
                        "0 task",
                        "1000 task done",
                        "1000 block",
                        "1050 irq",
                        "1060 irq done",
                        "1110 block done",
                        "1110 poll",
                        "1210 poll done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(10, 200, 1_000, 0, 2_790));
    }

    @Test
    void noTaskPreemptsKsoftirqdInTheMiddleOfItsService() {
        Task fifo = Task.fifo(cpu, "fifo", 99, run.script("fifo").step(50));
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100).step(100));
        Task.fair(cpu, "task", run.script("task").end(on -> on.raiseSoftirq(Softirq.BLOCK)))
                .start();
        run.at(30, fifo::start);
        run.until(4_000);

        assertThat(run.log())
                .containsExactly(
                        "0 task done", "0 block", "100 block 2", "200 block done", "200 fifo", "250 fifo done");
    }

    @Test
    void ksoftirqdLetsATaskPreemptBetweenTwoServices() {
        Task fifo = Task.fifo(cpu, "fifo", 99, run.script("fifo").step(50));
        cpu.openSoftirq(Softirq.BLOCK, again(4, 100));
        Task.fair(cpu, "task", run.script("task").end(on -> on.raiseSoftirq(Softirq.BLOCK)))
                .start();
        run.at(130, fifo::start);
        run.until(4_000);

        // The pass that runs when the task wakes is the last one of that service.
        assertThat(run.log())
                .containsExactly(
                        "0 task done",
                        "0 round 1",
                        "100 round 2",
                        "200 fifo",
                        "250 fifo done",
                        "250 round 3",
                        "350 round 4");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 400, 50, 0, 3_550));
    }

    @Test
    void anInterruptWhileTheEndOfAHardirqWakesKsoftirqdLosesNoTime() {
        Cpu costly = new Cpu(1, run.queue, costs().wakeup(400).build());
        costly.openSoftirq(Softirq.BLOCK, again(11, 100));
        Vector vector = costly.allocateVector("irq", run.script("irq").step(50));
        raiseAt(costly, 0, Softirq.BLOCK);
        run.at(1_300, () -> costly.raise(vector)); // the wake-up takes from 1000 to 1400
        run.until(10_000);

        assertThat(run.log().subList(10, 13)).containsExactly("1300 irq", "1350 irq done", "1450 round 11");
        assertThat(costly.times()).isEqualTo(new CpuTimes(50, 1_500, 0, 0, 8_450));
    }

    @Test
    void aSoftirqThatIsRaisedWhileKsoftirqdGoesToSleepIsServedAtTheHardirqsExit() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        Task.fair(cpu, "task", run.script("task").end(on -> on.raiseSoftirq(Softirq.BLOCK)))
                .start();
        // Work that is charged to the CPU from outside stretches ksoftirqd's last steps.
        // It ends the service at 300 and goes to sleep until 600.
        run.at(50, () -> cpu.spend(200));
        run.at(150, () -> cpu.spend(300));
        raiseAt(cpu, 450, Softirq.BLOCK);
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 task done", "0 block", "100 block done", "450 block", "550 block done");
    }

    @Test
    void aSoftirqWithoutARoutineCannotBeRaised() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block"));

        assertThatIllegalStateException()
                .isThrownBy(() -> cpu.raiseSoftirq(Softirq.IRQ_POLL))
                .withMessage("softirq IRQ_POLL has no routine on cpu0");
    }

    @Test
    void theNumbersAreTheKernels() {
        assertThat(Softirq.BLOCK.number()).isEqualTo(4);
        assertThat(Softirq.IRQ_POLL.number()).isEqualTo(5);
    }

    /** A softirq that raises itself again until it has run a number of times. */
    private Routine again(int times, long stepNs) {
        boolean[] begun = {false};
        return on -> {
            if (begun[0]) {
                begun[0] = false;
                return Routine.DONE;
            }
            begun[0] = true;
            rounds++;
            if (rounds < 100) {
                run.note("round " + rounds);
            }
            if (rounds < times) {
                on.raiseSoftirq(Softirq.BLOCK);
            }
            return stepNs;
        };
    }

    /** Lets a hardirq raise softirqs. */
    private void raiseAt(Cpu target, long timeNs, Softirq... softirqs) {
        Vector vector = target.allocateVector("raiser", on -> {
            for (Softirq softirq : softirqs) {
                on.raiseSoftirq(softirq);
            }
            return Routine.DONE;
        });
        run.at(timeNs, () -> target.raise(vector));
    }
}
