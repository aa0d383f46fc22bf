package io.irqlab.core.workqueue;

import io.irqlab.core.cpu.Routine;
import org.jspecify.annotations.Nullable;

/** Something to do in process context, once for each time it was queued ({@code work_struct}). */
public final class Work {
    final Routine routine;
    private final String name;

    @Nullable
    Work next;

    boolean pending;
    /** The pool whose worker is in the middle of its code. */
    @Nullable
    WorkerPool runsIn;

    /**
     * Creates a work item, not queued.
     *
     * @param name its function's name
     * @param routine its code; a step must not sleep, and {@link Routine#DONE} ends the work
     */
    public Work(String name, Routine routine) {
        this.name = name;
        this.routine = routine;
    }

    /**
     * Returns whether the work waits for a worker.
     *
     * @return true from {@link WorkerPool#queue} until its code begins
     */
    public boolean pending() {
        return pending;
    }

    /**
     * Returns the name of the work's function.
     *
     * @return the name
     */
    public String name() {
        return name;
    }
}
