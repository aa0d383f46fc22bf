package io.irqlab.core.napi;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/** A driver's NAPI poll function: it takes packets, at most a budget of them. */
public interface NapiPoll {

    /**
     * Runs the next step of one call.
     *
     * <p>A call that takes fewer packets than the budget must call {@link NapiInstance#completeDone} before it returns, and
     * unmask the interrupt if that says so; one that uses up the budget must not complete, since it stays scheduled.
     *
     * @param cpu the CPU
     * @param budget the most packets that the call may take
     * @return nanoseconds until the next step, or {@link Routine#DONE} when the call returns
     */
    long step(Cpu cpu, int budget);

    /**
     * Returns what the call returned, after {@link Routine#DONE}.
     *
     * @return the packets that it took, 0 to the budget
     */
    int work();
}
