package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A thread, bound to one CPU. It starts asleep; its body's next step runs when it has been woken and scheduled. Belongs
 * to its run's thread.
 */
public final class Task {
    /** Load weight of a fair task at nice 0 ({@code NICE_0_LOAD}). */
    public static final int NICE_0_WEIGHT = 1024;

    enum State {
        SLEEPING,
        RUNNABLE,
        RUNNING
    }

    final Cpu cpu;
    final SchedClass schedClass;
    final int priority;
    final int weight;
    final Routine body;
    private final String name;
    private final HrTimer sleepTimer;

    State state = State.SLEEPING;
    /** A wake-up that came while the task was on its way to sleep, so that it must not sleep. */
    boolean wokenWhileRunning;
    /** What is left of a step that another task preempted. */
    long remainingNs;

    long remainingUserNs;
    long vruntimeNs;

    private Task(Cpu cpu, String name, SchedClass schedClass, int priority, int weight, Routine body) {
        this.cpu = cpu;
        this.name = name;
        this.schedClass = schedClass;
        this.priority = priority;
        this.weight = weight;
        this.body = body;
        this.sleepTimer = new HrTimer(cpu, timerCpu -> cpu.wake(this, timerCpu));
    }

    /**
     * Creates a task of the stop class.
     *
     * @param cpu where it runs
     * @param name its name
     * @param body its code
     * @return the task, asleep
     */
    public static Task stop(Cpu cpu, String name, Routine body) {
        return new Task(cpu, name, SchedClass.STOP, 0, NICE_0_WEIGHT, body);
    }

    /**
     * Creates a real-time task.
     *
     * @param cpu where it runs
     * @param name its name
     * @param priority 1 to 99, greater first
     * @param body its code
     * @return the task, asleep
     */
    public static Task fifo(Cpu cpu, String name, int priority, Routine body) {
        checkArgument(priority >= 1 && priority <= 99, "fifo priority must be 1 to 99, was %s", priority);
        return new Task(cpu, name, SchedClass.FIFO, priority, NICE_0_WEIGHT, body);
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
        return new Task(cpu, name, SchedClass.FAIR, 0, NICE_0_WEIGHT, body);
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
     * Returns the task's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns the CPU that the task is bound to.
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
