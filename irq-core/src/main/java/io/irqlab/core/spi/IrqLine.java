package io.irqlab.core.spi;

/**
 * An interrupt as a policy sees it. The calls that change it run on a CPU, which is charged for what they cost (the
 * write and read-back that mask a vector, above all).
 */
public interface IrqLine {

    /**
     * Returns the interrupt's number.
     *
     * @return the Linux irq number, not the vector
     */
    int irq();

    /**
     * Returns the name under which it was requested.
     *
     * @return such as {@code nvme0q3}
     */
    String name();

    /**
     * Returns whether software may switch it off between its events: not shared, not ONESHOT, not level-triggered, one
     * target CPU, a chip that can mask and unmask, and an edge or fasteoi flow.
     *
     * @return true if {@link #moderate} may be called
     */
    boolean moderatable();

    /**
     * Opens a window: the line counts as in progress and moderated, and is disabled once more (lazily, unless it was
     * requested otherwise). Its next event is refused, remembered as pending, and masked.
     *
     * @param cpu the CPU that executes the call
     */
    void moderate(PolicyCpu cpu);

    /**
     * Closes the window: clears in progress and moderated and, if the interrupt still has a handler, enables it once;
     * a pending event is then replayed.
     *
     * @param cpu the CPU that executes the call
     */
    void unmoderate(PolicyCpu cpu);

    /**
     * Disables the interrupt, without waiting for a running handler ({@code disable_irq_nosync}). Calls nest.
     *
     * @param cpu the CPU that executes the call
     */
    void disable(PolicyCpu cpu);

    /**
     * Undoes one {@link #disable} ({@code enable_irq}); at depth zero the line is unmasked and a pending event replayed.
     *
     * @param cpu the CPU that executes the call
     */
    void enable(PolicyCpu cpu);
}
