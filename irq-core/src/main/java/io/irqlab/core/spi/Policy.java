package io.irqlab.core.spi;

import java.util.Map;

/**
 * A policy at work in one run of one machine. What it does it does through the interface of its layer
 * ({@link PlatformPolicy}, {@link FlowPolicy}, {@link DriverPolicy}) or, on the device layer, through the devices of its
 * {@link PolicyContext}. Called by the run's thread alone.
 */
public interface Policy {

    /**
     * Called once, at time zero, when the machine is assembled and before any load. No CPU executes it: it may send commands
     * to devices, and can arm no timer, since that takes the timer's CPU.
     */
    default void start() {}

    /**
     * Called when an administrator has changed settings in the middle of the run, as by a write to sysfs: in task context,
     * on the CPU on which the administrator works, which pays for the call. What is under way goes on; a policy says in its
     * documentation from when on it follows the new values. {@link PolicyContext#settings} keeps those of the beginning.
     *
     * <p>A policy whose provider declares a parameter as changeable ({@link Parameter#runtime}) overrides this; otherwise a
     * change ends the run.
     *
     * @param settings all values, changed or not, within their ranges and checked together
     * @param cpu the CPU that executes the call
     */
    default void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
        throw new UnsupportedOperationException(
                getClass().getName() + " declares a parameter that may change in a run, but takes no changes");
    }

    /**
     * Returns the policy's own counters.
     *
     * @return name to value since the run began, in a fixed order; names are lower-case with underscores
     */
    default Map<String, Long> counters() {
        return Map.of();
    }
}
