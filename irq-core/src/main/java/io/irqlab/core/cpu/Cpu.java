package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.spi.DeliveryPolicy;
import io.irqlab.core.spi.PolicyCpu;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One CPU: it takes interrupts, runs softirqs and tasks, and accounts for all its time.
 *
 * <p>At any time it is in one {@link Context} and, unless idle, in the middle of one step of one {@link Routine}. The step's
 * end is the CPU's one pending event. A pending vector preempts softirqs and tasks at once; what is left of their step runs
 * later. Which task runs is the {@link Scheduler}'s business. Belongs to its run's thread.
 */
public final class Cpu implements EventHandler, PolicyCpu {
    /** The kernel's unit of coarse time, the period of the tick ({@code CONFIG_HZ_1000}). */
    public static final long JIFFY_NS = 1_000_000;

    static final int NOTIFICATION_VECTOR = 0xEB;
    static final int TIMER_VECTOR = 0xEC;
    static final int RESCHEDULE_VECTOR = 0xFD;

    /** Steps that code may take while no time passes; more is an endless loop, since real code takes time. */
    private static final int MAX_TIMELESS_STEPS = 1_000_000;

    private static final int STEP_END = 0;
    private static final int IPI_ARRIVES = 1;

    final TimerBase timers;
    final Scheduler scheduler;
    final Tick tick;
    private final int number;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final int stepEnd;
    private final int ipi;
    private final LocalApic apic = new LocalApic(this);
    private final Vector rescheduleVector;
    private final SoftirqLoop softirqs;
    private final TimeAccount account;
    private @Nullable CpuHotplug hotplug;
    private @Nullable DeliveryPolicy delivery;
    private @Nullable Vector notification;

    private Context context = Context.IDLE;
    private long stepEndNs;
    private long spentNs;
    private boolean acting;
    private boolean online = true;
    private @Nullable Vector inService;
    /** Which vector the time of the present hardirq is charged to; another than the one in service in a notification. */
    private @Nullable Vector charged;

    private boolean handlerDone;
    /** A hardirq has just returned, which is when softirqs are looked at. */
    private boolean irqExit;

    private long softirqRemainingNs;
    private long idleExits;

    /**
     * Creates a CPU, online and idle, with its timer.
     *
     * @param number its number, 0 or more
     * @param queue the run's events
     * @param costs what the operating system's actions cost on it
     */
    public Cpu(int number, EventQueue queue, CpuCosts costs) {
        this.number = number;
        this.queue = queue;
        this.costs = costs;
        this.stepEnd = queue.register(this, STEP_END);
        this.ipi = queue.register(this, IPI_ARRIVES);
        this.account = new TimeAccount(queue);
        this.scheduler = new Scheduler(this, queue, costs);
        this.softirqs = new SoftirqLoop(this, queue, costs);
        this.timers = new TimerBase(this, queue, costs);
        this.tick = new Tick(this, queue, costs);
        this.rescheduleVector = systemVector(RESCHEDULE_VECTOR, "reschedule", Vector.Source.IPI, cpu -> Routine.DONE);
    }

    // ---- what code that runs on the CPU may do

    @Override
    public void spend(long ns) {
        spentNs += ns;
    }

    /**
     * Says that the first part of the acting task step runs outside the kernel.
     *
     * @param ns nanoseconds of user time, counted from the step's beginning
     */
    public void spendInUser(long ns) {
        spentNs += ns;
        scheduler.spendInUser(ns);
    }

    /**
     * Sets the routine of a softirq. It runs when the softirq is raised, until it is {@link Routine#DONE}.
     *
     * @param softirq which
     * @param routine its code
     */
    public void openSoftirq(Softirq softirq, Routine routine) {
        softirqs.open(softirq, routine);
    }

    /**
     * Marks a softirq pending; it runs when the hardirq that raised it ends, or in ksoftirqd if a task raised it.
     *
     * @param softirq which
     */
    public void raiseSoftirq(Softirq softirq) {
        softirqs.raise(softirq, context == Context.TASK);
    }

