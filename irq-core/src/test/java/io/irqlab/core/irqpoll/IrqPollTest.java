package io.irqlab.core.irqpoll;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Timeline;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** irq_poll shares a softirq among the queues that have work, and ends where the kernel's ends. */
final class IrqPollTest {
    private static final long MS = 1_000_000;

    private final Timeline run = new Timeline();
    private final CpuCosts costs = costs().hardirq(300, 200).softirqEntry(100).build();
    private final Cpu cpu = new Cpu(0, run.queue, costs);
    private final Cpu other = new Cpu(1, run.queue, costs);
    private final Cpu third = new Cpu(2, run.queue, costs);
    private final CpuHotplug machine = new CpuHotplug(List.of(cpu, other, third));
    private final IrqPoll core = new IrqPoll(machine, run.queue);

    /** A softirq that comes before irq_poll's: one that is raised in a run of irq_poll shows when that run ends. */
    @BeforeEach
    void openABlockSoftirq() {
        for (Cpu each : machine.cpus()) {
            each.openSoftirq(Softirq.BLOCK, on -> {
                run.note("block");
                return Routine.DONE;
            });
        }
    }

    @Test
    void anInstanceIsPolledAfterTheHardirqThatScheduledIt() {
        var a = new Drive("a", 64, 5);
        interrupt(cpu, 1_000, a);
        run.until(MS);

        // 300 ns in, 200 ns out, 100 ns to the softirq; then 10 ns for each completion.
        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete");
        assertThat(a.instance.scheduled()).isFalse();
        assertThat(cpu.times().softirqNs()).isEqualTo(150);
    }

    @Test
    void oneThatUsesItsWholeWeightGoesBehindTheOthers() {
        interrupt(cpu, 1_000, new Drive("a", 64, 130), new Drive("b", 32, 10));
        run.until(MS);

        assertThat(run.log())
                .containsExactly(
                        "1600 a 64", "2240 b 10", "2340 b complete", "2340 a 64", "2980 a 2", "3000 a complete");
    }

    @Test
    void exactlyTheWeightNeedsAnotherCallThatFindsNothing() {
        interrupt(cpu, 1_000, new Drive("a", 64, 64));
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 64", "2240 a 0", "2240 a complete");
    }

    @Test
    void aRunLeavesOffWhenItsBudgetOf256IsUsedUpAndIsRaisedAgain() {
        var a = new Drive("a", 64, 300);
        a.onCall = on -> raiseOnce(on, a);
        interrupt(cpu, 1_000, a);
        run.until(MS);

        assertThat(run.log())
                .containsExactly(
                        "1600 a 64",
                        "2240 a 64",
                        "2880 a 64",
                        "3520 a 64",
                        "4160 block",
                        "4160 a 44",
                        "4600 a complete");
    }

    @Test
    void theBudgetIsOfAllInstancesAndTheLastCallMayExceedIt() {
        var a = new Drive("a", 100, 150);
        a.onCall = on -> raiseOnce(on, a);
        interrupt(cpu, 1_000, a, new Drive("b", 100, 150));
        run.until(MS);

        // 100 + 100 + 50 leave 6; b's second call takes 50 nevertheless, and then nothing is left to do.
        assertThat(run.log())
                .containsExactly(
                        "1600 a 100",
                        "2600 b 100",
                        "3600 a 50",
                        "4100 a complete",
                        "4100 b 50",
                        "4600 b complete",
                        "4600 block");
    }

    @Test
    void aRunLeavesOffInTheNextJiffy() {
        var a = new Drive("a", 64, 140);
        a.completionNs = 10_000;
        a.onCall = on -> raiseOnce(on, a);
        interrupt(cpu, 1_000, a);
        run.until(5 * MS);

        assertThat(run.log())
                .containsExactly("1600 a 64", "641600 a 64", "1281600 block", "1281600 a 12", "1401600 a complete");
    }

    @Test
    void whatTwoMillisecondsDoNotFinishIsKsoftirqds() {
        var a = new Drive("a", 64, 1_000);
        a.completionNs = 10_000;
        interrupt(cpu, 1_000, a);
        run.until(3 * MS);
        long switches = cpu.contextSwitches();
        run.until(20 * MS);

        assertThat(switches).isEqualTo(1);
        assertThat(run.log()).last().asString().startsWith("1000").endsWith(" a complete"); // 10 ms, and some ticks
        assertThat(cpu.times().systemNs()).isZero();
    }

    @Test
    void aHardirqMayScheduleItAgainBetweenItsCompletionAndItsReturn() {
        var a = new Drive("a", 64, 5);
        a.afterCompletionNs = 1_000;
        interrupt(cpu, 1_000, a);
        run.at(1_700, () -> a.left = 3);
        interrupt(cpu, 1_700, a);
        run.until(MS);

        // The rest of the first call: 1000 ns from 1650, less the 50 before the interrupt, after its 500.
        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete", "3150 a 3", "3180 a complete");
        assertThat(a.instance.scheduled()).isFalse();
    }

