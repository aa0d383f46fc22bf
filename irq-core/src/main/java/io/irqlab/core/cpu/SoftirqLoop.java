package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.engine.EventQueue;
import org.jspecify.annotations.Nullable;

/**
 * The pending softirqs of one CPU and who serves them: the exit of a hardirq, for at most 2 ms, 10 restarts, or until a
 * task wants the CPU (kernel/softirq.c, {@code MAX_SOFTIRQ_TIME}, {@code MAX_SOFTIRQ_RESTART}); then the ordinary task
 * ksoftirqd, under the same limits, until nothing is pending. As a routine it is that service.
 *
 * <p>A softirq that is raised while ksoftirqd waits for its turn is served at the hardirq's exit all the same, as in Linux
 * since 6.5; only while ksoftirqd is in the middle of its service, which no task preempts, hardirqs leave softirqs to it.
 */
final class SoftirqLoop implements Routine {
    private static final long MAX_TIME_NS = 2_000_000;
    private static final int MAX_RESTARTS = 10;

    private final Cpu cpu;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final @Nullable Routine[] routines = new Routine[Softirq.NUMBERS];
    private final Task ksoftirqd;
    private int pending;
    private boolean serving;
    private boolean servingInTask;
    private long servicesInTask;
    private long startedNs;
    private int restarts;
    /** Those of this pass that have not begun, and the one that has. */
    private int left;

    private @Nullable Routine routine;

    SoftirqLoop(Cpu cpu, EventQueue queue, CpuCosts costs) {
        this.cpu = cpu;
        this.queue = queue;
        this.costs = costs;
        this.ksoftirqd = Task.perCpu(cpu, "ksoftirqd", this::ksoftirqdStep);
    }

    void open(Softirq softirq, Routine service) {
        routines[softirq.number()] = service;
    }

    void raise(Softirq softirq, boolean fromTask) {
        checkState(routines[softirq.number()] != null, "softirq %s has no routine on %s", softirq, cpu);
        pending |= 1 << softirq.number();
        if (fromTask && !servingInTask) {
            ksoftirqd.wake(cpu);
        }
    }

    /** Whether the exit of a hardirq goes on with its service, or begins one if it has just come. */
    boolean servesAtIrqExit(boolean justCame) {
        return !servingInTask && (serving || (justCame && pending != 0));
    }

    boolean wantsCpu() {
        return serving || pending != 0;
    }

    boolean serving() {
        return serving;
    }

    boolean servingInTask() {
        return servingInTask;
    }

    long servicesInTask() {
        return servicesInTask;
    }

    boolean isKsoftirqd(@Nullable Task task) {
        return task == ksoftirqd;
    }

    @Override
    public long step(Cpu running) {
        if (!serving) {
            if (pending == 0) {
                return DONE;
            }
            serving = true;
            startedNs = queue.nowNs();
            restarts = 0;
            beginPass();
            return costs.softirqEntryNs();
        }
        if (left != 0 || routine != null) {
            return passStep();
        }
        if (pending != 0) {
            restarts++;
            if (restarts < MAX_RESTARTS && queue.nowNs() - startedNs < MAX_TIME_NS && !cpu.needResched()) {
                beginPass();
                return 0;
            }
            ksoftirqd.wake(cpu);
        }
        serving = false;
        return DONE;
    }

    private void beginPass() {
        left = pending;
        pending = 0;
    }

    private long passStep() {
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

    private long ksoftirqdStep(Cpu running) {
        long durationNs = step(running);
        if (servingInTask && !serving) {
            servicesInTask++;
        }
        servingInTask = serving;
        if (durationNs == DONE && pending != 0) {
            return 0;
        }
        return durationNs;
    }
}