    /** Asks this CPU, from another one, to look at its scheduler. Requests that are on their way merge. */
    void sendReschedule() {
        if (!queue.pending(ipi)) {
            queue.schedule(
                    ipi, queue.nowNs() + costs.ipiNs() + costs.virtualization().ipiNs());
        }
    }

    // ---- vectors

    /**
     * Allocates a vector for a device interrupt, the lowest free number from {@code 0x21} up.
     *
     * @param name what the interrupt is called
     * @param handler its code in hardirq context
     * @return the vector
     * @throws IllegalStateException if all 191 are in use
     */
    public Vector allocateVector(String name, Routine handler) {
        return apic.allocate(name, handler);
    }

    /**
     * Returns whether a vector for a device interrupt is free.
     *
     * @return false if all 191 are in use
     */
    public boolean hasFreeVector() {
        return apic.hasFree();
    }

    /**
     * Gives a vector of a device interrupt back; its number may be allocated again.
     *
     * @param vector one of this CPU's, not pending
     */
    public void releaseVector(Vector vector) {
        apic.release(vector);
    }

    Vector systemVector(int vectorNumber, String name, Vector.Source source, Routine handler) {
        return apic.system(vectorNumber, name, source, handler);
    }

    /**
     * Sets a vector's bit in the CPU's request register. It is taken at once if the CPU is in a task, a softirq or idle;
     * a vector that is already pending stays one bit. A CPU that is offline takes nothing until it is back.
     *
     * @param vector one of this CPU's
     */
    public void raise(Vector vector) {
        apic.request(vector);
        if (inService == null && !acting && online) {
            suspendStep();
            run();
        }
    }

    /**
     * Lets a policy of the platform decide how messages reach this CPU. At set-up time only.
     *
     * @param policy its part for this CPU
     */
    public void deliverThrough(DeliveryPolicy policy) {
        delivery = policy;
        notification = systemVector(
                NOTIFICATION_VECTOR, "notification", Vector.Source.NOTIFICATION, new NotificationHandler(policy, apic));
    }

    /**
     * Returns whether a vector's number has a handler on this CPU.
     *
     * @param vector any number
     * @return true if it does
     */
    public boolean owns(int vector) {
        return apic.vector(vector) != null;
    }

    /**
     * Takes the message of a device for one of this CPU's vectors. Without a policy of the platform that raises the vector.
     *
     * @param vector the vector
     */
    public void deliver(Vector vector) {
        DeliveryPolicy policy = delivery;
        Vector announced = notification;
        if (policy == null || announced == null) {
            raise(vector);
            return;
        }
        switch (policy.onMessage(vector.number)) {
            case RAISE -> raise(vector);
            case NOTIFY -> raise(announced);
            case NOTHING -> {}
        }
    }

    /** Charges what follows of the present hardirq to a vector whose handler runs within it. */
    void chargeHardirqTo(Vector vector) {
        account();
        charged = vector;
    }

    /** Charges what follows of the present hardirq to its own vector again. */
    void chargeHardirqToItself() {
        account();
        charged = inService;
    }

    /**
     * Returns whether a vector waits in the CPU's request register.
     *
     * @param vector one of this CPU's
     * @return true from {@link #raise} until the CPU takes it
     */
    public boolean pending(Vector vector) {
        return apic.requested(vector);
    }

    /**
     * Takes a vector out of the CPU's request register, and out of what was posted for it, because the CPU will not take it any
     * more: it goes offline.
     *
     * @param vector one of this CPU's
     * @return true if it was pending
     */
    public boolean withdraw(Vector vector) {
        DeliveryPolicy policy = delivery;
        boolean posted = policy != null && policy.withdraw(vector.number);
        return apic.withdraw(vector) || posted;
    }

    // ---- steps

    @Override
    public void onEvent(int code) {
        if (code == IPI_ARRIVES) {
            if (online) {
                raise(rescheduleVector);
            }
            return;
        }
        account();
        run();
    }

    /** Stops the step of a softirq or task that an interrupt preempts, keeping what is left of it. */
    private void suspendStep() {
        if (context == Context.IDLE) {
            return;
        }
        account();
        keep(stepEndNs - queue.nowNs());
    }

