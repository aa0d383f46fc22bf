package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.spi.FlowPolicy;

/**
 * The flow of an edge-triggered interrupt ({@code handle_edge_irq}): acknowledge, run the handler, and run it again as
 * long as events came meanwhile. An event that cannot be handled is remembered and its source masked.
 */
public final class EdgeFlow implements Routine {
    private final IrqDescriptor descriptor;
    private boolean handling;

    EdgeFlow(IrqDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public long step(Cpu cpu) {
        if (!handling) {
            if (!descriptor.canHandle()) {
                descriptor.refuse(cpu);
                return DONE;
            }
            descriptor.acknowledge(cpu);
            descriptor.beginHandling();
            handling = true;
        }
        long durationNs = descriptor.handlerStep(cpu);
        if (durationNs != DONE) {
            return durationNs;
        }
        descriptor.endHandling(cpu);
        FlowPolicy policy = descriptor.policy;
        boolean windowOpened = policy != null && descriptor.moderatable() && policy.onHandled(descriptor, cpu);
        if (!windowOpened && descriptor.mustHandleAgain()) {
            descriptor.unmaskForReplay(cpu);
            descriptor.beginHandling();
            return 0;
        }
        handling = false;
        return DONE;
    }
}
