package io.irqlab.core.workqueue;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is queued on a CPU is done there, in order, in process context, when the scheduler lets the worker run. */
final class WorkerPoolTest {
    private static final long MS = 1_000_000;

    private final Timeline run = new Timeline();
    private final CpuCosts costs =
            costs().hardirq(300, 200).wakeup(100).contextSwitch(1_000).ipi(250).build();
    private final Cpu cpu = new Cpu(0, run.queue, costs);
    private final Cpu other = new Cpu(1, run.queue, costs);
    private final CpuHotplug machine = new CpuHotplug(List.of(cpu, other));
    private final WorkerPool pool = new WorkerPool(cpu, run.queue);
    private final WorkerPool otherPool = new WorkerPool(other, run.queue);
    private final Work a = new Work("a", run.script("a").step(500));
    private final Work b = new Work("b", run.script("b").step(700));

    WorkerPoolTest() {
        machine.add(pool);
        machine.add(otherPool);
    }

    @Test
    void worksAreDoneInOrderAndTheWorkerIsWokenOnce() {
        interrupt(cpu, 1_000, on -> {
            pool.queue(a, on);
            pool.queue(b, on);
        });
        run.until(MS);

        // 300 ns in, 100 ns for the wake-up, 200 ns out, and a context switch.
        assertThat(run.log()).containsExactly("2600 a", "3100 a done", "3100 b", "3800 b done");
        assertThat(cpu.times().hardirqNs()).isEqualTo(600);
        assertThat(cpu.times().systemNs()).isEqualTo(1_000 + 500 + 700);
        assertThat(cpu.contextSwitches()).isEqualTo(1);
    }

    @Test
    void oneThatWaitsIsNotQueuedTwice() {
        interrupt(cpu, 1_000, on -> {
            assertThat(pool.queue(a, on)).isTrue();
            assertThat(a.pending()).isTrue();
            assertThat(pool.queue(a, on)).isFalse();
            assertThat(otherPool.queue(a, on)).isFalse();
        });
        run.until(MS);

        assertThat(run.log()).containsExactly("2600 a", "3100 a done");
        assertThat(a.pending()).isFalse();
        assertThat(a.name()).isEqualTo("a");
    }

    @Test
    void oneThatRunsMayBeQueuedAndRunsAgainAfterItself() {
        interrupt(cpu, 1_000, on -> pool.queue(a, on));
        interrupt(cpu, 2_700, on -> assertThat(pool.queue(a, on)).isTrue());
        run.until(MS);

        // The interrupt takes 500 ns and has nobody to wake.
        assertThat(run.log()).containsExactly("2600 a", "3600 a done", "3600 a", "4100 a done");
    }

    @Test
    void oneThatQueuesItselfRunsAgain() {
        int[] times = {0};
        Work[] again = new Work[1];
        again[0] = new Work("again", on -> {
            times[0]++;
            if (times[0] < 5) {
                pool.queue(again[0], on);
            }
            return Routine.DONE;
        });
        interrupt(cpu, 1_000, on -> pool.queue(again[0], on));
        run.until(MS);

        assertThat(times[0]).isEqualTo(5);
        assertThat(pool.waiting()).isFalse();
    }

    @Test
    void oneThatRunsInAnotherPoolIsQueuedThereAndNeverRunsTwiceAtATime() {
        interrupt(cpu, 1_000, on -> pool.queue(a, on));
        interrupt(other, 2_500, on -> otherPool.queue(a, on)); // its handler acts at 2800: a runs on cpu0
        run.until(MS);

        assertThat(run.log()).containsExactly("2600 a", "3100 a done", "3100 a", "3600 a done");
        assertThat(other.contextSwitches()).isZero();
    }

    @Test
    void workForAnotherCpuCostsAnInterProcessorInterrupt() {
        interrupt(cpu, 1_000, on -> otherPool.queue(a, on));
        run.until(MS);

        // 1300 + 250 ns on the way, 500 ns of hardirq, and a context switch.
        assertThat(run.log()).containsExactly("3050 a", "3550 a done");
        assertThat(other.hardirqs(Vector.Source.IPI)).isEqualTo(1);
    }

    @Test
    void aWorkerIsAnOrdinaryTaskThatARealTimeTaskKeepsWaiting() {
        Task.fifo(cpu, "fifo", 1, run.script("fifo").step(10_000)).start();
        interrupt(cpu, 2_000, on -> pool.queue(a, on));
        run.until(MS);

        assertThat(run.log()).containsExactly("1750 fifo", "12350 fifo done", "13350 a", "13850 a done");
    }

    @Test
    void progressIsTheLastWorkThatBeganOrCameToAnEmptyPool() {
        interrupt(cpu, 1_000, on -> pool.queue(a, on));
        run.until(1_400);
        assertThat(pool.waiting()).isTrue();
        assertThat(pool.progressNs()).isEqualTo(1_300);
        run.until(2_700);
        assertThat(pool.waiting()).isFalse();
        assertThat(pool.progressNs()).isEqualTo(2_600);
        assertThat(pool.cpu()).isSameAs(cpu);
    }

    @Test
    void whatWaitsOnACpuThatGoesOfflineIsDoneOnAnother() {
        Task.fifo(other, "fifo", 1, run.script("fifo").step(10_000)).start();
        interrupt(other, 3_000, on -> otherPool.queue(a, on));
        run.at(4_000, () -> machine.down(other));
        run.until(MS);

        assertThat(other.online()).isFalse();
        assertThat(run.log()).contains("1750 fifo").last().asString().endsWith("a done");
        assertThat(otherPool.waiting()).isFalse();
        assertThat(cpu.contextSwitches()).isEqualTo(2); // the fifo task has moved as well
    }

    @Test
    void workQueuedToThePoolOfAnOfflineCpuIsDoneByItsWorkerElsewhere() {
        machine.down(other);
        interrupt(cpu, 10_000, on -> otherPool.queue(a, on));
        run.until(MS);

        assertThat(run.log()).containsExactly("11600 a", "12100 a done");
        assertThat(other.online()).isFalse();
    }

    @Test
    void aWorkerReturnsWithItsCpuAlsoInTheMiddleOfAWork() {
        machine.down(other);
        interrupt(cpu, 10_000, on -> {
            otherPool.queue(a, on);
            otherPool.queue(b, on);
        });
        run.at(11_800, () -> machine.up(other));
        interrupt(other, 100_000, on -> otherPool.queue(a, on));
        run.until(MS);

        assertThat(run.log())
                .containsExactly(
                        "11600 a", // on cpu0, until its step ends at 12100; then an interrupt and a switch on cpu1
                        "13850 a done",
                        "13850 b",
                        "14550 b done",
                        "101600 a",
                        "102100 a done");
        assertThat(other.times().systemNs()).isGreaterThanOrEqualTo(1_000 + 700 + 1_000 + 500);
    }

    @Test
    void oneThatWasQueuedBeforeItsCpuCameIsDoneThere() {
        machine.down(other);
        run.until(5_000);
        machine.up(other);
        interrupt(other, 10_000, on -> otherPool.queue(a, on));
        run.until(MS);

        assertThat(run.log()).containsExactly("11600 a", "12100 a done");
        assertThat(cpu.contextSwitches()).isZero();
    }

    private void interrupt(Cpu on, long timeNs, Consumer<Cpu> action) {
        var vector = on.allocateVector("irq", running -> {
            action.accept(running);
            return Routine.DONE;
        });
        run.at(timeNs, () -> on.raise(vector));
    }
}
