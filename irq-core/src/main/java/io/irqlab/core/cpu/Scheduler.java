package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which task of a CPU runs: stop before fifo before fair. A task of a higher class or priority preempts at once; fair tasks
 * share by weight ({@link FairQueue}), and the tick ends their slices.
 *
 * <p>So that real-time tasks cannot starve the fair ones for good, these are served for 50 ms of every second, before the
 * fifo class, if they have waited for the rest of it (the fair server of Linux 6.12 and later; DESIGN of
 * {@code sched_deadline}'s zero-laxity deferral, here with the tick's resolution).
 */
final class Scheduler {
    private static final long FAIR_SERVER_RUNTIME_NS = 50_000_000;
    private static final long FAIR_SERVER_PERIOD_NS = 1_000_000_000;

    private final Cpu cpu;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final RunQueue realTime = new RunQueue();
    private final FairQueue fair = new FairQueue();
    private final List<Task> parked = new ArrayList<>();
    private @Nullable Task current;
    private boolean switching;
    private boolean blocking;
    private boolean needResched;
    private boolean yielding;
    private long remainingNs;
    private long fairServedNs;
    private long fairServerLeftNs;
    private long contextSwitches;
    private long stepUserNs;

    Scheduler(Cpu cpu, EventQueue queue, CpuCosts costs) {
        this.cpu = cpu;
        this.queue = queue;
        this.costs = costs;
    }

    @Nullable
    Task current() {
        return current;
    }

    boolean needResched() {
        return needResched;
    }

    int runnable() {
        return realTime.size() + fair.size() + (current == null ? 0 : 1);
    }

    long contextSwitches() {
        return contextSwitches;
    }

    // ---- who wants the CPU

    /** Makes a sleeping task runnable; it preempts if it should run before the present one. */
    void activate(Task task, boolean remote) {
        if (!cpu.online()) {
            park(task);
            return;
        }
        // The running task's share must be known up to now, whether or not an interrupt or an observer has just looked.
        cpu.account();
        task.state = Task.State.RUNNABLE;
        if (task.schedClass == SchedClass.FAIR) {
            if (fair.size() == 0 && !runsFair()) {
                fairServedNs = queue.nowNs();
            }
            fair.place(task, runsFair() ? current : null);
            fair.add(task);
        } else {
            realTime.add(task);
        }
        if (shouldPreempt(task)) {
            needResched = true;
            if (remote) {
                cpu.sendReschedule();
            }
        }
    }

    private void park(Task task) {
        task.state = Task.State.PARKED;
        parked.add(task);
    }

    private boolean runsFair() {
        Task running = current;
        return running != null && running.schedClass == SchedClass.FAIR && !blocking;
    }

    private boolean shouldPreempt(Task woken) {
        Task running = current;
        if (running == null) {
            return true;
        }
        if (woken.schedClass == SchedClass.FAIR && running.schedClass == SchedClass.FAIR) {
            running.protectedUntilNs = woken.sliceNs < running.sliceNs ? Long.MIN_VALUE : running.protectedUntilNs;
            return fair.pick(running, true) == woken;
        }
        return woken.outranks(running) && !(fairServerLeftNs > 0 && woken.schedClass == SchedClass.FIFO);
    }

    /** Takes a task that waits for the CPU out of the queue. */
    void dequeue(Task task) {
        cpu.account();
        if (task.schedClass == SchedClass.FAIR) {
            fair.leave(task, runsFair() ? current : null);
            fair.remove(task);
        } else {
            realTime.remove(task);
        }
        task.state = Task.State.SLEEPING;
    }

    void requestSwitch() {
        needResched = true;
    }

    void giveWay(Task task) {
        if (task == current) {
            yielding = true;
            needResched = true;
        }
    }