    @Test
    void schedulingTwiceIsOnce() {
        var a = new Drive("a", 64, 5);
        run.at(1_000, () -> {
            cpu.raise(cpu.allocateVector("twice", on -> {
                assertThat(a.instance.schedule(on)).isTrue();
                assertThat(a.instance.schedule(on)).isFalse();
                return Routine.DONE;
            }));
        });
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 5", "1650 a complete");
    }

    @Test
    void aDisabledInstanceIsNotScheduledUntilItIsEnabled() {
        var a = new Drive("a", 64, 5);
        a.instance.disable();
        interrupt(cpu, 1_000, a);
        run.at(10_000, a.instance::enable);
        interrupt(cpu, 11_000, a);
        run.until(MS);

        assertThat(run.log()).containsExactly("11600 a 5", "11650 a complete");
    }

    @Test
    void oneThatIsDisabledWhileItIsPolledEndsWithThatCall() {
        var a = new Drive("a", 64, 1_000);
        interrupt(cpu, 1_000, a);
        run.at(2_500, a.instance::disable); // in the second call
        run.until(2_879);
        boolean scheduledBefore = a.instance.scheduled();
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 64", "2240 a 64");
        assertThat(scheduledBefore).isTrue();
        assertThat(a.instance.scheduled()).isFalse();
    }

    @Test
    void oneThatIsDisabledWhileItWaitsBehindOthersIsPolledOnceMore() {
        var a = new Drive("a", 64, 60);
        var b = new Drive("b", 64, 1_000);
        interrupt(cpu, 1_000, a, b);
        run.at(1_700, b.instance::disable);
        run.until(MS);

        assertThat(run.log()).containsExactly("1600 a 60", "2200 a complete", "2200 b 64");
        assertThat(b.instance.scheduled()).isFalse();
    }

    @Test
    void aTaskThatSchedulesAnInstanceWakesKsoftirqd() {
        var a = new Drive("a", 64, 5);
        boolean[] done = {false};
        Task.fair(cpu, "task", on -> {
                    if (done[0]) {
                        return Routine.DONE;
                    }
                    done[0] = a.instance.schedule(on);
                    return 0;
                })
                .start();
        run.until(900_000);

        // The reschedule interrupt takes 500 ns.
        assertThat(run.log()).containsExactly("600 a 5", "650 a complete");
        assertThat(cpu.contextSwitches()).isEqualTo(2);
    }

    // ---- drivers that break the contract

