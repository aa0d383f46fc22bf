package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/**
 * The flow of a level-triggered interrupt ({@code handle_level_irq}): mask, run the handlers, unmask. A line that is still
 * asserted then interrupts again, so nothing needs to be remembered but that a disabled line had an event.
 */
final class LevelFlow implements Routine {
    private final IrqDescriptor descriptor;
    private boolean handling;

    LevelFlow(IrqDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    @Override
    public long step(Cpu cpu) {
        if (!handling) {
            descriptor.arrived(cpu);
            boolean may = descriptor.mayHandle(cpu);
            descriptor.maskLine(cpu);
            descriptor.ack(cpu);
            if (!may) {
                if (!descriptor.runsHandlers()) {
                    descriptor.remember();
                }
                return DONE;
            }
            descriptor.count(cpu);
            descriptor.beginHandling();
            handling = true;
        }
        long durationNs = descriptor.handlerStep(cpu);
        if (durationNs != DONE) {
            return durationNs;
        }
        handling = false;
        descriptor.endHandling(cpu);
        descriptor.unmaskIfReleased(cpu);
        return DONE;
    }
}
