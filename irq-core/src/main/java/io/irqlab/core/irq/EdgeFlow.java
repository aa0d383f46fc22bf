package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/**
 * The flow of an edge-triggered interrupt ({@code handle_edge_irq}): acknowledge, run the handlers, and run them again as
 * long as events came meanwhile, on this CPU or another. An event that cannot be handled is remembered and its source masked.
 */
final class EdgeFlow implements Routine {
    private final IrqDescriptor descriptor;
    private boolean handling;

    EdgeFlow(IrqDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public long step(Cpu cpu) {
        if (!handling) {
            descriptor.arrived(cpu);
            if (!descriptor.mayHandle(cpu)) {
                descriptor.refuse(cpu);
                descriptor.ack(cpu);
                return DONE;
            }
            descriptor.count(cpu);
            descriptor.beginHandling();
            descriptor.ack(cpu);
            handling = true;
        }
        long durationNs = descriptor.handlerStep(cpu);
        if (durationNs != DONE) {
            return durationNs;
        }
        descriptor.endHandling(cpu);
        if (!descriptor.opensWindow(cpu) && descriptor.mustHandleAgain()) {
            // In this order: unmasking may let an event through to another CPU, which must find the handlers in
            // progress.
            descriptor.beginHandling();
            descriptor.unmaskForReplay(cpu);
            return 0;
        }
        handling = false;
        return DONE;
    }
}
