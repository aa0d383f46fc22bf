package io.irqlab.core.irq;

/** How the interrupts of a line flow, as its hardware signals them. */
public enum FlowType {
    /** Each event is a message or an edge of its own: MSI and MSI-X on x86 ({@code handle_edge_irq}). */
    EDGE("edge"),
    /** The chip holds further interrupts back until it is told the end: GIC, IO-APIC ({@code handle_fasteoi_irq}). */
    FASTEOI("fasteoi"),
    /** The line is asserted until the device has been served: legacy PCI ({@code handle_level_irq}). */
    LEVEL("level");

    private final String text;

    FlowType(String text) {
        this.text = text;
    }

    /** Returns what {@code /proc/interrupts} calls it. */
    @Override
    public String toString() {
        return text;
    }
}
