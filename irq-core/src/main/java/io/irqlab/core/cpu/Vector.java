package io.irqlab.core.cpu;

/**
 * One entry of a CPU's vector table, with what it has cost there. A raised vector is one bit until the CPU takes it, so
 * interrupts that arrive meanwhile merge.
 */
public final class Vector {
    /** Where a vector's interrupts come from. */
    public enum Source {
        /** A device, through an irq descriptor. */
        DEVICE,
        /** The CPU's own timer. */
        TIMER,
        /** Another CPU. */
        IPI,
        /** The platform, for all messages that it has posted since the last one. */
        NOTIFICATION
    }

    final int number;
    final Routine handler;
    private final Cpu cpu;
    private final String name;
    private final Source source;
    private long count;
    private long timeNs;

    Vector(Cpu cpu, int number, String name, Source source, Routine handler) {
        this.cpu = cpu;
        this.number = number;
        this.name = name;
        this.source = source;
        this.handler = handler;
    }

    /**
     * Returns the number in the CPU's table; of several pending vectors the CPU takes the greatest number first, as the
     * x86 local APIC does (Intel SDM volume 3, 12.8.3.1).
     *
     * @return 32 to 255
     */
    public int number() {
        return number;
    }

    /**
     * Returns the CPU in whose table it is.
     *
     * @return the CPU
     */
    public Cpu cpu() {
        return cpu;
    }

    /**
     * Returns what the interrupt is called.
     *
     * @return such as {@code nvme0q3} or {@code timer}
     */
    public String name() {
        return name;
    }

    /**
     * Returns where its interrupts come from.
     *
     * @return the source
     */
    public Source source() {
        return source;
    }

    /**
     * Returns how often the CPU took it.
     *
     * @return hardirq entries since the run began
     */
    public long count() {
        return count;
    }

    /**
     * Returns the CPU time spent in it.
     *
     * @return nanoseconds of hardirq context since the run began, entry and exit included
     */
    public long timeNs() {
        return timeNs;
    }

    void taken() {
        count++;
    }

    void spent(long ns) {
        timeNs += ns;
    }
}
