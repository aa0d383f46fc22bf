/**
 * JMH benchmarks of the engine and the comparison with its peers.
 *
 * <p>Not published. They measure wall-clock time, which nothing else in the project may read.
 */
@NullMarked
package io.irqlab.benchmarks;

import org.jspecify.annotations.NullMarked;
