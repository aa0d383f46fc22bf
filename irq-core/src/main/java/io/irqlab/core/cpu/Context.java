package io.irqlab.core.cpu;

/** What a CPU is doing, the highest first: a context runs only if none above it has anything to do. */
enum Context {
    /** A hardirq: never nested, never preempted. */
    HARDIRQ,
    /** Softirqs at the exit of a hardirq. */
    SOFTIRQ,
    /** A task. */
    TASK,
    /** Nothing. */
    IDLE
}
