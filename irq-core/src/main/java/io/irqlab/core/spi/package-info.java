/**
 * The policy SPI: what an interrupt-moderation policy is, what it may see and do, and how it is found.
 *
 * <p>A policy is described by a {@link io.irqlab.core.spi.PolicyProvider}, found through
 * {@link java.util.ServiceLoader}, and created once per run. It acts on one {@link io.irqlab.core.spi.PolicyLayer}: a
 * device's own coalescing, the platform's delivery, the flow handlers, or a driver's reaping. Through the SPI a policy
 * sees and does only what a kernel policy could, and every such act is charged to the CPU that does it. All calls of
 * one run come from one thread, in virtual time; a policy reads no clock, starts no thread and draws random numbers
 * from the stream of its {@link io.irqlab.core.spi.PolicyContext} alone.
 *
 * <p>The package depends on the engine and on {@code java.base}; no Guava type stands in its signatures.
 */
@NullMarked
package io.irqlab.core.spi;

import org.jspecify.annotations.NullMarked;
