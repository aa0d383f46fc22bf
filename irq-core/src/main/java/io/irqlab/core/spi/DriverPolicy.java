package io.irqlab.core.spi;

/** A policy of the driver layer: it decides who reaps each completion queue, when, and how much. */
public interface DriverPolicy extends Policy {

    /**
     * Creates the policy's part for one queue. Called once for each completion queue, when the machine is assembled.
     *
     * @param source the queue
     * @return its policy
     */
    QueuePolicy forQueue(CompletionSource source);
}
