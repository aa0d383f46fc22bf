package io.irqlab.core.spi;

/** A policy of the flow layer: it sees every handled interrupt of every CPU and may open a window for its line. */
public interface FlowPolicy extends Policy {

    /**
     * Called in hardirq context when the handlers of an edge or fasteoi interrupt have run, before the flow handler looks
     * at events that arrived meanwhile.
     *
     * @param line the interrupt
     * @param cpu the CPU on which it was handled
     * @return true if the policy has called {@link IrqLine#moderate}, so that the flow handler leaves a pending event
     *     alone until the window is closed
     */
    boolean onHandled(IrqLine line, PolicyCpu cpu);
}
