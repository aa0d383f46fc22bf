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
     * Runs the next step of the thread function. Only a handler requested as {@link IrqFlag#THREADED} has one.
     *
     * @param cpu the CPU
     * @return nanoseconds until the next step, or {@link Routine#DONE} to sleep until the primary handler wakes the
     *     thread, or a sleep that the step began ends
     */
    default long threadStep(Cpu cpu) {
        return Routine.DONE;
    }

    /**
     * Returns what the thread function returned, after its {@link Routine#DONE}.
     *
     * @return HANDLED, or NONE if there was nothing to do
     */
    default IrqReturn threadResult() {
        return IrqReturn.HANDLED;
    }
}
