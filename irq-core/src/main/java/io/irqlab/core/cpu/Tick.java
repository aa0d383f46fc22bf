package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventQueue;
import java.util.Arrays;

/**
 * The scheduler's tick of one CPU, 1000 times a second at the same instants on all CPUs ({@code CONFIG_HZ_1000}). It stops
 * when it finds the CPU idle and starts again with the next task ({@code CONFIG_NO_HZ_IDLE}); short spells of idleness
 * leave it alone, as the idle governors do.
 */
final class Tick implements HrTimer.Callback {
    static final long PERIOD_NS = Cpu.JIFFY_NS;

    private final Cpu cpu;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final HrTimer timer;
    private Runnable[] listeners = new Runnable[0];

    Tick(Cpu cpu, EventQueue queue, CpuCosts costs) {
        this.cpu = cpu;
        this.queue = queue;
        this.costs = costs;
        this.timer = new HrTimer(cpu, this);
    }

    void add(Runnable listener) {
        listeners = Arrays.copyOf(listeners, listeners.length + 1);
        listeners[listeners.length - 1] = listener;
    }

    void start() {
        if (!timer.queued()) {
            timer.arm(cpu, PERIOD_NS - queue.nowNs() % PERIOD_NS, 0);
        }
    }

    void stop() {
        timer.cancel();
    }

    @Override
    public void onExpiry(Cpu running) {
        running.spend(costs.tickNs());
        cpu.scheduler.tick();
        for (Runnable listener : listeners) {
            listener.run();
        }
        if (!cpu.wantsNothing()) {
            timer.forward(running, PERIOD_NS);
        }
    }
}
