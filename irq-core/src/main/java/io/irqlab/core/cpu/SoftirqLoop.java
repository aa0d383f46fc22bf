package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.engine.EventQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pending softirqs of one CPU and who runs them: the exit of a hardirq, for at most 2 ms, 10 restarts, or until a
 * task wants the CPU (kernel/softirq.c, {@code MAX_SOFTIRQ_TIME}, {@code MAX_SOFTIRQ_RESTART}); then the ordinary task
 * ksoftirqd, until nothing is pending. As a routine it is the work at hardirq exit.
 */
final class SoftirqLoop implements Routine {
    private static final long MAX_TIME_NS = 2_000_000;
    private static final int MAX_RESTARTS = 10;

    private final Cpu cpu;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final @Nullable Routine[] routines = new Routine[Softirq.NUMBERS];
    private final Task ksoftirqd;
    private final Pass ksoftirqdPass = new Pass();
    private final Pass exitPass = new Pass();
    private int pending;
    private boolean active;
    private long startedNs;
    private int restarts;

    SoftirqLoop(Cpu cpu, EventQueue queue, CpuCosts costs) {
        this.cpu = cpu;
        this.queue = queue;
        this.costs = costs;
        this.ksoftirqd = Task.fair(cpu, "ksoftirqd", this::ksoftirqdStep);
    }

    void open(Softirq softirq, Routine routine) {
        routines[softirq.number()] = routine;
    }

    void raise(Softirq softirq, boolean fromTask) {
        checkState(routines[softirq.number()] != null, "softirq %s has no routine on %s", softirq, cpu);
        pending |= 1 << softirq.number();
        // If ksoftirqd is awake this keeps it so, even if it has found nothing pending and is on its way to sleep.
        if (fromTask || ksoftirqd.state != Task.State.SLEEPING) {
            cpu.wake(ksoftirqd, cpu);
        }
    }

    boolean runnableAtIrqExit() {
        return active || (pending != 0 && ksoftirqd.state == Task.State.SLEEPING);
    }

    @Override
    public long step(Cpu running) {
        if (!active) {
            active = true;
            startedNs = queue.nowNs();
            restarts = 0;
            exitPass.take();
            return costs.softirqEntryNs();
        }
        if (exitPass.unfinished()) {
            return exitPass.step();
        }
        if (pending == 0) {
            active = false;
            return DONE;
        }
        restarts++;
        if (restarts < MAX_RESTARTS && queue.nowNs() - startedNs < MAX_TIME_NS && !cpu.needResched()) {
            exitPass.take();
            return 0;
        }
        active = false;
        cpu.wake(ksoftirqd, cpu);
        return DONE;
    }

    private long ksoftirqdStep(Cpu running) {
        if (ksoftirqdPass.unfinished()) {
            return ksoftirqdPass.step();
        }
        if (pending == 0) {
            return DONE;
        }
        ksoftirqdPass.take();
        return costs.softirqEntryNs();
    }

    /** One walk over the softirqs that were pending at its start. */
    private final class Pass {
        private int left;
        private @Nullable Routine routine;

        void take() {
            left = pending;
            pending = 0;
        }

        boolean unfinished() {
            return left != 0 || routine != null;
        }

        long step() {
            Routine now = routine;
            if (now == null) {
                now = routines[Integer.numberOfTrailingZeros(left)];
                left &= left - 1;
                routine = now;
            }
            long durationNs = now == null ? DONE : now.step(cpu);
            if (durationNs == DONE) {
                routine = null;
                return 0;
            }
            return durationNs;
        }
    }
}
