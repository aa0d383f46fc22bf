package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;

/** A device and its chip, of any flow, that notes what is done to the chip and on which CPU. */
final class FakeChip implements IrqChip {
    final FlowType flow;
    private final Timeline run;
    private IrqDescriptor line;

    boolean masked = true;
    /** An event that the mask, or the end of interrupt that is due, keeps from being sent. */
    boolean pending;
    /** The level. */
    boolean asserted;
    /** Sent, and the end of interrupt is due. */
    boolean active;

    boolean disablesAtOnce;
    boolean oneshotSafe;
    boolean eoiIfHandled;
    boolean maskedOnSuspend;
    long maskNs;
    long unmaskNs;
    long routeNs;

    FakeChip(Timeline run, FlowType flow) {
        this.run = run;
        this.flow = flow;
    }

    IrqDescriptor connect(IrqDescriptor newLine) {
        line = newLine;
        return newLine;
    }

    /** Something happened in the device; a level stays asserted until {@link #served}. */
    void event() {
        if (flow == FlowType.LEVEL) {
            asserted = true;
        } else {
            pending = true;
        }
        send();
    }

    /** The level's device has been served. */
    void served() {
        asserted = false;
    }

    private void send() {
        if (masked) {
            return;
        }
        if (flow == FlowType.LEVEL) {
            if (asserted) {
                line.raise();
            }
        } else if (pending && !active) {
            pending = false;
            active = flow == FlowType.FASTEOI;
            line.raise();
        }
    }

    private void note(String what, Cpu on) {
        if (line != null) {
            run.note(what + " on " + on.number());
        }
    }

    @Override
    public void ack(Cpu on) {}

    @Override
    public void eoi(Cpu on) {
        note("eoi", on);
        active = false;
        send();
    }

    @Override
    public void mask(Cpu on) {
        on.spend(maskNs);
        note("mask", on);
        masked = true;
    }

    @Override
    public void unmask(Cpu on) {
        on.spend(unmaskNs);
        note("unmask", on);
        masked = false;
        send();
    }

    @Override
    public void route(Cpu on, Vector vector) {
        on.spend(routeNs);
        note("route to " + vector.cpu().number(), on);
    }

    @Override
    public boolean disablesAtOnce() {
        return disablesAtOnce;
    }

    @Override
    public boolean oneshotSafe() {
        return oneshotSafe;
    }

    @Override
    public boolean eoiIfHandled() {
        return eoiIfHandled;
    }

    @Override
    public boolean maskedOnSuspend() {
        return maskedOnSuspend;
    }
}
