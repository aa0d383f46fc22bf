package io.irqlab.model.nvme;

/** A drive as a policy of the device layer sees it. */
public interface NvmeDrive {

    /**
     * Returns the controller's name.
     *
     * @return such as {@code nvme0}
     */
    String name();

    /**
     * Changes the Interrupt Coalescing feature by an admin command, which takes the drive's time and on some drives
     * stalls its I/O. It holds for all I/O queues. Commands are executed one after the other.
     *
     * @param value the new value
     */
    void setInterruptCoalescing(InterruptCoalescing value);

    /**
     * Returns the Interrupt Coalescing feature now in force.
     *
     * @return the value
     */
    InterruptCoalescing interruptCoalescing();
}
