package io.irqlab.core.irq;

import java.util.List;

/**
 * A line was disabled because nobody cared for its interrupts.
 *
 * @param irq its number
 * @param name its name
 * @param cpu the CPU that found it
 * @param atNs when, in virtual time since the run began
 * @param handlers the handlers that were asked
 */
public record SpuriousIrq(int irq, String name, int cpu, long atNs, List<String> handlers) {
    /** Copies the list. */
    public SpuriousIrq {
        handlers = List.copyOf(handlers);
    }

    /** Returns the report in one line. */
    @Override
    public String toString() {
        return "irq " + irq + " (" + name + "): nobody cared, on cpu " + cpu + " at " + atNs + " ns; asked: "
                + String.join(", ", handlers);
    }
}
