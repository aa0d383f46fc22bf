package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;

/** The queued timers of one CPU, and the hardware timer that is set for the first. Its routine is the timer hardirq. */
final class TimerBase implements EventHandler, Routine {
    private final Cpu cpu;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final int deadline;
    private final Vector vector;
    private final TimerQueue hard = new TimerQueue();
    private final TimerQueue soft = new TimerQueue();
    private boolean interrupting;
    /** The softirq is raised or runs; until it is done, soft timers need no interrupt. */
    private boolean softRaised;

    TimerBase(Cpu cpu, EventQueue queue, CpuCosts costs) {
        this.cpu = cpu;
        this.queue = queue;
        this.costs = costs;
        this.deadline = queue.register(this, 0);
        this.vector = cpu.systemVector(Cpu.TIMER_VECTOR, "timer", Vector.Source.TIMER, this);
        cpu.openSoftirq(Softirq.HRTIMER, this::softirqStep);
    }

    void add(HrTimer timer) {
        TimerQueue timers = timer.soft ? soft : hard;
        timers.add(timer);
        timer.base = this;
        if (!interrupting && !(timer.soft && softRaised) && timers.first() == timer && timer.hardExpiryNs <= nextNs()) {
            program();
        }
    }

    /** As in the kernel, a cancelled timer leaves the hardware set: an interrupt then finds nothing to do. */
    void remove(HrTimer timer) {
        (timer.soft ? soft : hard).remove(timer);
        timer.base = null;
    }

    private long nextNs() {
        return softRaised ? hard.deadlineNs() : Math.min(hard.deadlineNs(), soft.deadlineNs());
    }

    private void program() {
        long next = nextNs();
        if (next < Long.MAX_VALUE) {
            cpu.spend(costs.timerProgramNs() + costs.virtualization().timerProgramNs());
            queue.reschedule(deadline, Math.max(queue.nowNs(), next));
        }
    }

    @Override
    public void onEvent(int code) {
        cpu.raise(vector);
    }

    /** The timer hardirq: one expired hard timer a step, then the softirq for the soft ones, and the hardware is set again. */
    @Override
    public long step(Cpu running) {
        HrTimer timer = hard.expired(queue.nowNs());
        if (timer != null) {
            remove(timer);
            // What the callback arms is programmed once, at the interrupt's end.
            interrupting = true;
            timer.callback.onExpiry(running);
            interrupting = false;
            return costs.timerCallbackNs();
        }
        if (!softRaised && soft.expired(queue.nowNs()) != null) {
            softRaised = true;
            running.raiseSoftirq(Softirq.HRTIMER);
        }
        program();
        return DONE;
    }

    private long softirqStep(Cpu running) {
        HrTimer timer = soft.expired(queue.nowNs());
        if (timer != null) {
            remove(timer);
            timer.callback.onExpiry(running);
            return costs.timerCallbackNs();
        }
        softRaised = false;
        if (soft.deadlineNs() < hard.deadlineNs()) {
            program();
        }
        return DONE;
    }

    /** Moves every timer to a CPU that goes on, which sets its own hardware. */
    void evacuate(Cpu survivor) {
        queue.cancel(deadline);
        cpu.withdraw(vector);
        softRaised = false;
        evacuate(hard, survivor);
        evacuate(soft, survivor);
    }

    /** Gives a CPU that is back the timers that are pinned to it. */
    void sendHome(Cpu home) {
        if (home != cpu) {
            sendHome(hard, home);
            sendHome(soft, home);
        }
    }

    private void sendHome(TimerQueue timers, Cpu home) {
        for (HrTimer timer = timers.firstOf(home); timer != null; timer = timers.firstOf(home)) {
            remove(timer);
            home.timers.add(timer);
        }
    }

    private void evacuate(TimerQueue timers, Cpu survivor) {
        for (HrTimer timer = timers.first(); timer != null; timer = timers.first()) {
            remove(timer);
            survivor.timers.add(timer);
        }
    }
}
