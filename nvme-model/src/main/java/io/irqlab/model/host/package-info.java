/**
 * The host's side of the devices: the NVMe driver and the block layer above it.
 *
 * <p>After the kernel's {@code drivers/nvme/host/pci.c} and {@code block/}: how queues are mapped to CPUs, who reaps
 * completions and on which CPU a request ends. Policies of the driver layer act here.
 */
@NullMarked
package io.irqlab.model.host;

import org.jspecify.annotations.NullMarked;
