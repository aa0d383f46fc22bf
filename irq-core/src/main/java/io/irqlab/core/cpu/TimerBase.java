package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import java.util.Arrays;

/** The queued timers of one CPU, by the end of their windows, and the hardware timer that is set for the first. */
final class TimerBase implements EventHandler, Routine {
    private final Cpu cpu;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final int deadline;
    private final Vector vector;
    private HrTimer[] timers = new HrTimer[8];
    private int size;
    private boolean interrupting;

    TimerBase(Cpu cpu, EventQueue queue, CpuCosts costs) {
        this.cpu = cpu;
        this.queue = queue;
        this.costs = costs;
        this.deadline = queue.register(this, 0);
        this.vector = cpu.systemVector(Cpu.TIMER_VECTOR, "timer", Vector.Source.TIMER, this);
    }

    void arm(HrTimer timer, long delayNs, long slackNs) {
        if (timer.queued) {
            remove(timer);
        }
        timer.softExpiryNs = queue.nowNs() + delayNs;
        timer.hardExpiryNs = timer.softExpiryNs + slackNs;
        insert(timer);
        if (timers[0] == timer && !interrupting) {
            cpu.spend(costs.timerProgramNs());
            program();
        }
    }

    /** As in the kernel, a cancelled timer leaves the hardware set: an interrupt then finds nothing to do. */
    void cancel(HrTimer timer) {
        if (timer.queued) {
            remove(timer);
        }
    }

    private void insert(HrTimer timer) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, size * 2);
        }
        int i = size++;
        while (i > 0 && timers[i - 1].hardExpiryNs > timer.hardExpiryNs) {
            timers[i] = timers[i - 1];
            i--;
        }
        timers[i] = timer;
        timer.queued = true;
    }

    private void remove(HrTimer timer) {
        int i = 0;
        while (timers[i] != timer) {
            i++;
        }
        size--;
        System.arraycopy(timers, i + 1, timers, i, size - i);
        timer.queued = false;
    }

    private void program() {
        queue.reschedule(deadline, Math.max(queue.nowNs(), timers[0].hardExpiryNs));
    }

    @Override
    public void onEvent(int code) {
        cpu.raise(vector);
    }

    /** The timer hardirq: one expired timer a step, then the hardware is set again. */
    @Override
    public long step(Cpu running) {
        if (size > 0 && timers[0].softExpiryNs <= queue.nowNs()) {
            HrTimer timer = timers[0];
            remove(timer);
            interrupting = true;
            timer.callback.onExpiry(running);
            interrupting = false;
            return costs.timerCallbackNs();
        }
        if (size > 0) {
            cpu.spend(costs.timerProgramNs());
            program();
        }
        return DONE;
    }
}
