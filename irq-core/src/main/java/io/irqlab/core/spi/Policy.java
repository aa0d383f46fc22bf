package io.irqlab.core.spi;

import java.util.Map;

/**
 * A policy at work in one run of one machine. What it does it does through the interface of its layer
 * ({@link FlowPolicy}, {@link DriverPolicy}) or, on the device layer, through the devices of its {@link PolicyContext}.
 * Called by the run's thread alone.
 */
public interface Policy {

    /** Called once, at time zero, when the machine is assembled and before any load. */
    default void start() {}

    /**
     * Returns the policy's own counters.
     *
     * @return name to value since the run began, in a fixed order; names are lower-case with underscores
     */
    default Map<String, Long> counters() {
        return Map.of();
    }
}
