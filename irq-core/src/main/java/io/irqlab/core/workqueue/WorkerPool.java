package io.irqlab.core.workqueue;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.engine.EventQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pool of one CPU: what was queued there, and the kworker that does it, an ordinary task of nice 0
 * (kernel/workqueue.c). Items do not sleep in this model, so one worker is enough. While the CPU is offline its worker runs
 * on another one.
 */
public final class WorkerPool implements CpuHotplug.Listener {
    private final Cpu cpu;
    private final EventQueue queue;
    private final Task worker;
    private @Nullable Work first;
    private @Nullable Work last;
    private @Nullable Work current;
    private long progressNs;

    /**
     * Creates the pool of a CPU, empty.
     *
     * @param cpu the CPU
     * @param queue the run's events
     */
    public WorkerPool(Cpu cpu, EventQueue queue) {
        this.cpu = cpu;
        this.queue = queue;
        this.worker = Task.fair(cpu, "kworker", this::step);
    }

    /**
     * Queues a work item behind those that wait. One whose code runs at this moment may be queued again; if it runs in
     * another pool it is queued there, so that it never runs twice at a time.
     *
     * @param work what to do
     * @param running the CPU that executes the call, and pays for waking the worker
     * @return false if it was waiting already
     */
    public boolean queue(Work work, Cpu running) {
        if (work.pending) {
            return false;
        }
        work.pending = true;
        WorkerPool busy = work.runsIn;
        (busy == null ? this : busy).append(work, running);
        return true;
    }

    private void append(Work work, Cpu running) {
        Work tail = last;
        if (tail == null) {
            first = work;
            progressNs = queue.nowNs();
        } else {
            tail.next = work;
        }
        last = work;
        worker.wake(running);
    }

    private long step(Cpu running) {
        Work work = current;
        if (work == null) {
            work = take();
            if (work == null) {
                return Routine.DONE;
            }
            current = work;
            work.runsIn = this;
        }
        long durationNs = work.routine.step(running);
        if (durationNs != Routine.DONE) {
            return durationNs;
        }
        current = null;
        work.runsIn = null;
        return 0;
    }

    private @Nullable Work take() {
        Work work = first;
        if (work == null) {
            return null;
        }
        first = work.next;
        if (first == null) {
            last = null;
        }
        work.next = null;
        work.pending = false;
        progressNs = queue.nowNs();
        return work;
    }

    /**
     * Returns whether work waits.
     *
     * @return true if a queued item has not begun
     */
    public boolean waiting() {
        return first != null;
    }

    /**
     * Returns when the pool last got on: when a worker took an item, or an item came to an empty pool.
     *
     * @return nanoseconds since the run began
     */
    public long progressNs() {
        return progressNs;
    }

    /**
     * Returns the CPU whose pool it is.
     *
     * @return the CPU
     */
    public Cpu cpu() {
        return cpu;
    }

    @Override
    public void offline(Cpu dying, Cpu survivor) {
        // The scheduler has moved the worker; a worker that sleeps is woken elsewhere.
    }

    @Override
    public void online(Cpu back) {
        if (back == cpu) {
            worker.setAffinity(CpuMask.of(cpu.number()));
        }
    }
}
