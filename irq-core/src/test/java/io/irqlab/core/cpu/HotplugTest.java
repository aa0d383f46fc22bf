package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** CPUs go and come, and tasks change theirs: nothing is lost, nothing runs twice, and all time is accounted for. */
final class HotplugTest {
    private static final long MS = 1_000_000;

    private final Timeline run = new Timeline();
    private final List<Cpu> cpus = IntStream.range(0, 3)
            .mapToObj(number -> new Cpu(number, run.queue, TestCosts.free()))
            .toList();
    private final CpuHotplug hotplug = new CpuHotplug(cpus);
    private final Cpu cpu = cpus.get(0);
    private final Cpu other = cpus.get(1);

    // ---- affinity

    @Test
    void aSleepingTaskWakesOnItsNewCpu() {
        Task task = task("task", 100);
        task.setAffinity(CpuMask.of(1, 2));
        assertThat(task.cpu()).isSameAs(other);
        assertThat(task.affinity()).isEqualTo(CpuMask.of(1, 2));
        task.start();
        run.until(1_000);

        assertThat(run.log()).containsExactly("0 task on 1", "100 task done on 1");
    }

    @Test
    void aTaskWhoseCpuIsInTheNewSetStays() {
        Task task = task("task", 100);
        task.setAffinity(CpuMask.range(0, 2));

        assertThat(task.cpu()).isSameAs(cpu);
    }

    @Test
    void aWaitingTaskMovesAtOnce() {
        task("first", 5_000).start();
        Task second = task("second", 100);
        second.start();
        run.at(1_000, () -> second.setAffinity(CpuMask.of(2)));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 first on 0", "1000 second on 2", "1100 second done on 2", "5000 first done on 0");
    }

    @Test
    void aRunningTaskMovesAtTheEndOfItsStep() {
        Task task = task("task", 1_000);
        task.start();
        run.at(400, () -> task.setAffinity(CpuMask.of(1)));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task on 0", "1000 task done on 1");
        assertThat(cpu.times().systemNs()).isEqualTo(1_000);
    }

    @Test
    void anInterruptMovesItInTheMiddleOfItsStepWithWhatIsLeft() {
        Task task = task("task", 1_000);
        Vector vector = cpu.allocateVector("irq", on -> Routine.DONE);
        task.start();
        run.at(400, () -> {
            task.setAffinity(CpuMask.of(1));
            cpu.raise(vector);
        });
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task on 0", "1000 task done on 1");
        assertThat(cpu.times().systemNs()).isEqualTo(400);
        assertThat(other.times().systemNs()).isEqualTo(600);
    }

