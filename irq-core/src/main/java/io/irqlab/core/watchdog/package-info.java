/**
 * The kernel's watchdogs, as instruments of the model: they run on the simulated CPUs, cost time there, and starve when
 * those starve.
 */
@NullMarked
package io.irqlab.core.watchdog;

import org.jspecify.annotations.NullMarked;
