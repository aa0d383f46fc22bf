package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import org.jspecify.annotations.Nullable;

/**
 * A thread. It starts asleep on its CPU; its body's next step runs when it has been woken and scheduled. It stays on that
 * CPU until it is moved or the CPU goes offline. Belongs to its run's thread.
 */
public final class Task {
    /** Load weight of a fair task at nice 0 ({@code NICE_0_LOAD}). */
    public static final int NICE_0_WEIGHT = 1024;
    /** What a fair task may run before another gets its turn ({@code base_slice_ns} of a machine of 8 CPUs or more). */
    public static final long BASE_SLICE_NS = 3_000_000;
    /** What a round-robin task runs before its equals get their turn ({@code RR_TIMESLICE}). */
    public static final long ROUND_ROBIN_SLICE_NS = 100_000_000;

    enum State {
        SLEEPING,
        /** Woken while its CPU is offline. */
        PARKED,
        RUNNABLE,
        RUNNING
    }

    final SchedClass schedClass;
    final int priority;
    final int weight;
    final boolean roundRobin;
    /** A kernel thread of one CPU: it waits, parked, while that is offline. */
    final boolean perCpu;

    final Routine body;
    private final String name;
    private final HrTimer sleepTimer = HrTimer.unpinned(this::wake);
    private CpuMask affinity;

    Cpu cpu;
    /** Where the task goes as soon as it does not run. */
    @Nullable
    Cpu destination;

    State state = State.SLEEPING;
    /** A wake-up that came while the task was on its way to sleep, so that it must not sleep. */
    boolean wokenWhileRunning;
    /** What is left of a step that another task preempted. */
    long remainingNs;

    long remainingUserNs;

    long sliceNs = BASE_SLICE_NS;
    long vruntimeNs;
    long deadlineNs;
    long protectedUntilNs;
    long lagNs;
    long leftAtNs;
    private long weightedRemainder;
    long roundRobinLeftNs = ROUND_ROBIN_SLICE_NS;

    private Task(
            Cpu cpu,
            String name,
            SchedClass schedClass,
            int priority,
            int weight,
            boolean roundRobin,
            boolean perCpu,
            Routine body) {
        this.cpu = cpu;
        this.affinity = CpuMask.of(cpu.number());
        this.name = name;
        this.schedClass = schedClass;
        this.priority = priority;
        this.weight = weight;
        this.roundRobin = roundRobin;
        this.perCpu = perCpu;
        this.body = body;
    }

    /**
     * Creates a task of the stop class, which belongs to its CPU.
     *
     * @param cpu where it runs
     * @param name its name
     * @param body its code
     * @return the task, asleep
     */
    public static Task stop(Cpu cpu, String name, Routine body) {
        return new Task(cpu, name, SchedClass.STOP, 0, NICE_0_WEIGHT, false, true, body);
    }

    /**
     * Creates a real-time task that runs until it sleeps, yields, or one of a higher priority wants the CPU.
     *
     * @param cpu where it runs
     * @param name its name
     * @param priority 1 to 99, greater first
     * @param body its code
     * @return the task, asleep
     */
    public static Task fifo(Cpu cpu, String name, int priority, Routine body) {
        return realTime(cpu, name, priority, false, body);
    }

    /**
     * Creates a real-time task that takes turns with its equals, {@value #ROUND_ROBIN_SLICE_NS} ns each.
     *
     * @param cpu where it runs
     * @param name its name
     * @param priority 1 to 99, greater first
     * @param body its code
     * @return the task, asleep
     */
    public static Task roundRobin(Cpu cpu, String name, int priority, Routine body) {
        return realTime(cpu, name, priority, true, body);
    }

    private static Task realTime(Cpu cpu, String name, int priority, boolean roundRobin, Routine body) {
        checkArgument(priority >= 1 && priority <= 99, "fifo priority must be 1 to 99, was %s", priority);
        return new Task(cpu, name, SchedClass.FIFO, priority, NICE_0_WEIGHT, roundRobin, false, body);
    }

    /**
     * Creates an ordinary task of nice 0.
     *
     * @param cpu where it runs
     * @param name its name
     * @param body its code
     * @return the task, asleep
     */
    public static Task fair(Cpu cpu, String name, Routine body) {
        return fair(cpu, name, 0, body);
    }

    /**
     * Creates an ordinary task.
     *
     * @param cpu where it runs
     * @param name its name
     * @param nice -20 to 19; each step down is a quarter more weight than the one above (sched(7))
     * @param body its code
     * @return the task, asleep
     */
    public static Task fair(Cpu cpu, String name, int nice, Routine body) {
        checkArgument(nice >= -20 && nice <= 19, "nice must be -20 to 19, was %s", nice);
        return new Task(cpu, name, SchedClass.FAIR, 0, weightOf(nice), false, false, body);
    }

    /** Creates a fair kernel thread of nice 0 that belongs to its CPU. */
    static Task perCpu(Cpu cpu, String name, Routine body) {
        return new Task(cpu, name, SchedClass.FAIR, 0, NICE_0_WEIGHT, false, true, body);
    }

    private static int weightOf(int nice) {
        return (int) Math.round(NICE_0_WEIGHT / StrictMath.pow(1.25, nice));
    }

