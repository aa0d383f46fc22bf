package io.irqlab.benchmarks;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.FlowType;
import io.irqlab.core.irq.Interrupts;
import io.irqlab.core.irq.IrqAction;
import io.irqlab.core.irq.IrqChip;
import io.irqlab.core.irq.IrqDescriptor;
import io.irqlab.core.irq.IrqFlag;
import io.irqlab.core.irq.IrqReturn;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.irqpoll.PollFunction;
import io.irqlab.core.irqpoll.PollInstance;
import io.irqlab.core.watchdog.Watchdogs;
import io.irqlab.core.workqueue.WorkerPool;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Interrupts per second through the whole core: a device interrupts CPU 0 every 4 µs, whose handler wakes a job on CPU 1, in
 * hardirq context, in its thread, or in a softirq; a hog keeps CPU 0 busy, and ticks and watchdogs run. With
 * {@code -prof gc} it shows that none of that allocates.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class InterruptBenchmark implements IrqChip, IrqAction, PollFunction {
    private static final int INTERRUPTS = 10_000;
    private static final long GAP_NS = 4_000;
    private static final CpuCosts COSTS =
            new CpuCosts(500, 300, 200, 100, 300, 700, 1_200, 400, 1_000, 1_000, 25, VirtualizationCosts.BARE_METAL);

    /** Who does the work of an interrupt. */
    public enum Path {
        /** The hard handler of an edge line. */
        HARDIRQ_EDGE,
        /** The hard handler of a fasteoi line. */
        HARDIRQ_FASTEOI,
        /** The hard handler of a level line. */
        HARDIRQ_LEVEL,
        /** The irq thread of an edge line. */
        THREAD,
        /** The softirq, through irq_poll, with the line disabled meanwhile. */
        IRQ_POLL
    }

    /** The path that is measured. */
    @Param
    public Path path = Path.HARDIRQ_EDGE;

    private EventQueue queue = new EventQueue();
    private Cpu cpu = new Cpu(0, queue, COSTS);
    private Cpu jobCpu = new Cpu(1, queue, COSTS);
    private IrqDescriptor line = lineOf(new Interrupts(machine(), queue, null, report -> {}), FlowType.EDGE);
    private PollInstance poll = new PollInstance(new IrqPoll(machine(), queue), "bench", 64, this);
    private Task job = Task.fair(jobCpu, "job", this::jobStep);
    private int arrival;
    private boolean masked = true;
    private boolean pending;
    private boolean jobRan;
    private int step;

    private CpuHotplug machine() {
        return new CpuHotplug(List.of(cpu, jobCpu));
    }

    private IrqDescriptor lineOf(Interrupts interrupts, FlowType flow) {
        return interrupts.allocate(64, "bench", flow, this, CpuMask.of(0));
    }

    /** Builds the machine. */
    @Setup
    public void build() {
        queue = new EventQueue();
        cpu = new Cpu(0, queue, COSTS);
        jobCpu = new Cpu(1, queue, COSTS);
        CpuHotplug machine = machine();
        List<WorkerPool> pools = List.of(new WorkerPool(cpu, queue), new WorkerPool(jobCpu, queue));
        new Watchdogs(machine, pools, queue, 10, lockup -> {}).start();
        poll = new PollInstance(new IrqPoll(machine, queue), "bench", 64, this);
        FlowType flow = switch (path) {
            case HARDIRQ_FASTEOI -> FlowType.FASTEOI;
            case HARDIRQ_LEVEL -> FlowType.LEVEL;
            case HARDIRQ_EDGE, THREAD, IRQ_POLL -> FlowType.EDGE;
        };
        line = lineOf(new Interrupts(machine, queue, null, report -> {}), flow);
        line.requestIrq(this, cpu, IrqFlag.THREADED);
        job = Task.fair(jobCpu, "job", this::jobStep);
        Task.fair(cpu, "hog", running -> 10_000).start();
        arrival = queue.register(code -> arrive(), 0);
        queue.schedule(arrival, GAP_NS);
    }

    private void arrive() {
        queue.schedule(arrival, queue.nowNs() + GAP_NS);
        if (masked) {
            pending = true;
        } else {
            line.raise();
        }
    }

    private long jobStep(Cpu running) {
        jobRan = !jobRan;
        return jobRan ? 800 : Routine.DONE;
    }

    @Override
    public long handlerStep(Cpu running) {
        switch (path) {
            case THREAD -> {
                return Routine.DONE;
            }
            case IRQ_POLL -> {
                line.disable(running);
                poll.schedule(running);
                return Routine.DONE;
            }
            case HARDIRQ_EDGE, HARDIRQ_FASTEOI, HARDIRQ_LEVEL -> {
                return work(running);
            }
        }
        return Routine.DONE;
    }

    /** Takes 600 ns, then wakes the job. */
    private long work(Cpu running) {
        step++;
        if (step == 1) {
            return 600;
        }
        step = 0;
        job.wake(running);
        return Routine.DONE;
    }

    @Override
    public IrqReturn result() {
        return path == Path.THREAD ? IrqReturn.WAKE_THREAD : IrqReturn.HANDLED;
    }

    @Override
    public long threadStep(Cpu running) {
        return work(running);
    }

    @Override
    public long step(Cpu running, int budget) {
        long durationNs = work(running);
        if (durationNs == Routine.DONE) {
            poll.complete();
            line.enable(running);
        }
        return durationNs;
    }

    @Override
    public int work() {
        return 1;
    }

    @Override
    public void ack(Cpu running) {}

    @Override
    public void mask(Cpu running) {
        masked = true;
    }

    @Override
    public void unmask(Cpu running) {
        masked = false;
        if (pending) {
            pending = false;
            line.raise();
        }
    }

    /**
     * Runs so many interrupts.
     *
     * @return how many the line has handled
     */
    @Benchmark
    @OperationsPerInvocation(INTERRUPTS)
    public long run() {
        queue.runUntil(queue.nowNs() + INTERRUPTS * GAP_NS);
        return line.handled();
    }
}
