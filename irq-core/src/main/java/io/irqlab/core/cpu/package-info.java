/**
 * A CPU as the kernel sees it: contexts, tasks in their scheduling classes, timers and inter-processor interrupts.
 *
 * <p>Contexts rank hardirq, softirq, then tasks (stop, fifo, fair), then idle. A hardirq is never preempted and never
 * nested; what it interrupts continues where it was. When a handler returns and another vector is pending, the next
 * hardirq starts before any task runs: that is how a CPU starves. Code runs as a {@link io.irqlab.core.cpu.Routine}, in
 * steps that take time; every step's time is accounted to its context, so that a CPU's times add up to the run.
 *
 * <p>Left out: caches, frequency changes, hyper-threads, load balancing between CPUs.
 */
@NullMarked
package io.irqlab.core.cpu;

import org.jspecify.annotations.NullMarked;
