/**
 * Policies of the NVMe driver: watermark and adaptive polling, threaded interrupts, and yielding under the pressure of
 * the scheduler.
 *
 * <p>They are found through {@link java.util.ServiceLoader}; nobody calls them by name.
 */
@NullMarked
package io.irqlab.policy.nvmepoll;

import org.jspecify.annotations.NullMarked;
