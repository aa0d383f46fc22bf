package io.irqlab.core.watchdog;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.workqueue.Work;
import io.irqlab.core.workqueue.WorkerPool;
import java.util.List;
import java.util.function.Consumer;

/**
 * The workqueue watchdog of a machine ({@code CONFIG_WQ_WATCHDOG}): a timer looks at every pool, and reports one in which work
 * waits and none has begun for more than 30 s. The timer's period is 30 s as well, so the report comes up to 30 s late.
 *
 * <p>So that there is work to wait, as on every Linux machine, each CPU that is not idle folds its statistics once a second
 * in its kworker ({@code vmstat_update}, queued by {@code vmstat_shepherd}). Both timers expire in hardirq context here, on
 * the CPU that started the watchdog, where the kernel uses timer wheels: a storm on another CPU does not stop them.
 */
public final class WorkqueueWatchdog {
    /** {@code workqueue.watchdog_thresh}. */
    private static final int THRESHOLD_SECONDS = 30;

    private static final long SECOND_NS = 1_000_000_000L;
    /** An estimate: a walk over the counters of the zones and nodes of one CPU. */
    private static final long VMSTAT_UPDATE_NS = 2_000;

    private final ImmutableList<Watched> watched;
    private final EventQueue queue;
    private final Consumer<Lockup> reports;
    private final HrTimer shepherd = HrTimer.unpinned(this::onSecond);
    private final HrTimer timer = HrTimer.unpinned(this::onTimer);

    /** One pool, its periodic work, and the interrupts since its last progress. */
    private static final class Watched {
        private final WorkerPool pool;
        private final Work vmstatUpdate;
        private final IrqTally tally;
        private boolean stepped;

        Watched(WorkerPool pool) {
            this.pool = pool;
            this.tally = new IrqTally(pool.cpu());
            this.vmstatUpdate = new Work("vmstat_update", this::update);
        }

        private long update(Cpu running) {
            stepped = !stepped;
            if (stepped) {
                return VMSTAT_UPDATE_NS;
            }
            tally.mark();
            return Routine.DONE;
        }
    }

    /**
     * Creates the watchdog, not started.
     *
     * @param pools the machine's pools
     * @param queue the run's events
     * @param reports takes each report
     */
    public WorkqueueWatchdog(List<WorkerPool> pools, EventQueue queue, Consumer<Lockup> reports) {
        this.watched = pools.stream().map(Watched::new).collect(toImmutableList());
        this.queue = queue;
        this.reports = reports;
    }

    /**
     * Starts the timers.
     *
     * @param cpu where they run, until that goes offline
     */
    public void start(Cpu cpu) {
        shepherd.arm(cpu, SECOND_NS, 0);
        timer.arm(cpu, THRESHOLD_SECONDS * SECOND_NS, 0);
    }

    private void onSecond(Cpu running) {
        shepherd.forward(running, SECOND_NS);
        for (Watched each : watched) {
            Cpu cpu = each.pool.cpu();
            boolean busy = cpu == running ? !cpu.wantsNothing() : !cpu.idle();
            if (cpu.online() && busy) {
                each.pool.queue(each.vmstatUpdate, running);
            }
        }
    }

    private void onTimer(Cpu running) {
        timer.forward(running, THRESHOLD_SECONDS * SECOND_NS);
        long now = queue.nowNs();
        for (Watched each : watched) {
            long stuckNs = now - each.pool.progressNs();
            if (each.pool.waiting() && each.pool.cpu().online() && stuckNs > THRESHOLD_SECONDS * SECOND_NS) {
                reports.accept(new Lockup(
                        Lockup.Kind.WORKQUEUE_LOCKUP,
                        each.pool.cpu().number(),
                        now,
                        stuckNs / SECOND_NS,
                        THRESHOLD_SECONDS,
                        each.tally.byTime(),
                        List.of(),
                        List.of()));
            }
        }
    }
}
