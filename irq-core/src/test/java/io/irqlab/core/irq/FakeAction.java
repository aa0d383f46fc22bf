package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/** A driver's handlers, made of routines. */
final class FakeAction implements IrqAction {
    private final Routine handler;
    private final Routine thread;
    IrqReturn result = IrqReturn.HANDLED;
    IrqReturn threadResult = IrqReturn.HANDLED;

    FakeAction(Routine handler) {
        this(handler, cpu -> Routine.DONE);
    }

    FakeAction(Routine handler, Routine thread) {
        this.handler = handler;
        this.thread = thread;
    }

    @Override
    public long handlerStep(Cpu cpu) {
        return handler.step(cpu);
    }

    @Override
    public IrqReturn result() {
        return result;
    }

    @Override
    public long threadStep(Cpu cpu) {
        return thread.step(cpu);
    }

    @Override
    public IrqReturn threadResult() {
        return threadResult;
    }
}
