package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/**
 * The flow of an interrupt whose chip holds further ones back until it is told the end ({@code handle_fasteoi_irq}). An event
 * that finds a handler running on another CPU is remembered, and replayed by that CPU when the handler has returned; one that
 * finds the line disabled is remembered and the line masked.
 */
final class FasteoiFlow implements Routine {
    private final IrqDescriptor descriptor;
    private boolean handling;

    FasteoiFlow(IrqDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public long step(Cpu cpu) {
        if (!handling) {
            descriptor.arrived(cpu);
            if (!descriptor.mayHandle(cpu)) {
                if (descriptor.runsHandlers()) {
                    descriptor.remember();
                } else {
                    descriptor.refuse(cpu);
                }
                descriptor.eoiUnhandled(cpu);
                return DONE;
            }
            descriptor.count(cpu);
            descriptor.maskForThreads(cpu);
            descriptor.beginHandling();
            handling = true;
        }
        long durationNs = descriptor.handlerStep(cpu);
        if (durationNs != DONE) {
            return durationNs;
        }
        handling = false;
        descriptor.endHandling(cpu);
        descriptor.eoi(cpu);
        descriptor.unmaskIfReleased(cpu);
        if (!descriptor.opensWindow(cpu) && descriptor.mustHandleAgain()) {
            descriptor.replay(cpu);
        }
        return DONE;
    }
}
