package io.irqlab.model.pcie;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.irq.IrqChip;
import java.util.function.IntConsumer;

/**
 * One entry of a device's MSI-X table with its mask and pending bits (PCI Express Base Specification, 6.1.4). A masked
 * vector sends nothing: its events set the pending bit, once, and unmasking sends one message for all of them.
 *
 * <p>As a chip: masking is a write and the read-back that flushes it, unmasking a write alone, and the acknowledgement is
 * part of the CPU's exit from the interrupt.
 */
public final class MsixVector implements IrqChip {
    private final int number;
    private final RootComplex.Port port;
    private final long mmioWriteNs;
    private final long mmioReadNs;
    private final IntConsumer sender;
    private boolean masked = true;
    private boolean pending;

    /**
     * Creates an entry, masked as after reset.
     *
     * @param number its place in the table
     * @param port the device's root port, whose backlog delays a read-back
     * @param mmioWriteNs CPU time of a register write
     * @param mmioReadNs CPU time of a register read that nothing delays
     * @param sender sends the message of an entry, given its number, when unmasking finds it pending
     */
    public MsixVector(int number, RootComplex.Port port, long mmioWriteNs, long mmioReadNs, IntConsumer sender) {
        this.number = number;
        this.port = port;
        this.mmioWriteNs = mmioWriteNs;
        this.mmioReadNs = mmioReadNs;
        this.sender = sender;
    }

    /**
     * Takes an event of the device.
     *
     * @return true if the device is to send the message; false if the vector is masked, and the event pending
     */
    public boolean signal() {
        if (masked) {
            pending = true;
            return false;
        }
        return true;
    }

    @Override
    public void ack(Cpu cpu) {}

    @Override
    public void mask(Cpu cpu) {
        cpu.spend(mmioWriteNs + mmioReadNs + port.readStallNs());
        masked = true;
    }

    @Override
    public void unmask(Cpu cpu) {
        cpu.spend(mmioWriteNs);
        masked = false;
        if (pending) {
            pending = false;
            sender.accept(number);
        }
    }

    /**
     * Returns the mask bit.
     *
     * @return true if the vector may not send
     */
    public boolean masked() {
        return masked;
    }

    /**
     * Returns the vector's bit of the pending bit array.
     *
     * @return true if an event waits for unmasking
     */
    public boolean pending() {
        return pending;
    }
}
