package io.irqlab.core.spi;

import io.irqlab.core.engine.RandomStream;
import java.util.List;

/** What a policy may use in its run. */
public interface PolicyContext {

    /**
     * Returns the policy's checked settings at the beginning of the run.
     *
     * @return the values
     */
    PolicySettings settings();

    /**
     * Returns how many CPUs the machine has.
     *
     * @return CPUs, numbered from 0
     */
    int cpus();

    /**
     * Creates a timer, pinned to a CPU, that expires in hardirq context there. At set-up time only.
     *
     * @param cpu the CPU's number
     * @param slackNs how much later than asked it may expire, to share an interrupt with other timers
     * @param callback what then happens
     * @return the timer, not queued
     */
    PolicyTimer timer(int cpu, long slackNs, PolicyTimer.Callback callback);

    /**
     * Returns a stream of random numbers of the policy's own, derived from the run's seed.
     *
     * @param name what draws from it; each name is a stream of its own, at its start
     * @return the stream
     */
    RandomStream random(String name);

    /**
     * Returns the machine's devices of one type. At the earliest in {@link Policy#start}: before that, the devices are not
     * there, and the list is empty.
     *
     * @param type the type, such as {@code io.irqlab.model.nvme.NvmeDrive}
     * @param <T> the type
     * @return the devices, in the machine's order; empty if it has none
     */
    <T> List<T> devices(Class<T> type);
}
