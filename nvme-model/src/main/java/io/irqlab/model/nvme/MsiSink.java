package io.irqlab.model.nvme;

/** Where a controller's interrupt messages go once the root complex has served them. */
@FunctionalInterface
public interface MsiSink {

    /**
     * Delivers the message of a queue's vector to its CPU.
     *
     * @param queue the I/O queue's index, from 0
     */
    void deliver(int queue);
}
