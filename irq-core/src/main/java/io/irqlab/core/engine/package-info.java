/**
 * The event engine: virtual time, what is due when, and where randomness comes from.
 *
 * <p>An {@link EventQueue} is the clock of one run and holds its pending events. Every moving part of the model (a
 * timer, a server, a command in flight) registers its events once, while the simulation is set up, and is called through
 * an {@link EventHandler} when one is due. Events run in a total order: by time in whole nanoseconds, and at one time in
 * the order in which they were scheduled. There is nothing else to break ties, so a run is a function of its
 * configuration and seed alone.
 *
 * <p>Durations that vary are drawn from a {@link DelayDistribution}, and each source of randomness draws from a {@link
 * RandomStream} of its own, named after it and derived from the run's seed. Two policies under one seed see the same
 * arrivals and service times.
 *
 * <p>The engine knows nothing of CPUs, interrupts or devices: every other package of the model may call this one, and
 * it calls none of them. It starts no thread, reads no clock of the machine and allocates nothing while it runs. A queue
 * and its streams belong to one run and so to one thread. Runs may go on side by side, since they share nothing but
 * distributions, which are immutable.
 */
@NullMarked
package io.irqlab.core.engine;

import org.jspecify.annotations.NullMarked;
