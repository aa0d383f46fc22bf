package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.engine.EventQueue;
import java.util.ArrayDeque;

/**
 * A source of interrupts and its chip, of any flow: messages with a mask and a pending bit, which travel for a time; the same
 * held back until the end of interrupt; or a level that stays asserted until its device has been served.
 */
final class TestSource implements IrqChip {
    /** What may be broken, to see tests fail. */
    enum Defect {
        NONE,
        LOSES_EVERY_EIGHTH_EVENT,
        FORGETS_ITS_PENDING_BIT,
        IGNORES_MASKING
    }

    private final EventQueue queue;
    private final FlowType flow;
    private final boolean disablesAtOnce;
    private final long wayNs;
    private final Defect defect;
    private final ArrayDeque<Integer> idleMessages = new ArrayDeque<>();
    private IrqDescriptor line;
    private int events;
    private int underWay;
    private boolean active;
    boolean masked = true;
    boolean pending;
    boolean asserted;

    TestSource(EventQueue queue, FlowType flow, boolean disablesAtOnce, long wayNs, Defect defect) {
        this.queue = queue;
        this.flow = flow;
        this.disablesAtOnce = disablesAtOnce;
        this.wayNs = flow == FlowType.LEVEL ? 0 : wayNs;
        this.defect = defect;
    }

    void connect(IrqDescriptor newLine) {
        line = newLine;
    }

    /** Something happened in the device. */
    void event() {
        events++;
        if (defect == Defect.LOSES_EVERY_EIGHTH_EVENT && events % 8 == 0) {
            return;
        }
        if (flow == FlowType.LEVEL) {
            asserted = true;
            raiseLevel();
        } else {
            pending = true;
            sendPending();
        }
    }

    /** The device has been served. */
    void deassert() {
        asserted = false;
    }

    private void raiseLevel() {
        if (asserted && !masked) {
            line.raise();
        }
    }

    private void sendPending() {
        if (!pending || masked || active) {
            return;
        }
        pending = false;
        active = flow == FlowType.FASTEOI;
        if (wayNs == 0) {
            line.raise();
            return;
        }
        underWay++;
        Integer message = idleMessages.poll();
        if (message == null) {
            int[] self = new int[1];
            self[0] = queue.register(
                    code -> {
                        idleMessages.add(self[0]);
                        underWay--;
                        line.raise();
                    },
                    0);
            message = self[0];
        }
        queue.schedule(message, queue.nowNs() + wayNs);
    }

    /** Whether something that happened is still on its way, or kept here. */
    boolean hasSomething() {
        return pending || asserted || underWay > 0;
    }

    @Override
    public void ack(Cpu cpu) {}

    @Override
    public void eoi(Cpu cpu) {
        active = false;
        sendPending();
    }

    @Override
    public void mask(Cpu cpu) {
        cpu.spend(150);
        masked = defect != Defect.IGNORES_MASKING;
    }

    @Override
    public void unmask(Cpu cpu) {
        cpu.spend(50);
        masked = false;
        if (defect == Defect.FORGETS_ITS_PENDING_BIT) {
            pending = false;
        }
        sendPending();
        raiseLevel();
    }

    @Override
    public boolean disablesAtOnce() {
        return disablesAtOnce;
    }
}
