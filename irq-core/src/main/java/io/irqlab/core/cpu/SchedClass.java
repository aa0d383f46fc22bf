package io.irqlab.core.cpu;

/** The scheduling classes, highest first: a task of a higher class preempts every task of a lower one at once. */
public enum SchedClass {
    /** Above everything else; the watchdog's touch runs here ({@code stop_sched_class}). */
    STOP,
    /**
     * Real-time: by priority, and first in, first out within one ({@code SCHED_FIFO}); irq threads run here at priority 50.
     * A task may take turns with its equals instead ({@code SCHED_RR}).
     */
    FIFO,
    /** Ordinary tasks, which share the CPU by weight ({@code SCHED_OTHER}). */
    FAIR
}
