package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.spi.PolicyCpu;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One CPU: it takes interrupts, runs softirqs and schedules tasks, and accounts for all its time.
 *
 * <p>At any time it is in one context and, unless idle, in the middle of one step of one {@link Routine}. The step's end
 * is the CPU's one pending event. A pending vector preempts softirqs and tasks at once; what is left of their step runs
 * later. Belongs to its run's thread.
 */
public final class Cpu implements EventHandler, PolicyCpu {
    /** What a fair task runs before an equal one gets its turn ({@code base_slice_ns} of a machine of 8 CPUs or more). */
    static final long FAIR_SLICE_NS = 3_000_000;

    static final int FIRST_DEVICE_VECTOR = 0x21;
    static final int LAST_DEVICE_VECTOR = 0xDF;
    static final int TIMER_VECTOR = 0xEC;
    static final int RESCHEDULE_VECTOR = 0xFD;

    /** Steps that code may take while no time passes; more is an endless loop, since real code takes time. */
    private static final int MAX_TIMELESS_STEPS = 1_000_000;

    private static final int STEP_END = 0;
    private static final int IPI_ARRIVES = 1;

    private static final int HARDIRQ = 0;
    private static final int SOFTIRQ = 1;
    private static final int TASK = 2;
    private static final int IDLE = 3;

    final TimerBase timers;
    private final int number;
    private final EventQueue queue;
    private final CpuCosts costs;
    private final int stepEnd;
    private final int ipi;
    private final SoftirqLoop softirqs;
    private final RunQueue runQueue = new RunQueue();
    private final @Nullable Vector[] vectors = new Vector[256];
    private final List<Vector> deviceVectors = new ArrayList<>();
    private final Vector rescheduleVector;
    private final long[] pendingVectors = new long[4];
    private final long[] timeNs = new long[4];

    private int context = IDLE;
    private long accountedNs;
    private long userNs;
    private long stepUserNs;
    private long stepEndNs;
    private long spentNs;
    private boolean acting;
    private boolean online = true;

    private @Nullable Vector inService;
    private boolean handlerDone;

    private long softirqRemainingNs;
    private long idleExitRemainingNs;

    private @Nullable Task current;
    private boolean switching;
    private boolean blocking;
    private boolean needResched;
    private long taskRemainingNs;
    private long sliceStartNs;
    private long idleExits;
    private long contextSwitches;

    /**
     * Creates a CPU, idle, with its timer.
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
        this.timers = new TimerBase(this, queue, costs);
        this.rescheduleVector = systemVector(RESCHEDULE_VECTOR, "reschedule", Vector.Source.IPI, cpu -> Routine.DONE);
        this.softirqs = new SoftirqLoop(this, queue, costs);
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
        stepUserNs += ns;
    }

    /**
     * Makes a task of this CPU runnable, as {@code try_to_wake_up} does, if it is asleep. The waker pays; if it runs on
     * another CPU and the task should run at once, this CPU gets an inter-processor interrupt.
     *
     * @param task a task of this CPU
     * @param waker the CPU that executes the call
     */
    public void wake(Task task, Cpu waker) {
        checkArgument(task.cpu == this, "%s was woken on cpu %s", task, number);
        if (task.sleeping()) {
            return;
        }
        if (task.state != Task.State.SLEEPING) {
            task.wokenWhileRunning = true;
            return;
        }
        waker.spend(costs.wakeupNs());
        makeRunnable(task, waker != this);
    }

    /**
     * Starts a new task of this CPU, as if a CPU outside the machine had created it: nobody pays, and this CPU gets an
     * inter-processor interrupt.
     *
     * @param task a task of this CPU that has never run
     */
    public void start(Task task) {
        checkArgument(task.cpu == this, "%s was started on cpu %s", task, number);
        makeRunnable(task, true);
    }

    private void makeRunnable(Task task, boolean remote) {
        task.state = Task.State.RUNNABLE;
        if (task.schedClass == SchedClass.FAIR) {
            runQueue.placeWoken(task);
        }
        runQueue.add(task);
        if (shouldPreempt(task)) {
            needResched = true;
            if (remote && !queue.pending(ipi)) {
                queue.schedule(ipi, queue.nowNs() + costs.ipiNs());
            }
        }
    }

