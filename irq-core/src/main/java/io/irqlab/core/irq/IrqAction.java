package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/** A driver's handler of one interrupt ({@code irqaction}): the primary handler in hardirq context, and its thread. */
public interface IrqAction {

    /**
     * Runs the next step of the primary handler.
     *
     * @param cpu the CPU
     * @return nanoseconds until the next step, or {@link Routine#DONE} when the handler returns
     */
    long handlerStep(Cpu cpu);

    /**
     * Returns what the primary handler returned, after {@link Routine#DONE}.
     *
     * @return the value
     */
    IrqReturn result();

    /**
     * Runs the next step of the thread function.
     *
     * @param cpu the CPU
     * @return nanoseconds until the next step, or {@link Routine#DONE} to sleep until the primary handler wakes the
     *     thread, or a sleep that the step began ends
     */
    long threadStep(Cpu cpu);
}
