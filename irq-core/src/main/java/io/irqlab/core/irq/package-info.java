/**
 * The generic interrupt layer: descriptors, flow handlers, chips and actions.
 *
 * <p>Names follow {@code kernel/irq}, so that {@code irq_desc} is an {@link io.irqlab.core.irq.IrqDescriptor} and
 * {@code handle_edge_irq} an {@link io.irqlab.core.irq.EdgeFlow}. Disabling is lazy, as there: a disabled line stays
 * unmasked until its next event, which is refused, remembered as pending and masked; enabling replays it.
 *
 * <p>So far there is the edge flow, one action for each interrupt, and threads; affinity changes, hot-unplug and the other
 * flows are left out.
 */
@NullMarked
package io.irqlab.core.irq;

import org.jspecify.annotations.NullMarked;
