package io.irqlab.core;

/**
 * Takes latencies, one by one. The core and the model only record; what keeps and queries them (a histogram) is the
 * caller's. Called by the run's thread alone.
 */
@FunctionalInterface
public interface LatencyRecorder {

    /**
     * Records one latency.
     *
     * @param latencyNs zero or more
     */
    void record(long latencyNs);
}
