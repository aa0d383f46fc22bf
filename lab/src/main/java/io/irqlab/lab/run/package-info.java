/**
 * Runs: one policy stack on one scenario under one seed, and many of them at once.
 *
 * <p>A run is single-threaded and deterministic; parallelism is between runs only, and results come in the order asked
 * for, whatever finishes first. Latencies go into HdrHistogram, with sum, least and greatest kept exactly beside it.
 */
@NullMarked
package io.irqlab.lab.run;

import org.jspecify.annotations.NullMarked;
