/**
 * NVMe as the controller does it: submission and completion queues in memory with doorbells and phase bits, media, and the
 * coalescing features.
 *
 * <p>Left out: the admin queue as a queue (its commands take their time and then act), errors and resets, and every
 * command but read.
 */
@NullMarked
package io.irqlab.model.nvme;

import org.jspecify.annotations.NullMarked;