    @Test
    void aPreemptedTaskMovesWithWhatIsLeftOfItsStepAndOfItsUserTime() {
        Task task = Task.fair(cpu, "task", run.script("task").step(0, on -> on.spendInUser(1_000)));
        task.start();
        run.at(
                300,
                () -> Task.fifo(cpu, "fifo", 1, run.script("fifo").step(5_000)).start());
        run.at(800, () -> task.setAffinity(CpuMask.of(1)));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task", "300 fifo", "1500 task done", "5300 fifo done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 5_000, 300, 4_700));
        assertThat(other.times()).isEqualTo(new CpuTimes(0, 0, 0, 700, 9_300));
    }

    @Test
    void aTaskThatSleepsOnATimerIsWokenOnItsNewCpu() {
        Task[] task = new Task[1];
        boolean[] slept = {false};
        task[0] = Task.fair(cpu, "task", on -> {
            run.note("on " + on.number());
            if (!slept[0]) {
                slept[0] = true;
                task[0].sleepRange(1_000, 1_000);
            }
            return Routine.DONE;
        });
        task[0].start();
        run.at(500, () -> task[0].setAffinity(CpuMask.of(1)));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 on 0", "1000 on 1");
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(1);
    }

    @Test
    void aTaskThatIsSentAwayAndGoesToSleepWakesThere() {
        Task task = task("task", 1_000);
        task.start();
        run.at(400, () -> task.setAffinity(CpuMask.of(1)));
        run.until(1_500);
        run.at(2_000, () -> task.wake(cpu));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("0 task on 0", "1000 task done on 1", "2000 task on 1", "3000 task done on 1");
    }

    @Test
    void aTaskThatIsSentAwayAndCalledBackStays() {
        Task task = task("task", 1_000);
        task.start();
        run.at(400, () -> task.setAffinity(CpuMask.of(1)));
        run.at(500, () -> task.setAffinity(CpuMask.of(0)));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task on 0", "1000 task done on 0");
    }

    @Test
    void aTaskThatIsSentToACpuThatGoesMeanwhileFindsAnother() {
        Task task = task("task", 1_000);
        task.start();
        run.at(400, () -> task.setAffinity(CpuMask.of(1, 2)));
        run.at(500, () -> hotplug.down(other));
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 task on 0", "1000 task done on 2");
    }

    @Test
    void aTaskCannotBeSentWhereNoCpuIsOnline() {
        Task task = task("task", 1_000);
        hotplug.down(other);
        run.until(10);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.setAffinity(CpuMask.of(1)))
                .withMessage("task/0 cannot move: none of its new CPUs is online");
        assertThat(task.affinity()).isEqualTo(CpuMask.of(0));
    }

    @Test
    void aStopTaskStaysOnItsCpu() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Task.stop(cpu, "stop", on -> Routine.DONE).setAffinity(CpuMask.of(1)))
                .withMessage("stop/0 belongs to its CPU");
    }

    // ---- going

    @Test
    void tasksOfADyingCpuMoveWithWhatIsLeftOfTheirSteps() {
        task("running", 1_000).start();
        task("waiting", 100).start();
        Task asleep = task("asleep", 10);
        run.at(400, () -> hotplug.down(cpu));
        run.at(9_000, () -> asleep.wake(cpus.get(2)));
        run.until(10_000);

        // "waiting" brings the greater lag, so its deadline is the earlier one.
        assertThat(run.log())
                .containsExactly(
                        "0 running on 0",
                        "400 waiting on 1",
                        "500 waiting done on 1",
                        "1100 running done on 1",
                        "9000 asleep on 1",
                        "9010 asleep done on 1");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 400, 0, 9_600));
        assertThat(other.times()).isEqualTo(new CpuTimes(0, 0, 600 + 100 + 10, 0, 9_290));
        assertThat(cpu.idle()).isTrue();
    }

    @Test
    void anUnplugWaitsForAHardirq() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(5_000));
        run.at(100, () -> cpu.raise(vector));
        run.at(200, () -> hotplug.down(cpu));
        run.until(5_099);
        assertThat(cpu.online()).isTrue();
        run.until(5_100);
        assertThat(cpu.online()).isFalse();
    }

    @Test
    void aCpuThatInterruptsKeepFromItsTasksCannotBeUnplugged() {
        Vector[] vector = new Vector[1];
        vector[0] = cpu.allocateVector("storm", new Routine() {
            private boolean begun;

            @Override
            public long step(Cpu on) {
                begun = !begun;
                if (begun) {
                    return 1_000;
                }
                on.raise(vector[0]);
                return DONE;
            }
        });
        run.at(0, () -> cpu.raise(vector[0]));
        run.at(500, () -> hotplug.down(cpu));
        run.until(20 * MS);

        assertThat(cpu.online()).isTrue();
    }

    @Test
    void theLastCpuStays() {
        hotplug.down(cpu);
        hotplug.down(other);
        run.until(10);
        Cpu last = cpus.get(2);
        assertThat(last.online()).isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> hotplug.down(last))
                .withMessage("cpu2 is the last CPU online");
        assertThatIllegalStateException().isThrownBy(() -> hotplug.down(cpu)).withMessage("cpu0 is offline already");
        assertThatIllegalStateException().isThrownBy(() -> hotplug.up(last)).withMessage("cpu2 is online already");
    }

    @Test
    void ofRequestsForAllCpusTheLastIsNotServed() {
        cpus.forEach(hotplug::down);
        run.until(10);

        assertThat(cpus).extracting(Cpu::online).containsExactly(false, false, true);
    }

    @Test
    void aSecondRequestWhileTheFirstWaitsChangesNothing() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(5_000));
        run.at(100, () -> cpu.raise(vector));
        run.at(200, () -> hotplug.down(cpu));
        run.at(300, () -> hotplug.down(cpu));
        run.until(10_000);

        assertThat(cpu.online()).isFalse();
        hotplug.up(cpu);
        run.until(20_000);
        assertThat(cpu.online()).isTrue();
    }

    @Test
    void anInterruptOnItsWayToADyingCpuDoesNoHarm() {
        var timeline = new Timeline();
        List<Cpu> slow = IntStream.range(0, 2)
                .mapToObj(number ->
                        new Cpu(number, timeline.queue, costs().ipi(1_000).build()))
                .toList();
        var machine = new CpuHotplug(slow);
        Task task = Task.fair(slow.get(0), "task", timeline.script("task").step(100));
        timeline.at(0, () -> machine.down(slow.get(0)));
        // A device's interrupt lets the CPU look at its scheduler before the IPI arrives: it dies at 600.
        Vector vector = slow.get(0).allocateVector("irq", on -> Routine.DONE);
        timeline.at(600, () -> {
            slow.get(0).raise(vector);
            task.wake(slow.get(1));
        });
        timeline.until(10_000);

        assertThat(slow.get(0).online()).isFalse();
        assertThat(slow.get(0).hardirqs(Vector.Source.IPI)).isZero();
        // The waker is the task's own CPU then, so no IPI is needed, but it has nothing that makes it look.
        slow.get(1).raise(slow.get(1).allocateVector("irq", on -> Routine.DONE));
        timeline.until(20_000);
        assertThat(timeline.log()).containsExactly("10000 task", "10100 task done");
    }

    @Test
    void whatAStopTaskStillHasToSpendPassesThoughAVectorIsPending() {
        Vector vector = cpu.allocateVector("irq", run.script("irq").step(10));
        hotplug.add(new CpuHotplug.Listener() {
            @Override
            public void offline(Cpu dying, Cpu survivor) {
                dying.spend(100);
                dying.raise(vector);
            }

            @Override
            public void online(Cpu back) {
                run.note("online " + back);
            }
        });
        run.at(1_000, () -> hotplug.down(cpu));
        run.until(2_000);
        assertThat(cpu.idle()).isTrue();
        assertThat(cpu.pending(vector)).isTrue();
        run.at(3_000, () -> hotplug.up(cpu));
        run.until(4_000);

        assertThat(run.log()).containsExactly("3000 irq", "3000 online cpu0", "3010 irq done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(10, 0, 100, 0, 3_890));
    }

    @Test
    void aCpuMayComeBackBeforeTheThreadThatTookItDownSleeps() {
        hotplug.add(new CpuHotplug.Listener() {
            @Override
            public void offline(Cpu dying, Cpu survivor) {
                dying.spend(100);
            }

            @Override
            public void online(Cpu back) {}
        });
        Task.stop(cpu, "stop", run.script("stop").step(10));
        run.at(1_000, () -> hotplug.down(cpu));
        run.at(1_050, () -> hotplug.up(cpu));
        run.at(1_060, () -> task("task", 50).start());
        run.until(2_000);

        assertThat(run.log()).containsExactly("1100 task on 0", "1150 task done on 0");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 150, 0, 1_850));
    }

    // ---- coming back

    @Test
    void aCpusOwnThreadsWaitUntilItIsBackAndRunOnce() {
        Task stop = Task.stop(cpu, "stop", run.script("stop").step(10));
        hotplug.down(cpu);
        run.at(100, () -> stop.wake(other));
        run.at(200, () -> stop.wake(other));
        run.at(5_000, () -> hotplug.up(cpu));
        run.until(10_000);

        assertThat(run.log()).containsExactly("5000 stop", "5010 stop done");
        // Time offline is idle time.
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 0, 10, 0, 9_990));
        assertThat(cpu.hardirqs(Vector.Source.IPI)).isEqualTo(1); // that of the request
    }

    @Test
    void ksoftirqdParksAndServesWhatIsLeftWhenTheCpuIsBack() {
        cpu.openSoftirq(Softirq.BLOCK, run.script("block").step(100));
        Task fifo = Task.fifo(cpu, "fifo", 1, on -> {
            on.raiseSoftirq(Softirq.BLOCK);
            hotplug.down(cpu);
            return Routine.DONE;
        });
        run.at(1_000, fifo::start);
        run.at(5_000, () -> hotplug.up(cpu));
        run.until(4_000);
        assertThat(cpu.online()).isFalse();
        run.until(10_000);

        assertThat(run.log()).containsExactly("5000 block", "5100 block done");
        assertThat(cpu.times()).isEqualTo(new CpuTimes(0, 100, 0, 0, 9_900));
    }

    @Test
    void tasksThatWereMovedStayWhereTheyAre() {
        Task task = task("task", 100);
        hotplug.down(cpu);
        run.at(1_000, () -> task.wake(other));
        run.at(2_000, () -> hotplug.up(cpu));
        run.at(3_000, () -> task.wake(cpus.get(2)));
        run.at(1_000, () -> kick(other));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("1000 task on 1", "1100 task done on 1", "3000 task on 1", "3100 task done on 1");
    }

    @Test
    void aTickStartsAgainWithTheFirstTask() {
        hotplug.down(cpu);
        run.until(10);
        hotplug.up(cpu);
        task("task", 2 * MS + 500_000).start();
        run.until(20 * MS);

        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(3);
    }

    // ---- timers

    @Test
    void timersOfADyingCpuExpireOnAnotherAndPinnedOnesComeBack() {
        HrTimer early = new HrTimer(cpu, on -> run.note("early on " + on.number()));
        HrTimer pinned = new HrTimer(cpu, on -> run.note("pinned on " + on.number()));
        HrTimer soft = HrTimer.soft(cpu, on -> run.note("soft on " + on.number()));
        HrTimer unpinned = HrTimer.unpinned(on -> run.note("unpinned on " + on.number()));
        early.arm(cpu, 1_000, 0);
        pinned.arm(cpu, 5_000, 0);
        soft.arm(cpu, 6_000, 0);
        unpinned.arm(cpu, 7_000, 0);
        run.at(500, () -> hotplug.down(cpu));
        run.at(3_000, () -> hotplug.up(cpu));
        run.until(10_000);

        assertThat(run.log())
                .containsExactly("1000 early on 1", "5000 pinned on 0", "6000 soft on 0", "7000 unpinned on 1");
    }

    @Test
    void aPeriodicTimerGoesOnElsewhereAndComesBack() {
        HrTimer[] timer = new HrTimer[1];
        timer[0] = new HrTimer(cpu, on -> {
            run.note("on " + on.number());
            timer[0].arm(on, 1_000, 0);
        });
        timer[0].arm(cpu, 1_000, 0);
        run.at(1_500, () -> hotplug.down(cpu));
        run.at(3_500, () -> hotplug.up(cpu));
        run.until(5_000);

        assertThat(run.log()).containsExactly("1000 on 0", "2000 on 1", "3000 on 1", "4000 on 0", "5000 on 0");
    }

    @Test
    void aTimerThatHasExpiredWhileItsCpuDiesIsNotLost() {
        HrTimer timer = new HrTimer(cpu, on -> run.note("timer on " + on.number()));
        Task stop = Task.stop(cpu, "stop", on -> {
            timer.arm(on, 0, 0);
            hotplug.down(cpu);
            return Routine.DONE;
        });
        run.at(1_000, stop::start);
        run.until(10_000);

        assertThat(run.log()).hasSize(1);
        assertThat(cpu.online()).isFalse();
    }

    private void kick(Cpu target) {
        target.raise(target.allocateVector("kick", on -> Routine.DONE));
    }

    /** A task of one step that says where it is. */
    private Task task(String name, long ns) {
        boolean[] begun = {false};
        return Task.fair(cpu, name, on -> {
            begun[0] = !begun[0];
            run.note(name + (begun[0] ? "" : " done") + " on " + on.number());
            return begun[0] ? ns : Routine.DONE;
        });
    }
}