    /** The tick: the only place where a slice ends. */
    void tick() {
        Task running = current;
        if (running == null) {
            return;
        }
        switch (running.schedClass) {
            case STOP -> {}
            case FIFO -> {
                if (running.roundRobin) {
                    tickRoundRobin(running);
                }
                if (fair.size() > 0 && queue.nowNs() - fairServedNs >= FAIR_SERVER_PERIOD_NS - FAIR_SERVER_RUNTIME_NS) {
                    fairServerLeftNs = FAIR_SERVER_RUNTIME_NS;
                    needResched = true;
                }
            }
            case FAIR -> {
                if (sliceEnds(running) && fair.size() > 0) {
                    needResched = true;
                }
            }
        }
    }

    private void tickRoundRobin(Task running) {
        running.roundRobinLeftNs -= Tick.PERIOD_NS;
        if (running.roundRobinLeftNs <= 0) {
            running.roundRobinLeftNs = Task.ROUND_ROBIN_SLICE_NS;
            giveWay(running);
        }
    }

    private static boolean sliceEnds(Task running) {
        if (running.vruntimeNs < running.deadlineNs) {
            return false;
        }
        running.beginSlice();
        return true;
    }

    /** Adds time to what the running task has had. */
    void ran(long elapsedNs) {
        Task running = current;
        if (running == null || running.schedClass != SchedClass.FAIR) {
            return;
        }
        running.ran(elapsedNs);
        fairServedNs = queue.nowNs();
        if (fairServerLeftNs > 0) {
            fairServerLeftNs -= elapsedNs;
            if (fairServerLeftNs <= 0) {
                needResched = true;
            }
        }
    }

    // ---- steps

    /** So much of what the acting step takes is outside the kernel, at its beginning. */
    void spendInUser(long ns) {
        stepUserNs += ns;
    }

    /** How much of a time that passed in the running task's step was outside the kernel. */
    long takeUser(long elapsedNs) {
        long user = Math.min(elapsedNs, stepUserNs);
        stepUserNs -= user;
        return user;
    }

    /** An interrupt preempts the running step. */
    void suspend(long stepRemainingNs) {
        remainingNs = stepRemainingNs;
    }

    /** Whether something that the step itself did ends it before its time begins to pass. */
    boolean preemptsBeforeStep() {
        return needResched && current != null && !switching && !blocking && !cpu.servesSoftirqsInTask();
    }

    /**
     * Begins the next step of the task that is to run.
     *
     * @return how long it takes; 0 if there is more to decide, or nothing to run ({@link #current} is null then)
     */
    long step() {
        if (blocking && remainingNs == 0) {
            block();
        }
        if (current == null || (needResched && !cpu.servesSoftirqsInTask())) {
            schedule();
        }
        Task task = current;
        if (task == null) {
            return 0;
        }
        if (remainingNs > 0) {
            long remaining = remainingNs;
            remainingNs = 0;
            return remaining;
        }
        if (switching) {
            switching = false;
            if (task.remainingNs > 0) {
                long remaining = task.remainingNs;
                stepUserNs = task.remainingUserNs;
                task.remainingNs = 0;
                return remaining;
            }
        }
        return begin(task);
    }

    private long begin(Task task) {
        stepUserNs = 0;
        task.wokenWhileRunning = false;
        long durationNs = cpu.act(task.body);
        if (durationNs == Routine.DONE) {
            blocking = true;
            durationNs = 0;
        }
        return durationNs + cpu.takeSpent();
    }

    /** Puts the running task to sleep, unless it was woken on the way. */
    private void block() {
        blocking = false;
        Task task = current;
        if (task == null) {
            return;
        }
        if (task.wokenWhileRunning) {
            task.wokenWhileRunning = false;
            return;
        }
        if (task.schedClass == SchedClass.FAIR) {
            fair.leave(task, task);
        }
        task.state = Task.State.SLEEPING;
        current = null;
        yielding = false;
        Cpu target = task.destination;
        if (target != null) {
            task.destination = null;
            task.settleOn(target);
        }
    }

