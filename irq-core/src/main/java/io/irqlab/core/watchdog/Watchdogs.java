package io.irqlab.core.watchdog;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.workqueue.WorkerPool;
import java.util.List;
import java.util.function.Consumer;

/** All the watchdogs of a machine. A CPU that goes offline is not watched until it is back. */
public final class Watchdogs implements CpuHotplug.Listener {
    private final ImmutableList<SoftLockupWatchdog> softLockup;
    private final WorkqueueWatchdog workqueue;
    private final CpuHotplug machine;

    /**
     * Creates the watchdogs, not started.
     *
     * @param machine the CPUs
     * @param pools the worker pools of the CPUs
     * @param queue the run's events
     * @param watchdogThreshSeconds {@code kernel.watchdog_thresh}, 1 to 60 s; 0 for no soft-lockup watchdog
     * @param reports takes each report
     */
    public Watchdogs(
            CpuHotplug machine,
            List<WorkerPool> pools,
            EventQueue queue,
            int watchdogThreshSeconds,
            Consumer<Lockup> reports) {
        this.softLockup = watchdogThreshSeconds == 0
                ? ImmutableList.of()
                : machine.cpus().stream()
                        .map(cpu -> new SoftLockupWatchdog(cpu, queue, watchdogThreshSeconds, reports))
                        .collect(toImmutableList());
        new RcuStallDetector(machine.cpus(), queue, reports);
        this.workqueue = new WorkqueueWatchdog(pools, queue, reports);
        this.machine = machine;
        machine.add(this);
    }

    /** Starts them; the CPUs that are offline now are watched when they are back. */
    public void start() {
        List<Cpu> online = machine.cpus().stream().filter(Cpu::online).toList();
        online.forEach(this::online);
        workqueue.start(online.get(0));
    }

    @Override
    public void offline(Cpu dying, Cpu survivor) {
        if (!softLockup.isEmpty()) {
            softLockup.get(dying.number()).stop();
        }
    }

    @Override
    public void online(Cpu cpu) {
        if (!softLockup.isEmpty()) {
            softLockup.get(cpu.number()).start();
        }
    }
}
