/**
 * Global software interrupt moderation (GSIM): after an interrupt its line stays off for a while, and all lines of a
 * CPU share one window.
 *
 * <p>Names, ranges and units of the parameters are those of the kernel patches. Policies of this package stand on the
 * core's interface alone and are found through {@link java.util.ServiceLoader}; nobody calls them by name.
 */
@NullMarked
package io.irqlab.policy.gsim;

import org.jspecify.annotations.NullMarked;
