/**
 * PCI Express as interrupts see it: links that charge TLP bytes, root complexes that serialise data and MSIs, and the
 * MSI-X table of a device with its mask and pending bits.
 *
 * <p>Left out: lane training, retries, and everything that a working link hides.
 */
@NullMarked
package io.irqlab.model.pcie;

import org.jspecify.annotations.NullMarked;
