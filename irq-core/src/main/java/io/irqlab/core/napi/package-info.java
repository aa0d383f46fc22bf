/**
 * NAPI: polling of network devices in softirq context (net/core/dev.c): a driver's hard handler masks its interrupt and
 * schedules an instance; the softirq polls it with a budget until it has nothing left, and then the interrupt is unmasked,
 * or a timer takes its place.
 */
@NullMarked
package io.irqlab.core.napi;

import org.jspecify.annotations.NullMarked;
