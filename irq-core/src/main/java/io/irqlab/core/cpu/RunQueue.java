package io.irqlab.core.cpu;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of the stop class and the real-time tasks of one CPU that wait for their turn, in order of arrival. Few by
 * nature, so a plain array is scanned.
 */
final class RunQueue {
    private Task[] tasks = new Task[8];
    private int size;

    int size() {
        return size;
    }

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

    void remove(Task task) {
        int i = 0;
        while (tasks[i] != task) {
            i++;
        }
        size--;
        System.arraycopy(tasks, i + 1, tasks, i, size - i);
    }

    /** The task to run next: the stop class first, then the highest priority, then the one that came first. */
    @Nullable
    Task first() {
        Task best = null;
        for (int i = 0; i < size; i++) {
            if (best == null || tasks[i].outranks(best)) {
                best = tasks[i];
            }
        }
        return best;
    }
}
