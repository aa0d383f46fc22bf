/**
 * Work queues: things to do in process context, on the CPU where they were queued.
 *
 * <p>Drivers and policies queue a {@link io.irqlab.core.workqueue.Work} from any context; the CPU's kworker does it when
 * the scheduler lets it. The workqueue watchdog looks at the pools.
 */
@NullMarked
package io.irqlab.core.workqueue;

import org.jspecify.annotations.NullMarked;