    @Test
    void lessThanTheWeightWithoutCompletionIsAFault() {
        var a = new Drive("nvme0q3", 64, 5);
        a.completes = false;
        interrupt(cpu, 1_000, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessage("driver bug: the poll function of nvme0q3 returned 5, less than its weight of 64, without"
                        + " calling irq_poll_complete");
    }

    @Test
    void completionWithTheFullWeightIsAFault() {
        var a = new Drive("nvme0q3", 64, 100);
        a.completesAlways = true;
        interrupt(cpu, 1_000, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessageStartingWith(
                        "driver bug: the poll function of nvme0q3 called irq_poll_complete and returned its full"
                                + " weight of 64");
    }

    @Test
    void moreThanTheWeightIsAFault() {
        var a = new Drive("nvme0q3", 64, 100);
        a.returnsMore = 1;
        interrupt(cpu, 1_000, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessage("driver bug: the poll function of nvme0q3 returned 65, which is not within its weight of"
                        + " 64");
    }

    @Test
    void completingWhatIsNotScheduledIsAFault() {
        var a = new Drive("nvme0q3", 64, 5);

        assertThatIllegalStateException()
                .isThrownBy(a.instance::complete)
                .withMessage("driver bug: nvme0q3 completes a poll that is not scheduled");
    }

    @Test
    void aPollFunctionThatCompletesEarlyAndRunsOnTwoCpusIsAFault() {
        var a = new Drive("nvme0q3", 64, 5);
        a.afterCompletionNs = 5_000;
        interrupt(cpu, 1_000, a);
        interrupt(other, 1_700, a);

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(MS))
                .withMessage("driver bug: cpu1 would run the poll function of nvme0q3, which has completed on cpu0 and"
                        + " not returned");
    }

    @Test
    void aWeightIsOneToTheBudget() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PollInstance(core, "nvme0q3", 257, new Drive("a", 1, 0)))
                .withMessage("weight must be 1 to 256, was 257");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PollInstance(core, "nvme0q3", 0, new Drive("a", 1, 0)))
                .withMessage("weight must be 1 to 256, was 0");
    }

    // ---- CPUs that go

    @Test
    void theListOfACpuThatGoesOfflineIsPolledOnAnIdleOneAtOnce() {
        var a = new Drive("a", 64, 300);
        a.notesCpu = true;
        interrupt(other, 1_000, a);
        run.at(2_000, () -> machine.down(other));
        run.until(MS);

        // The stopper's interrupt takes 500 ns. It runs when the run of the softirq ends; a timer hardirq of cpu0
        // follows.
        assertThat(run.log())
                .containsExactly(
                        "1600 a 64 on cpu1",
                        "2740 a 64 on cpu1",
                        "3380 a 64 on cpu1",
                        "4020 a 64 on cpu1",
                        "5260 a 44 on cpu0",
                        "5700 a complete");
    }

    @Test
    void theListOfACpuThatGoesOfflineIsPolledOnABusyOneAtOnce() {
        Task.fair(cpu, "hog", on -> 100 * MS).start();
        theListOfACpuThatGoesOfflineIsPolledOnAnIdleOneAtOnce();
    }

    @Test
    void anInstanceThatATaskSchedulesInTheInstantInWhichItsCpuGoesMovesToo() {
        var a = new Drive("a", 64, 5);
        a.notesCpu = true;
        boolean[] done = {false};
        Task.fair(other, "task", on -> {
                    if (!done[0]) {
                        done[0] = a.instance.schedule(on);
                        machine.down(other);
                    }
                    return Routine.DONE;
                })
                .start();
        run.until(MS);

        assertThat(other.online()).isFalse();
        assertThat(run.log()).hasSize(2).first().asString().endsWith("a 5 on cpu0");
    }

    @Test
    void ifTheSurvivorGoesTooAThirdCpuPolls() {
        var a = new Drive("a", 64, 300);
        a.notesCpu = true;
        cpu.raise(cpu.allocateVector("long", new Timeline().script("long").step(10_000)));
        interrupt(other, 1_000, a);
        run.at(2_000, () -> machine.down(other));
        run.at(2_000, () -> machine.down(cpu)); // as soon as its long hardirq is over
        run.until(MS);

        assertThat(cpu.online()).isFalse();
        assertThat(other.online()).isFalse();
        assertThat(run.log()).last().asString().endsWith("a complete");
        assertThat(run.log()).filteredOn(line -> line.contains("a 44")).hasSize(1);
    }

    @Test
    void aCpuThatComesBackBeforeTheSurvivorTookOverPollsItsOwn() {
        var a = new Drive("a", 64, 300);
        a.notesCpu = true;
        interrupt(other, 1_000, a);
        run.at(2_000, () -> machine.down(other));
        run.at(
                3_000,
                () -> cpu.raise(
                        cpu.allocateVector("long", new Timeline().script("long").step(10_000))));
        run.at(5_000, () -> machine.up(other));
        run.until(MS);

        assertThat(run.log()).last().asString().endsWith("a complete");
        assertThat(run.log())
                .filteredOn(line -> line.contains("a 44"))
                .first()
                .asString()
                .endsWith("on cpu1");
    }

    @Test
    void aCpuThatIsBackPollsWhatIsScheduledThere() {
        var a = new Drive("a", 64, 5);
        a.notesCpu = true;
        machine.down(other);
        run.at(1_000, () -> machine.up(other));
        interrupt(other, 2_000, a);
        run.until(MS);

        assertThat(run.log()).containsExactly("2600 a 5 on cpu1", "2650 a complete");
    }

    private void interrupt(Cpu on, long timeNs, Drive... drives) {
        var vector = on.allocateVector("irq", running -> {
            for (Drive drive : drives) {
                drive.instance.schedule(running);
            }
            return Routine.DONE;
        });
        run.at(timeNs, () -> on.raise(vector));
    }

    private static void raiseOnce(Cpu on, Drive drive) {
        drive.onCall = cpu -> {};
        on.raiseSoftirq(Softirq.BLOCK);
    }

    /** A queue of completions and its driver; it notes each call with what it takes. */
    private final class Drive implements PollFunction {
        private final String name;
        private final PollInstance instance;
        private int left;
        private int work;
        private int steps;
        private long completionNs = 10;
        private long afterCompletionNs;
        private boolean completes = true;
        private boolean completesAlways;
        private boolean notesCpu;
        private int returnsMore;
        private Consumer<Cpu> onCall = on -> {};

        Drive(String name, int weight, int completions) {
            this.name = name;
            this.left = completions;
            this.instance = new PollInstance(core, name, weight, this);
        }

        @Override
        public long step(Cpu on, int budget) {
            steps++;
            if (steps == 1) {
                onCall.accept(on);
                work = Math.min(left, budget);
                left -= work;
                run.note(name + " " + work + (notesCpu ? " on " + on : ""));
                return work * completionNs;
            }
            if (steps == 2 && (completesAlways || (completes && work < budget))) {
                run.note(name + " complete");
                instance.complete();
                if (afterCompletionNs > 0) {
                    long ns = afterCompletionNs;
                    afterCompletionNs = 0;
                    return ns;
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