    private boolean shouldPreempt(Task woken) {
        Task running = current;
        if (running == null || woken.schedClass.compareTo(running.schedClass) < 0) {
            return true;
        }
        if (woken.schedClass != running.schedClass) {
            return false;
        }
        return switch (woken.schedClass) {
            case STOP -> false;
            case FIFO -> woken.priority > running.priority;
            case FAIR -> running.vruntimeNs - woken.vruntimeNs > FAIR_SLICE_NS / 2;
        };
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
        softirqs.raise(softirq, context == TASK);
    }

    // ---- vectors

    /**
     * Allocates a vector for a device interrupt, the next number from {@code 0x21} up.
     *
     * @param name what the interrupt is called
     * @param handler its code in hardirq context
     * @return the vector
     * @throws IllegalStateException if all 191 are in use
     */
    public Vector allocateVector(String name, Routine handler) {
        int free = FIRST_DEVICE_VECTOR;
        while (free <= LAST_DEVICE_VECTOR && vectors[free] != null) {
            free++;
        }
        checkState(free <= LAST_DEVICE_VECTOR, "cpu %s has no free vector for %s", number, name);
        Vector vector = new Vector(this, free, name, Vector.Source.DEVICE, handler);
        vectors[free] = vector;
        deviceVectors.add(vector);
        return vector;
    }

    /**
     * Gives a vector of a device interrupt back; its number may be allocated again.
     *
     * @param vector one of this CPU's, not pending
     */
    public void releaseVector(Vector vector) {
        checkState(vectors[vector.number] == vector, "%s does not own vector %s", this, vector.number);
        checkState(!pending(vector), "%s cannot release vector %s, which is pending", this, vector.number);
        vectors[vector.number] = null;
        deviceVectors.remove(vector);
    }

    /**
     * Returns whether a vector waits in the CPU's request register.
     *
     * @param vector one of this CPU's
     * @return true from {@link #raise} until the CPU takes it
     */
    public boolean pending(Vector vector) {
        return (pendingVectors[vector.number >>> 6] & 1L << vector.number) != 0;
    }

    /**
     * Takes a vector out of the CPU's request register, because the CPU will not take it any more: it goes offline.
     *
     * @param vector one of this CPU's
     * @return true if it was pending
     */
    public boolean withdraw(Vector vector) {
        boolean pending = pending(vector);
        pendingVectors[vector.number >>> 6] &= ~(1L << vector.number);
        return pending;
    }

    Vector systemVector(int vectorNumber, String name, Vector.Source source, Routine handler) {
        Vector vector = new Vector(this, vectorNumber, name, source, handler);
        vectors[vectorNumber] = vector;
        return vector;
    }

    /**
     * Sets a vector's bit in the CPU's request register. It is taken at once if the CPU is in a task, a softirq or idle;
     * a vector that is already pending stays one bit.
     *
     * @param vector one of this CPU's
     */
    public void raise(Vector vector) {
        pendingVectors[vector.number >>> 6] |= 1L << vector.number;
        if (inService == null && !acting) {
            suspendStep();
            run();
        }
    }

    private boolean vectorPending() {
        return (pendingVectors[0] | pendingVectors[1] | pendingVectors[2] | pendingVectors[3]) != 0;
    }

    private Vector takeHighestVector() {
        for (int word = 3; ; word--) {
            long bits = pendingVectors[word];
            if (bits != 0) {
                int bit = 63 - Long.numberOfLeadingZeros(bits);
                pendingVectors[word] = bits & ~(1L << bit);
                Vector vector = vectors[word << 6 | bit];
                checkState(vector != null, "cpu %s took a vector that nobody owns", number);
                return vector;
            }
        }
    }

    // ---- steps

    @Override
    public void onEvent(int code) {
        if (code == IPI_ARRIVES) {
            raise(rescheduleVector);
            return;
        }
        account();
        run();
    }

