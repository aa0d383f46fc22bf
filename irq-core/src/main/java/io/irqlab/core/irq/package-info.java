/**
 * The generic interrupt layer: descriptors, flow handlers, chips and actions, and the life of the lines of a machine.
 *
 * <p>Names follow {@code kernel/irq}, so that {@code irq_desc} is an {@link io.irqlab.core.irq.IrqDescriptor} and
 * {@code handle_edge_irq} an {@code EdgeFlow}; {@link io.irqlab.core.irq.Interrupts} makes the descriptors of a machine and
 * leads them through unplugs and suspends. Disabling is lazy, as there: a disabled line stays unmasked until its next event,
 * which is refused, remembered as pending and masked; enabling replays it.
 *
 * <p>Left out: nested and chained interrupts, per-CPU device identifiers, probing, misrouted interrupts and threaded
 * handlers forced by {@code threadirqs}. A message's target is looked up when it arrives, as with interrupt remapping, so
 * none is under way to a CPU that the line has left.
 */
@NullMarked
package io.irqlab.core.irq;

import org.jspecify.annotations.NullMarked;