    /**
     * Sets what a fair task asks for at a time ({@code sched_runtime} of {@code sched_setattr}): a task with a shorter slice
     * gets its turn sooner and more often, with the same share.
     *
     * @param ns 100 us to 100 ms
     */
    public void setSliceNs(long ns) {
        checkArgument(ns >= 100_000 && ns <= 100_000_000, "a slice must be 100000 to 100000000 ns, was %s", ns);
        sliceNs = ns;
    }

    // ---- what its own code and others may do

    /**
     * Makes the task runnable if it is asleep, as {@code try_to_wake_up} does. The waker pays; if it runs on another CPU
     * and the task should run at once, the task's CPU gets an inter-processor interrupt. A task that is running or on its
     * way to sleep does not sleep then. A sleep for a time ({@link #sleepRange}) goes on.
     *
     * @param waker the CPU that executes the call
     */
    public void wake(Cpu waker) {
        if (sleeping()) {
            return;
        }
        if (state != State.SLEEPING) {
            wokenWhileRunning = true;
            return;
        }
        waker.spend(waker.costs().wakeupNs());
        home().scheduler.activate(this, waker != cpu);
    }

    /**
     * Starts a new task, as if a CPU outside the machine had created it: nobody pays, and its CPU gets an inter-processor
     * interrupt.
     */
    public void start() {
        checkState(state == State.SLEEPING, "%s was started twice", this);
        home().scheduler.activate(this, true);
    }

    /** The CPU on which the task wakes up: its own, or another one if that is offline. */
    private Cpu home() {
        if (!cpu.online() && !perCpu) {
            settleOn(cpu.substituteFor(affinity));
        }
        return cpu;
    }

    /**
     * Gives up the CPU: equal tasks get their turn before this one goes on ({@code sched_yield}). Called in a step of the
     * task, whose time passes after that turn.
     */
    public void yieldCpu() {
        cpu.scheduler.giveWay(this);
    }

    /**
     * Makes the running task sleep for a time, as {@code usleep_range} does: the timer's window is the range, so that it
     * fires at the upper end unless another timer interrupt of the CPU comes within the range. Wake-ups do not cut it
     * short. The task's step must return {@link Routine#DONE} after this call.
     *
     * @param minNs the least time
     * @param maxNs the greatest time before the timer interrupt, at least {@code minNs}
     */
    public void sleepRange(long minNs, long maxNs) {
        checkArgument(minNs >= 0 && minNs <= maxNs, "sleep must be a range, was %s to %s ns", minNs, maxNs);
        sleepTimer.arm(cpu, minNs, maxNs - minNs);
    }

    /**
     * Returns whether the task sleeps for a time ({@link #sleepRange}); wake-ups do not end such a sleep.
     *
     * @return true until the timer has expired
     */
    public boolean sleeping() {
        return sleepTimer.queued();
    }

    /**
     * Sets the CPUs on which the task may run ({@code set_cpus_allowed_ptr}). If its own is not among them it moves to the
     * first of them that is online: at once if it does not run, else when its CPU next decides who runs, at the end of its
     * step or of an interrupt.
     *
     * @param cpus the CPUs, of which one must be online
     */
    public void setAffinity(CpuMask cpus) {
        checkState(!perCpu, "%s belongs to its CPU", this);
        if (cpus.contains(cpu.number()) && cpu.online()) {
            affinity = cpus;
            destination = null;
            return;
        }
        Cpu target = cpu.substituteFor(cpus);
        checkArgument(cpus.contains(target.number()), "%s cannot move: none of its new CPUs is online", this);
        affinity = cpus;
        moveTo(target);
    }

    /**
     * Returns the CPUs on which the task may run.
     *
     * @return the set; its present CPU alone unless it was set
     */
    public CpuMask affinity() {
        return affinity;
    }

    private void moveTo(Cpu target) {
        switch (state) {
            case SLEEPING, PARKED -> settleOn(target);
            case RUNNABLE -> {
                cpu.scheduler.dequeue(this);
                settleOn(target);
                target.scheduler.activate(this, true);
            }
            case RUNNING -> {
                destination = target;
                cpu.scheduler.requestSwitch();
            }
        }
    }

    /** Makes another CPU the task's own, while it neither runs nor waits for one. */
    void settleOn(Cpu target) {
        cpu = target;
        // Virtual time is each CPU's own: a debt counts from now on.
        leftAtNs = Long.MAX_VALUE / 2;
    }

    // ---- what the scheduler needs

    /** Whether the task runs before another that came earlier, whatever their shares of the CPU. */
    boolean outranks(Task other) {
        return schedClass == other.schedClass ? priority > other.priority : schedClass.compareTo(other.schedClass) < 0;
    }

    /** What so much run time is in virtual time. */
    long virtual(long ns) {
        return weight == NICE_0_WEIGHT ? ns : ns * NICE_0_WEIGHT / weight;
    }

    void ran(long ns) {
        if (weight == NICE_0_WEIGHT) {
            vruntimeNs += ns;
            return;
        }
        long weighted = ns * NICE_0_WEIGHT + weightedRemainder;
        vruntimeNs += weighted / weight;
        weightedRemainder = weighted % weight;
    }

    void beginSlice() {
        deadlineNs = vruntimeNs + virtual(sliceNs);
    }

    /**
     * Returns the task's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns the CPU on which the task runs, or will when it is woken.
     *
     * @return the CPU
     */
    public Cpu cpu() {
        return cpu;
    }

    @Override
    public String toString() {
        return name + "/" + cpu.number();
    }
}
