package io.irqlab.core.watchdog;

import static com.google.common.base.Preconditions.checkArgument;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.engine.EventQueue;
import java.util.function.Consumer;

/**
 * The soft-lockup watchdog of one CPU (kernel/watchdog.c): a timer every fifth of the threshold asks a task of the stop
 * class to touch the watchdog; if none has run for more than the threshold, the CPU is stuck.
 *
 * <p>Time is in the kernel's seconds of 2^30 ns. An exit from idle delays the report ({@code touch_softlockup_watchdog}):
 * the next timer only restarts the period, which is why a CPU that idled before reports later, and a longer time.
 */
public final class SoftLockupWatchdog {
    private static final long DELAYED = Long.MAX_VALUE;

    private final Cpu cpu;
    private final EventQueue queue;
    private final int thresholdSeconds;
    private final long periodNs;
    private final Consumer<Lockup> reports;
    private final HrTimer timer;
    private final Task stopper;
    private final IrqTally sinceTouch;
    private final StormDetector storm;
    private long touchSeconds;
    private long reportSeconds;
    private long seenIdleExits;
    private boolean stopperDone = true;

    /**
     * Creates the watchdog, not started.
     *
     * @param cpu the CPU that it watches
     * @param queue the run's events
     * @param watchdogThreshSeconds {@code kernel.watchdog_thresh}; the threshold is twice that
     * @param reports takes each report
     */
    public SoftLockupWatchdog(Cpu cpu, EventQueue queue, int watchdogThreshSeconds, Consumer<Lockup> reports) {
        checkArgument(watchdogThreshSeconds >= 1, "watchdog_thresh must be 1 s or more, was %s", watchdogThreshSeconds);
        this.cpu = cpu;
        this.queue = queue;
        this.thresholdSeconds = 2 * watchdogThreshSeconds;
        this.periodNs = thresholdSeconds * 1_000_000_000L / 5;
        this.reports = reports;
        this.timer = new HrTimer(cpu, this::onTimer);
        this.stopper = Task.stop(cpu, "migration", this::touch);
        this.sinceTouch = new IrqTally(cpu);
        this.storm = new StormDetector(cpu);
    }

    /**
     * Starts the timer, with the watchdog touched, or starts it anew; also when the CPU is in use again after it was offline.
     * The CPU must be online.
     */
    public void start() {
        stopperDone = true;
        touched();
        timer.arm(cpu, periodNs, 0);
    }

    /** Stops the timer: the CPU goes offline. */
    public void stop() {
        timer.cancel();
    }

    private long touch(Cpu running) {
        if (!stopperDone) {
            stopperDone = true;
            touched();
        }
        return Routine.DONE;
    }

    private void touched() {
        touchSeconds = seconds();
        reportSeconds = touchSeconds;
        seenIdleExits = cpu.idleExits();
        sinceTouch.mark();
        storm.reset();
    }

    private void onTimer(Cpu running) {
        timer.forward(running, periodNs);
        storm.sample();
        if (stopperDone) {
            stopperDone = false;
            stopper.wake(running);
        }
        if (cpu.idleExits() != seenIdleExits) {
            seenIdleExits = cpu.idleExits();
            reportSeconds = DELAYED;
        }
        long now = seconds();
        if (reportSeconds == DELAYED) {
            reportSeconds = now;
        } else if (now > reportSeconds + thresholdSeconds) {
            reports.accept(new Lockup(
                    Lockup.Kind.SOFT_LOCKUP,
                    cpu.number(),
                    queue.nowNs(),
                    now - touchSeconds,
                    thresholdSeconds,
                    sinceTouch.byTime(),
                    storm.periods(),
                    storm.mostFrequent()));
            reportSeconds = now;
        }
    }

    /** The kernel's cheap second. */
    private long seconds() {
        return queue.nowNs() >> 30;
    }
}
