package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventQueue;

/** Where the time of one CPU went. Every nanosecond of the run lands in one context. */
final class TimeAccount {
    private final EventQueue queue;
    private final long[] timeNs = new long[Context.values().length];
    private long accountedNs;
    private long userNs;
    private long idleExitNs;

    TimeAccount(EventQueue queue) {
        this.queue = queue;
    }

    /** The next so many nanoseconds are idle, whatever the context: the CPU wakes up. */
    void beginIdleExit(long ns) {
        idleExitNs = ns;
    }

    /**
     * Adds the time since the last call to a context.
     *
     * @return how much of it was spent there, the exit from idle excluded
     */
    long advance(Context context) {
        long elapsed = queue.nowNs() - accountedNs;
        accountedNs += elapsed;
        if (idleExitNs > 0) {
            long idle = Math.min(elapsed, idleExitNs);
            idleExitNs -= idle;
            timeNs[Context.IDLE.ordinal()] += idle;
            elapsed -= idle;
        }
        timeNs[context.ordinal()] += elapsed;
        return elapsed;
    }

    /** So much of the time last added to {@link Context#TASK} was outside the kernel. */
    void user(long ns) {
        userNs += ns;
    }

    /** So much of the time last added to {@link Context#TASK} was ksoftirqd's. */
    void softirqInTask(long ns) {
        timeNs[Context.TASK.ordinal()] -= ns;
        timeNs[Context.SOFTIRQ.ordinal()] += ns;
    }

    long timeNs(Context context) {
        return timeNs[context.ordinal()];
    }

    CpuTimes times() {
        return new CpuTimes(
                timeNs(Context.HARDIRQ),
                timeNs(Context.SOFTIRQ),
                timeNs(Context.TASK) - userNs,
                userNs,
                timeNs(Context.IDLE));
    }
}
