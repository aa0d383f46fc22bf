package io.irqlab.core.cpu;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fair tasks of one CPU that wait for their turn, chosen by earliest eligible virtual deadline first (I. Stoica and H.
 * Abdel-Wahab, "Earliest Eligible Virtual Deadline First", 1995), which Linux has used since 6.6.
 *
 * <p>A task's virtual run time grows with its run time, the more slowly the heavier it is. Virtual time is the weighted
 * mean over all tasks that want the CPU; a task that has had less than its share lies behind it, has a positive lag, and is
 * eligible. Of the eligible ones runs the one whose slice, counted from where it began, would end first in virtual time.
 *
 * <p>Few tasks share a CPU of this model (tens), so a plain array is scanned. The running task is not in it; methods that
 * need it take it as an argument.
 */
final class FairQueue {
    private Task[] tasks = new Task[8];
    private int size;
    /** The zero of the sums: the last mean, so that products stay small and an empty queue remembers where it was. */
    private long baseNs;

    int size() {
        return size;
    }

    void add(Task task) {
        if (size == tasks.length) {
            tasks = Arrays.copyOf(tasks, size * 2);
        }
        tasks[size++] = task;
    }

    void remove(Task task) {
        int i = 0;
        while (tasks[i] != task) {
            i++;
        }
        size--;
        System.arraycopy(tasks, i + 1, tasks, i, size - i);
    }

    Task first() {
        return tasks[0];
    }

    /** Virtual time: the weighted mean of the tasks' virtual run times. */
    private long meanNs(@Nullable Task running) {
        long weight = weight(running);
        if (weight > 0) {
            baseNs += Math.floorDiv(weightedSum(running), weight);
        }
        return baseNs;
    }

    private long weight(@Nullable Task running) {
        long weight = running == null ? 0 : running.weight;
        for (int i = 0; i < size; i++) {
            weight += tasks[i].weight;
        }
        return weight;
    }

    private long weightedSum(@Nullable Task running) {
        long sum = running == null ? 0 : running.weight * (running.vruntimeNs - baseNs);
        for (int i = 0; i < size; i++) {
            sum += tasks[i].weight * (tasks[i].vruntimeNs - baseNs);
        }
        return sum;
    }

    /**
     * Places a task that begins to want the CPU: where it keeps the lag that it left with, so that sleeping neither wins
     * nor loses a share. A debt has shrunk by as much as virtual time has advanced since.
     */
    void place(Task task, @Nullable Task running) {
        long mean = meanNs(running);
        long others = weight(running);
        long lag = task.lagNs < 0 ? Math.min(0, task.lagNs + Math.max(0, mean - task.leftAtNs)) : task.lagNs;
        // Adding the task moves the mean towards it, so it must lie further off for the lag to come out right.
        task.vruntimeNs = others == 0 ? mean : mean - lag * (others + task.weight) / others;
        task.beginSlice();
    }

    /** Notes what a task is owed, or owes if negative, when it stops wanting the CPU: the running one, or one that waits. */
    void leave(Task task, @Nullable Task running) {
        long limit = 2 * task.virtual(task.sliceNs);
        task.leftAtNs = meanNs(running);
        task.lagNs = Math.max(-limit, Math.min(limit, task.leftAtNs - task.vruntimeNs));
    }

    /**
     * Returns the task to run next.
     *
     * @param running the running task, if it is fair and still wants the CPU
     * @param protect whether the running task may end its slice as long as it is eligible (the kernel's run-to-parity)
     * @return one of the queue, or the running task; null if there is none
     */
    @Nullable
    Task pick(@Nullable Task running, boolean protect) {
        meanNs(running);
        long weight = weight(running);
        long sum = weightedSum(running);
        Task candidate = running != null && eligible(running, sum, weight) ? running : null;
        if (candidate != null && protect && candidate.vruntimeNs < candidate.protectedUntilNs) {
            return candidate;
        }
        Task best = null;
        for (int i = 0; i < size; i++) {
            Task task = tasks[i];
            if (eligible(task, sum, weight) && (best == null || task.deadlineNs < best.deadlineNs)) {
                best = task;
            }
        }
        // Of equal deadlines that of a task that waits comes first, so that equals take turns.
        return best == null || (candidate != null && candidate.deadlineNs < best.deadlineNs) ? candidate : best;
    }

    /** Whether a task lies at the mean or behind it; compared without the mean's rounding, so there always is one. */
    private boolean eligible(Task task, long sum, long weight) {
        return (task.vruntimeNs - baseNs) * weight <= sum;
    }
}
