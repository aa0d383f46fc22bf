package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Timeline;

/**
 * A level-triggered line that devices assert until they have been served, and its chip, which sends whenever the line is
 * asserted and neither masked nor sent already.
 */
final class FakeWire implements IrqChip {
    private final Timeline run;
    private IrqDescriptor line;
    private int assertedBy;

    boolean masked = true;
    boolean unlazy;
    int messages;

    FakeWire(Timeline run) {
        this.run = run;
    }

    void connect(IrqDescriptor newLine) {
        line = newLine;
    }

    /** A device asks for service. */
    void raise(int device) {
        boolean asserted = asserted();
        assertedBy |= 1 << device;
        if (!asserted && !masked) {
            send();
        }
    }

    /** A device has been served. */
    void lower(int device) {
        assertedBy &= ~(1 << device);
    }

    boolean asserted() {
        return assertedBy != 0;
    }

    private void send() {
        messages++;
        line.raise();
    }

    @Override
    public void ack(Cpu on) {}

    @Override
    public void mask(Cpu on) {
        run.note("mask");
        masked = true;
    }

    @Override
    public void unmask(Cpu on) {
        run.note("unmask");
        masked = false;
        if (asserted()) {
            send();
        }
    }

    @Override
    public void eoi(Cpu on) {
        if (asserted() && !masked) {
            send();
        }
    }

    @Override
    public boolean disablesAtOnce() {
        return unlazy;
    }

    @Override
    public String chipName() {
        return "IO-APIC";
    }
}
