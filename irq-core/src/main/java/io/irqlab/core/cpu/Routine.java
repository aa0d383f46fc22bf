package io.irqlab.core.cpu;

/**
 * Code that a CPU runs, one step after another.
 *
 * <p>A step acts at one instant and then keeps the CPU for some time; what the next step finds is what the machine has
 * become by then. So a loop over a device's queue is one step for each look at the queue.
 */
@FunctionalInterface
public interface Routine {
    /** What {@link #step} returns when there is no further step. */
    long DONE = -1;

    /**
     * Acts, and says how long that takes.
     *
     * <p>What the step's actions cost beside that ({@link Cpu#spend}) is added by the CPU.
     *
     * @param cpu the CPU that runs the step
     * @return nanoseconds until the next step, zero or more, without the time in which the CPU is interrupted; or
     *     {@link #DONE}. In a task, {@code DONE} blocks it until it is woken, and the next step follows then.
     */
    long step(Cpu cpu);
}