    private void keep(long remainingNs) {
        if (context == Context.SOFTIRQ) {
            softirqRemainingNs = remainingNs;
        } else {
            scheduler.suspend(remainingNs);
        }
    }

    /** Decides what the CPU does now, and begins it. */
    private void run() {
        for (int steps = 0; ; steps++) {
            if (steps == MAX_TIMELESS_STEPS) {
                throw new IllegalStateException("%s stopped the clock: %s took %d steps at %d ns without any time"
                        .formatted(this, running(), steps, queue.nowNs()));
            }
            long durationNs;
            if (inService != null) {
                durationNs = hardirqStep(inService);
            } else if (online && apic.anyRequested()) {
                durationNs = enterHardirq();
            } else if (online && (softirqRemainingNs > 0 || softirqs.servesAtIrqExit(irqExit))) {
                durationNs = softirqStep();
            } else {
                irqExit = false;
                context = Context.TASK;
                durationNs = scheduler.step();
                if (scheduler.current() == null && durationNs == 0) {
                    if (online && apic.anyRequested()) {
                        continue;
                    }
                    goIdle();
                    return;
                }
            }
            if (durationNs > 0 && !interruptedBeforeItBegan(durationNs)) {
                stepEndNs = queue.nowNs() + durationNs;
                queue.reschedule(stepEnd, stepEndNs);
                return;
            }
        }
    }

    private void goIdle() {
        account();
        context = Context.IDLE;
    }

    /** Names the code that runs now, for messages. */
    private String running() {
        Vector vector = inService;
        Task task = scheduler.current();
        if (vector != null) {
            return "the handler of " + vector.name();
        }
        return context == Context.SOFTIRQ || task == null ? "softirqs" : "task " + task.name();
    }

    /** A vector that the step's own actions raised, or a task they woke, preempts it before its time begins to pass. */
    private boolean interruptedBeforeItBegan(long durationNs) {
        if (context == Context.HARDIRQ
                || !((online && apic.anyRequested()) || (context == Context.TASK && scheduler.preemptsBeforeStep()))) {
            return false;
        }
        keep(durationNs);
        return true;
    }

    /** Lets a step act; what it raises on this CPU waits until it has. */
    long act(Routine routine) {
        acting = true;
        long durationNs = routine.step(this);
        acting = false;
        return durationNs;
    }

    /** What the actions since the last call cost beside the steps' own time. */
    long takeSpent() {
        long spent = spentNs;
        spentNs = 0;
        return spent;
    }

    private long enterHardirq() {
        Vector vector = apic.takeHighest();
        long entryNs = costs.hardirqEntryNs() + costs.virtualization().injectionNs();
        if (context == Context.IDLE) {
            account();
            long exitNs = costs.idleExitNs() + costs.virtualization().idleWakeNs();
            account.beginIdleExit(exitNs);
            entryNs += exitNs;
            idleExits++;
        }
        vector.taken();
        inService = vector;
        charged = vector;
        handlerDone = false;
        context = Context.HARDIRQ;
        return entryNs;
    }

    private long hardirqStep(Vector vector) {
        if (handlerDone) {
            inService = null;
            charged = null;
            irqExit = true;
            return 0;
        }
        long durationNs = act(vector.handler);
        if (durationNs == Routine.DONE) {
            handlerDone = true;
            durationNs = costs.hardirqExitNs() + costs.virtualization().eoiNs();
        }
        return durationNs + takeSpent();
    }

    private long softirqStep() {
        irqExit = false;
        context = Context.SOFTIRQ;
        long remaining = softirqRemainingNs;
        if (remaining > 0) {
            softirqRemainingNs = 0;
            return remaining;
        }
        long durationNs = act(softirqs);
        return Math.max(0, durationNs) + takeSpent();
    }

    /** Adds the time since the last call to the present context. */
    void account() {
        long elapsed = account.advance(context);
        if (elapsed == 0) {
            return;
        }
        Vector vector = charged;
        if (vector != null) {
            vector.spent(elapsed);
        } else if (context == Context.TASK) {
            scheduler.ran(elapsed);
            if (softirqs.isKsoftirqd(scheduler.current())) {
                account.softirqInTask(elapsed);
            } else {
                account.user(scheduler.takeUser(elapsed));
            }
        }
    }

