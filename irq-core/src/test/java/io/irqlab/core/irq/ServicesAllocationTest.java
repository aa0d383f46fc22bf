package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.irqpoll.PollFunction;
import io.irqlab.core.irqpoll.PollInstance;
import io.irqlab.core.napi.Napi;
import io.irqlab.core.napi.NapiInstance;
import io.irqlab.core.napi.NapiPoll;
import io.irqlab.core.watchdog.Watchdogs;
import io.irqlab.core.workqueue.Work;
import io.irqlab.core.workqueue.WorkerPool;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** In steady state polls, works, ticks, grace periods and watchdogs allocate nothing. */
final class ServicesAllocationTest {
    private static final long SECOND = 1_000_000_000;
    private static final long GAP_NS = 5_000;
    private static final int EVENTS = 100_000;

    private final CpuCosts costs = costs().hardirq(300, 200)
            .softirqEntry(70)
            .timer(50, 90)
            .contextSwitch(400)
            .wakeup(100)
            .ipi(250)
            .build();
    private final EventQueue queue = new EventQueue();
    private final Cpu cpu = new Cpu(0, queue, costs);
    private final Cpu other = new Cpu(1, queue, costs);
    private final CpuHotplug machine = new CpuHotplug(List.of(cpu, other));
    private int calls;

    @Test
    void irqPollAllocatesNothing() {
        var drive = new Polled(new IrqPoll(machine, queue), new Napi(machine, queue));
        every(GAP_NS, drive.instance::schedule);

        assertThat(bytesOf(EVENTS * GAP_NS)).isLessThan(EVENTS / 100);
        assertThat(calls).isGreaterThan(EVENTS);
    }

    @Test
    void napiAllocatesNothing() {
        var nic = new Polled(new IrqPoll(machine, queue), new Napi(machine, queue));
        nic.napi.defer(2, 1_000);
        every(GAP_NS, nic.napi::schedule);

        assertThat(bytesOf(EVENTS * GAP_NS)).isLessThan(EVENTS / 100);
        assertThat(calls).isGreaterThan(EVENTS);
    }

    @Test
    void workAllocatesNothing() {
        var pool = new WorkerPool(other, queue);
        boolean[] runs = {false};
        var work = new Work("work", on -> {
            runs[0] = !runs[0];
            calls++;
            return runs[0] ? 200 : Routine.DONE;
        });
        every(GAP_NS, on -> pool.queue(work, on));

        assertThat(bytesOf(EVENTS * GAP_NS)).isLessThan(EVENTS / 100);
        assertThat(calls).isGreaterThan(EVENTS);
    }

    @Test
    void ticksGracePeriodsAndWatchdogsAllocateNothing() {
        List<WorkerPool> pools = List.of(new WorkerPool(cpu, queue), new WorkerPool(other, queue));
        new Watchdogs(machine, pools, queue, 1, lockup -> calls++).start();
        Task.fair(cpu, "hog", on -> 1_000_000).start();
        every(SECOND / 1_000, on -> {});

        // Each of the 500 samples of the watchdogs takes a snapshot of its CPU's times; 100 000 ticks allocate nothing.
        assertThat(bytesOf(100 * SECOND)).isLessThan(500 * 100);
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isGreaterThan(EVENTS);
        assertThat(calls).isZero();
    }

    /** What is allocated in so much virtual time, after as much to warm up. */
    private long bytesOf(long ns) {
        queue.runUntil(ns);
        long before = AllocatedBytes.now();
        queue.runUntil(2 * ns);
        return AllocatedBytes.now() - before;
    }

    private void every(long gapNs, Consumer<Cpu> handler) {
        Vector vector = cpu.allocateVector("irq", on -> {
            handler.accept(on);
            return Routine.DONE;
        });
        int[] arrival = {0};
        arrival[0] = queue.register(
                code -> {
                    queue.schedule(arrival[0], queue.nowNs() + gapNs);
                    cpu.raise(vector);
                },
                0);
        queue.schedule(arrival[0], 0);
    }

    /** Finds three things in each call; a block device's queue or a network device's. */
    private final class Polled implements PollFunction, NapiPoll {
        private final PollInstance instance;
        private final NapiInstance napi;
        private boolean runs;

        Polled(IrqPoll irqPoll, Napi napiCore) {
            instance = new PollInstance(irqPoll, "drive", 64, this);
            napi = new NapiInstance(napiCore, "nic", this);
        }

        @Override
        public long step(Cpu on, int budget) {
            runs = !runs;
            calls++;
            if (runs) {
                return 300;
            }
            if (instance.scheduled()) {
                instance.complete();
            } else {
                napi.completeDone(work(), on);
            }
            return Routine.DONE;
        }

        @Override
        public int work() {
            return calls % 4 < 2 ? 3 : 0;
        }
    }
}