    private void schedule() {
        needResched = false;
        Task previous = current;
        if (previous != null && blocking) {
            // It was on its way to sleep and has only to leave; the rest of that is not worth another switch.
            block();
            previous = current;
            remainingNs = 0;
        }
        if (previous != null && leaves(previous)) {
            previous = null;
        }
        Task next = pick(previous);
        if (next == previous) {
            yielding = false;
            return;
        }
        if (previous != null) {
            putBack(previous);
        }
        yielding = false;
        if (next == null) {
            return;
        }
        if (next.schedClass == SchedClass.FAIR) {
            fair.remove(next);
            next.protectedUntilNs = next.deadlineNs;
        } else {
            realTime.remove(next);
        }
        next.state = Task.State.RUNNING;
        current = next;
        contextSwitches++;
        switching = true;
        remainingNs = costs.contextSwitchNs();
        stepUserNs = 0;
        cpu.tick.start();
    }

    /** Moves the running task to the CPU where it belongs now. */
    private boolean leaves(Task running) {
        Cpu target = running.destination;
        if (target == null) {
            return false;
        }
        running.destination = null;
        if (!target.online()) {
            target = cpu.substituteFor(running.affinity());
        }
        if (target == cpu) {
            return false;
        }
        saveStep(running);
        current = null;
        if (running.schedClass == SchedClass.FAIR) {
            fair.leave(running, running);
        }
        running.state = Task.State.SLEEPING;
        running.settleOn(target);
        target.scheduler.activate(running, true);
        return true;
    }

    /** The task to run, of those that wait and the one that runs; the latter stays where there is no reason to switch. */
    private @Nullable Task pick(@Nullable Task running) {
        Task first = realTime.first();
        if (running != null && running.schedClass != SchedClass.FAIR) {
            boolean equal =
                    first != null && first.schedClass == running.schedClass && first.priority == running.priority;
            if (first == null || (!first.outranks(running) && !(yielding && equal))) {
                first = running;
            }
        }
        Task runningFair = running != null && running.schedClass == SchedClass.FAIR ? running : null;
        boolean fairFirst = first == null || (fairServerLeftNs > 0 && first.schedClass == SchedClass.FIFO);
        if (!fairFirst) {
            return first;
        }
        if (runningFair != null) {
            sliceEnds(runningFair);
            if (yielding) {
                // It forgoes the rest of its slice.
                runningFair.vruntimeNs = Math.max(runningFair.vruntimeNs, runningFair.deadlineNs);
                runningFair.beginSlice();
            }
        }
        Task chosen = fair.pick(runningFair, true);
        if (chosen == null) {
            fairServerLeftNs = 0;
            return first;
        }
        return chosen;
    }

    /** Makes the running task wait for its turn again, with what is left of its step. */
    private void putBack(Task task) {
        saveStep(task);
        current = null;
        task.state = Task.State.RUNNABLE;
        if (task.schedClass == SchedClass.FAIR) {
            fair.add(task);
        } else if (yielding) {
            realTime.add(task);
        } else {
            realTime.addFirst(task);
        }
    }

    private void saveStep(Task task) {
        if (!switching) {
            task.remainingNs = remainingNs;
            task.remainingUserNs = stepUserNs;
        }
        switching = false;
        remainingNs = 0;
        stepUserNs = 0;
    }

    // ---- the CPU goes and comes

    /** Moves every task that waits here to a CPU that goes on; the CPU's own threads are parked. */
    void evacuate() {
        for (Task task = realTime.first(); task != null; task = realTime.first()) {
            evacuate(task);
        }
        while (fair.size() > 0) {
            evacuate(fair.first());
        }
        fairServerLeftNs = 0;
    }

    private void evacuate(Task task) {
        dequeue(task);
        if (task.perCpu) {
            park(task);
        } else {
            task.settleOn(cpu.substituteFor(task.affinity()));
            task.cpu.scheduler.activate(task, true);
        }
    }

    /** Lets the CPU's own threads go on that were woken while it was offline. */
    void unpark() {
        List<Task> woken = List.copyOf(parked);
        parked.clear();
        // No interrupt is needed: the CPU looks at its scheduler next.
        woken.forEach(task -> activate(task, false));
    }
}
