/**
 * Policies that merge interrupts before a CPU sees them: NVMe interrupt coalescing, static and adaptive, dynamic
 * interrupt moderation, calibrated interrupts and posted MSI.
 *
 * <p>They are found through {@link java.util.ServiceLoader}; nobody calls them by name.
 */
@NullMarked
package io.irqlab.policy.coalesce;

import org.jspecify.annotations.NullMarked;
