package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Vector;

/**
 * What the interrupt hardware of one line can do ({@code irq_chip}); primitives only, no flow. Each call charges the CPU that
 * makes it. What a chip cannot do it says by a capability; the flows ask.
 */
public interface IrqChip {

    /**
     * Acknowledges the interrupt, so that the CPU may take the vector again.
     *
     * @param cpu the CPU that executes the call
     */
    void ack(Cpu cpu);

    /**
     * Keeps the source from sending.
     *
     * @param cpu the CPU that executes the call
     */
    void mask(Cpu cpu);

    /**
     * Lets the source send; an event that it kept pending is sent now, and so is a level that is still asserted.
     *
     * @param cpu the CPU that executes the call
     */
    void unmask(Cpu cpu);

    /**
     * Tells the chip that the interrupt has been handled, so that it lets the next one through. Only the fasteoi flow does.
     *
     * @param cpu the CPU that executes the call
     */
    default void eoi(Cpu cpu) {}

    /**
     * Sends the line's interrupts to another vector from now on. The line is masked meanwhile.
     *
     * @param cpu the CPU that executes the call
     * @param vector where to
     */
    default void route(Cpu cpu, Vector vector) {}

    /**
     * Returns the chip's name for {@code /proc/interrupts}.
     *
     * @return the name
     */
    default String chipName() {
        return "PCI-MSIX";
    }

    /**
     * Returns whether the chip can both mask and unmask the line; a flow policy moderates no other.
     *
     * @return true, unless overridden
     */
    default boolean maskable() {
        return true;
    }

    /**
     * Returns whether access needs a slow bus, such as I2C, and so cannot happen in hardirq context; a flow policy moderates
     * no such line.
     *
     * @return false, unless overridden
     */
    default boolean slowBus() {
        return false;
    }

    /**
     * Returns whether disabling masks at once ({@code IRQ_DISABLE_UNLAZY}) rather than at the next interrupt.
     *
     * @return false, unless overridden: disabling is lazy
     */
    default boolean disablesAtOnce() {
        return false;
    }

    /**
     * Returns whether a line with {@link IrqFlag#ONESHOT} need not be masked, since its events cannot repeat before the thread
     * has run ({@code IRQCHIP_ONESHOT_SAFE}, as for MSI). The flag then counts as not given.
     *
     * @return false, unless overridden
     */
    default boolean oneshotSafe() {
        return false;
    }

    /**
     * Returns whether the end of an interrupt is told only if a handler ran ({@code IRQCHIP_EOI_IF_HANDLED}).
     *
     * @return false, unless overridden
     */
    default boolean eoiIfHandled() {
        return false;
    }

    /**
     * Returns whether the chip must be masked while the machine is suspended, since it could not tell a device's event from a
     * wake-up ({@code IRQCHIP_MASK_ON_SUSPEND}).
     *
     * @return false, unless overridden
     */
    default boolean maskedOnSuspend() {
        return false;
    }
}