    /** Stops the step of a softirq or task that an interrupt preempts, keeping what is left of it. */
    private void suspendStep() {
        if (context == IDLE) {
            return;
        }
        account();
        long remaining = stepEndNs - queue.nowNs();
        if (context == SOFTIRQ) {
            softirqRemainingNs = remaining;
        } else {
            taskRemainingNs = remaining;
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
            } else if (vectorPending()) {
                durationNs = enterHardirq();
            } else if (softirqRemainingNs > 0 || softirqs.runnableAtIrqExit()) {
                durationNs = softirqStep();
            } else {
                durationNs = taskStep();
                if (current == null && durationNs == 0) {
                    if (vectorPending()) {
                        continue;
                    }
                    account();
                    context = IDLE;
                    return;
                }
            }
            if (durationNs > 0 && !(context != HARDIRQ && interruptedBeforeItBegan(durationNs))) {
                stepEndNs = queue.nowNs() + durationNs;
                queue.reschedule(stepEnd, stepEndNs);
                return;
            }
        }
    }

    /** Names the code that runs now, for messages. */
    private String running() {
        Vector vector = inService;
        Task task = current;
        if (vector != null) {
            return "the handler of " + vector.name();
        }
        return context == SOFTIRQ || task == null ? "softirqs" : "task " + task.name();
    }

    /** A vector that the step's own actions raised preempts it before its time begins to pass. */
    private boolean interruptedBeforeItBegan(long durationNs) {
        boolean preempted = context == TASK && needResched && current != null && !switching && !blocking;
        if (!vectorPending() && !preempted) {
            return false;
        }
        if (context == SOFTIRQ) {
            softirqRemainingNs = durationNs;
        } else {
            taskRemainingNs = durationNs;
        }
        return true;
    }

    private long act(Routine routine) {
        acting = true;
        long durationNs = routine.step(this);
        acting = false;
        return durationNs;
    }

    private long takeSpent() {
        long spent = spentNs;
        spentNs = 0;
        return spent;
    }

    // ---- hardirq

    private long enterHardirq() {
        Vector vector = takeHighestVector();
        long entryNs = costs.hardirqEntryNs();
        if (context == IDLE) {
            // The exit from idle is idle time: account() takes it off the front of the entry.
            account();
            idleExitRemainingNs = costs.idleExitNs();
            entryNs += costs.idleExitNs();
            idleExits++;
        }
        vector.taken();
        inService = vector;
        handlerDone = false;
        context = HARDIRQ;
        return entryNs;
    }

    private long hardirqStep(Vector vector) {
        if (handlerDone) {
            inService = null;
            return 0;
        }
        long durationNs = act(vector.handler);
        if (durationNs == Routine.DONE) {
            handlerDone = true;
            durationNs = costs.hardirqExitNs();
        }
        return durationNs + takeSpent();
    }

    // ---- softirq

    private long softirqStep() {
        context = SOFTIRQ;
        long remaining = softirqRemainingNs;
        if (remaining > 0) {
            softirqRemainingNs = 0;
            return remaining;
        }
        long durationNs = act(softirqs);
        return Math.max(0, durationNs) + takeSpent();
    }

    // ---- tasks

    private long taskStep() {
        if (blocking && taskRemainingNs == 0) {
            block();
        }
        if (needResched || current == null) {
            schedule();
        }
        context = TASK;
        Task task = current;
        if (task == null) {
            return 0;
        }
        if (taskRemainingNs > 0) {
            long remaining = taskRemainingNs;
            taskRemainingNs = 0;
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
        if (task.schedClass == SchedClass.FAIR && sliceIsOver(task)) {
            needResched = true;
            return 0;
        }
        return beginTaskStep(task);
    }

    private boolean sliceIsOver(Task task) {
        if (runQueue.isEmpty() || queue.nowNs() - sliceStartNs < FAIR_SLICE_NS) {
            return false;
        }
        Task next = runQueue.first();
        return next != null && next.vruntimeNs < task.vruntimeNs;
    }

    private long beginTaskStep(Task task) {
        stepUserNs = 0;
        task.wokenWhileRunning = false;
        long durationNs = act(task.body);
        if (durationNs == Routine.DONE) {
            blocking = true;
            durationNs = 0;
        }
        return durationNs + takeSpent();
    }

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
        task.state = Task.State.SLEEPING;
        current = null;
    }

    private void schedule() {
        needResched = false;
        Task previous = current;
        Task next = runQueue.first();
        if (previous != null) {
            if (next == null || !goesBefore(next, previous)) {
                sliceStartNs = queue.nowNs();
                return;
            }
            putBack(previous);
            taskRemainingNs = 0;
            current = null;
        }
        if (next == null) {
            return;
        }
        runQueue.remove(next);
        next.state = Task.State.RUNNING;
        current = next;
        sliceStartNs = queue.nowNs();
        contextSwitches++;
        switching = true;
        taskRemainingNs = costs.contextSwitchNs();
        stepUserNs = 0;
    }

    /** Makes the running task wait for its turn again, with what is left of its step. */
    private void putBack(Task task) {
        if (blocking) {
            // It was on its way to sleep and has only to leave; the rest of that is not worth another switch.
            block();
            if (current == null) {
                return;
            }
        } else if (!switching) {
            task.remainingNs = taskRemainingNs;
            task.remainingUserNs = stepUserNs;
        }
        task.state = Task.State.RUNNABLE;
        if (task.schedClass == SchedClass.FAIR) {
            runQueue.add(task);
        } else {
            runQueue.addFirst(task);
        }
    }

    private static boolean goesBefore(Task next, Task running) {
        if (next.schedClass != running.schedClass) {
            return next.schedClass.compareTo(running.schedClass) < 0;
        }
        return switch (next.schedClass) {
            case STOP -> false;
            case FIFO -> next.priority > running.priority;
            case FAIR -> next.vruntimeNs < running.vruntimeNs;
        };
    }

    // ---- accounting

    /** Adds the time since the last call to the present context. */
    private void account() {
        long elapsed = queue.nowNs() - accountedNs;
        accountedNs += elapsed;
        long idle = Math.min(elapsed, idleExitRemainingNs);
        idleExitRemainingNs -= idle;
        timeNs[IDLE] += idle;
        elapsed -= idle;
        timeNs[context] += elapsed;
        if (context == HARDIRQ && inService != null) {
            inService.spent(elapsed);
        } else if (context == TASK) {
            accountTask(elapsed);
        }
    }

    private void accountTask(long elapsed) {
        long user = Math.min(elapsed, stepUserNs);
        stepUserNs -= user;
        userNs += user;
        Task task = current;
        if (task != null && task.schedClass == SchedClass.FAIR) {
            task.vruntimeNs += elapsed * Task.NICE_0_WEIGHT / task.weight;
            runQueue.advance(task.vruntimeNs);
        }
    }

    @Override
    public boolean needResched() {
        return needResched;
    }

    @Override
    public int runnableTasks() {
        return runQueue.size() + (current == null ? 0 : 1);
    }

    /**
     * Returns the CPU's times up to now.
     *
     * @return a snapshot whose parts add up to the present time
     */
    public CpuTimes times() {
        account();
        return new CpuTimes(timeNs[HARDIRQ], timeNs[SOFTIRQ], timeNs[TASK] - userNs, userNs, timeNs[IDLE]);
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
        return timeNs[HARDIRQ];
    }

    /**
     * Returns the vectors of device interrupts.
     *
     * @return in the order of allocation
     */
    public List<Vector> deviceVectors() {
        return List.copyOf(deviceVectors);
    }

    /**
     * Returns how often the CPU entered a hardirq.
     *
     * @param source which of them
     * @return entries since the run began
     */
    public long hardirqs(Vector.Source source) {
        long sum = 0;
        for (Vector vector : vectors) {
            if (vector != null && vector.source() == source) {
                sum += vector.count();
            }
        }
        return sum;
    }

    /**
     * Returns whether the CPU has nothing to do now.
     *
     * @return true if it is idle
     */
    public boolean idle() {
        return context == IDLE;
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
        return contextSwitches;
    }

    @Override
    public String toString() {
        return "cpu" + number;
    }
}
