package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;

/** What the interrupt hardware of one line can do; primitives only, no flow. Each call charges the CPU that makes it. */
public interface IrqChip {

    /**
     * Acknowledges the interrupt, so that the CPU may take the vector again.
     *
     * @param cpu the CPU that executes the call
     */
    void ack(Cpu cpu);

    /**
     * Keeps the source from sending.
     *
     * @param cpu the CPU that executes the call
     */
    void mask(Cpu cpu);

    /**
     * Lets the source send; an event that it kept pending is sent now.
     *
     * @param cpu the CPU that executes the call
     */
    void unmask(Cpu cpu);
}