    // ---- the CPU goes and comes

    void joins(CpuHotplug machine) {
        hotplug = machine;
    }

    /** Another CPU for a task of this one: of its set if one is online, else any. */
    Cpu substituteFor(CpuMask affinity) {
        CpuHotplug machine = hotplug;
        return machine == null ? this : machine.substituteFor(affinity);
    }

    /** Stops taking interrupts and running tasks; those that it has move. Called in its stop-class thread. */
    void goOffline(Cpu survivor) {
        online = false;
        tick.stop();
        apic.withdraw(rescheduleVector);
        timers.evacuate(survivor);
        scheduler.evacuate();
    }

    void comeOnline() {
        account();
        online = true;
        scheduler.unpark();
        if (context == Context.IDLE) {
            run();
        } // else the thread that took the CPU down is still on its way to sleep
    }

    /** Takes back its pinned timers from the CPU that kept them. */
    void bringTimersHome(Cpu keeper) {
        keeper.timers.sendHome(this);
    }

    // ---- what is known of it

    /**
     * Calls a listener in every tick of the CPU, in hardirq context.
     *
     * @param listener called after the scheduler's part of the tick
     */
    public void onTick(Runnable listener) {
        tick.add(listener);
    }

    /**
     * Returns whether the CPU has no task to run and no softirq to serve: apart from hardirqs, it is idle.
     *
     * @return true in idle, and in a hardirq that interrupted it with nothing to do since
     */
    public boolean wantsNothing() {
        return scheduler.runnable() == 0 && !softirqs.wantsCpu();
    }

    /**
     * Returns how often the CPU passed a point at which no RCU reader can be running: a context switch, an exit from idle,
     * the end of a service of softirqs in ksoftirqd.
     *
     * @return a count since the run began
     */
    public long quiescentStates() {
        return scheduler.contextSwitches() + idleExits + softirqs.servicesInTask();
    }

    /**
     * Returns whether such a point could be now, were it not for hardirqs: the CPU is idle, or in a task that may be
     * preempted.
     *
     * @return false in the middle of softirqs
     */
    public boolean outsideSoftirqs() {
        return !softirqs.serving();
    }

    boolean servesSoftirqsInTask() {
        return softirqs.servingInTask();
    }

    long nowNs() {
        return queue.nowNs();
    }

    @Override
    public boolean needResched() {
        return scheduler.needResched();
    }

    @Override
    public int runnableTasks() {
        return scheduler.runnable();
    }

    /**
     * Returns what the operating system's actions cost here.
     *
     * @return the costs
     */
    public CpuCosts costs() {
        return costs;
    }

    /**
     * Returns whether the CPU is in use; one that has been unplugged takes no interrupts and runs no tasks.
     *
     * @return true if it is online
     */
    public boolean online() {
        return online;
    }

    /**
     * Returns the CPU's times up to now.
     *
     * @return a snapshot whose parts add up to the present time
     */
    public CpuTimes times() {
        account();
        return account.times();
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public long readClockNs() {
        spend(costs.clockReadNs());
        return queue.nowNs();
    }

    @Override
    public long hardirqTimeNs() {
        account();
        return account.timeNs(Context.HARDIRQ);
    }

    /**
     * Returns the vectors of device interrupts.
     *
     * @return in the order of allocation; a view
     */
    public List<Vector> deviceVectors() {
        return apic.deviceVectors();
    }

    /**
     * Returns how often the CPU entered a hardirq.
     *
     * @param source which of them
     * @return entries since the run began
     */
    public long hardirqs(Vector.Source source) {
        return apic.taken(source);
    }

    /**
     * Returns whether the CPU has nothing to do now.
     *
     * @return true if it is idle
     */
    public boolean idle() {
        return context == Context.IDLE;
    }

    /**
     * Returns how often an interrupt took the CPU out of idle.
     *
     * @return a count since the run began
     */
    public long idleExits() {
        return idleExits;
    }

    @Override
    public long contextSwitches() {
        return scheduler.contextSwitches();
    }

    @Override
    public String toString() {
        return "cpu" + number;
    }
}
