package io.irqlab.core.irqpoll;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/** A driver's poll function: it takes completions, at most a budget of them. */
public interface PollFunction {

    /**
     * Runs the next step of one call.
     *
     * <p>A call that takes fewer completions than the budget must call {@link PollInstance#complete} before it returns; one
     * that uses up the budget must not, since the core then moves the instance behind the others.
     *
     * @param cpu the CPU
     * @param budget the most completions that the call may take
     * @return nanoseconds until the next step, or {@link Routine#DONE} when the call returns
     */
    long step(Cpu cpu, int budget);

    /**
     * Returns what the call returned, after {@link Routine#DONE}.
     *
     * @return the completions that it took, 0 to the budget
     */
    int work();
}
