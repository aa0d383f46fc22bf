/**
 * Polling of block devices in softirq context ({@code lib/irq_poll.c}): a driver's hard handler masks its interrupt and
 * schedules an instance; the softirq calls its poll function with a budget until that completes the instance.
 */
@NullMarked
package io.irqlab.core.irqpoll;

import org.jspecify.annotations.NullMarked;
