package io.irqlab.core.cpu;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The runnable tasks of one CPU that are not running. Small by nature (tens), so a plain array in order of arrival is
 * scanned.
 */
final class RunQueue {
    private Task[] tasks = new Task[8];
    private int size;
    private long minVruntimeNs;

    /** Adds a task behind its equals. */
    void add(Task task) {
        if (size == tasks.length) {
            tasks = Arrays.copyOf(tasks, size * 2);
        }
        tasks[size++] = task;
    }

    /** Adds a task before its equals: one that was preempted, which does not lose its turn. */
    void addFirst(Task task) {
        add(task);
        System.arraycopy(tasks, 0, tasks, 1, size - 1);
        tasks[0] = task;
    }

    /**
     * Returns the task to run next, without taking it: the highest class, then the highest fifo priority, then the
     * least virtual run time, then the one that came first.
     */
    @Nullable
    Task first() {
        Task best = null;
        for (int i = 0; i < size; i++) {
            Task task = tasks[i];
            if (best == null || before(task, best)) {
                best = task;
            }
        }
        return best;
    }

    private static boolean before(Task a, Task b) {
        if (a.schedClass != b.schedClass) {
            return a.schedClass.compareTo(b.schedClass) < 0;
        }
        if (a.schedClass == SchedClass.FIFO) {
            return a.priority > b.priority;
        }
        return a.vruntimeNs < b.vruntimeNs;
    }

    void remove(Task task) {
        int i = 0;
        while (tasks[i] != task) {
            i++;
        }
        size--;
        System.arraycopy(tasks, i + 1, tasks, i, size - i);
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Places a fair task that wakes: it gets credit for at most half a period of sleep. */
    void placeWoken(Task task) {
        task.vruntimeNs = Math.max(task.vruntimeNs, minVruntimeNs - Cpu.FAIR_SLICE_NS / 2);
    }

    /** Moves the floor of virtual time up to the running task's, so that sleepers cannot hoard credit. */
    void advance(long vruntimeNs) {
        minVruntimeNs = Math.max(minVruntimeNs, vruntimeNs);
    }
}
