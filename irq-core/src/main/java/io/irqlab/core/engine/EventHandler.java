package io.irqlab.core.engine;

/**
 * What happens when an event is due.
 *
 * <p>One object may handle any number of events: the code that was given at {@link EventQueue#register} says which one
 * it is, and a {@code switch} on it is the cheapest dispatch there is.
 */
@FunctionalInterface
public interface EventHandler {

    /**
     * Handles an event at its time, which is {@link EventQueue#nowNs()}.
     *
     * <p>The event is no longer pending and may be scheduled again at once, as may any other, now or later. What is
     * scheduled for the present nanosecond runs within it, after everything that was already due then. An exception
     * ends the run and passes through {@link EventQueue#runUntil} as it is.
     *
     * @param code the code the event was registered with
     */
    void onEvent(int code);
}
