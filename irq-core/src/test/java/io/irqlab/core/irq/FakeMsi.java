package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;
import java.util.ArrayDeque;

/**
 * A device with one message-signalled interrupt, and its chip: a mask bit, a pending bit that collects the events of a
 * masked vector, and messages that travel for a time.
 */
final class FakeMsi implements IrqChip {
    private final Timeline run;
    private final ArrayDeque<Integer> idleMessages = new ArrayDeque<>();
    private IrqDescriptor line;

    boolean masked = true;
    boolean pending;
    /** A defect, to see tests fail: an event so soon after the last message is lost. */
    long deafNs;

    /** Another defect: the pending bit is lost when the vector is sent elsewhere. */
    boolean forgetful;

    /** And another: a masked vector sends all the same. */
    boolean leaky;

    boolean unlazy;
    boolean oneshotSafe;
    boolean eoiIfHandled;
    boolean maskable = true;
    boolean maskedOnSuspend;
    /** An event after a message waits in the chip until it is told the message's end. */
    boolean holds;

    String chipName = "PCI-MSIX";

    private boolean unfinished;
    private boolean held;

    private long lastMessageNs = Long.MIN_VALUE / 2;
    long messageNs;
    long maskNs;
    long unmaskNs;
    int messages;
    int acks;
    int eois;

    FakeMsi(Timeline run) {
        this.run = run;
    }

    void connect(IrqDescriptor newLine) {
        line = newLine;
    }

    /** Something happened in the device. */
    void event() {
        if (masked) {
            pending = true;
        } else if (run.queue.nowNs() - lastMessageNs >= deafNs) {
            send();
        }
    }

    /** Whether an event waits in the device or the chip. */
    boolean waits() {
        return pending || held;
    }

    private void send() {
        if (unfinished) {
            held = true;
            return;
        }
        unfinished = holds;
        messages++;
        lastMessageNs = run.queue.nowNs();
        if (messageNs == 0) {
            line.raise();
            return;
        }
        Integer message = idleMessages.poll();
        if (message == null) {
            int[] self = new int[1];
            self[0] = run.queue.register(
                    code -> {
                        idleMessages.add(self[0]);
                        line.raise();
                    },
                    0);
            message = self[0];
        }
        run.queue.schedule(message, run.queue.nowNs() + messageNs);
    }

    @Override
    public void ack(Cpu on) {
        acks++;
    }

    @Override
    public void mask(Cpu on) {
        on.spend(maskNs);
        run.note("mask");
        masked = !leaky;
    }

    @Override
    public void unmask(Cpu on) {
        on.spend(unmaskNs);
        run.note("unmask");
        masked = false;
        if (pending) {
            pending = false;
            send();
        }
    }

    @Override
    public void eoi(Cpu on) {
        eois++;
        unfinished = false;
        sendHeld();
    }

    /** What the chip held back is no business of the next CPU. */
    private void sendHeld() {
        if (held) {
            held = false;
            event();
        }
    }

    @Override
    public void route(Cpu on, Vector vector) {
        unfinished = false;
        sendHeld();
        pending &= !forgetful;
    }

    @Override
    public boolean disablesAtOnce() {
        return unlazy;
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
    public boolean maskable() {
        return maskable;
    }

    @Override
    public boolean maskedOnSuspend() {
        return maskedOnSuspend;
    }

    @Override
    public String chipName() {
        return chipName;
    }
}
