package io.irqlab.lab.run;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.LatencyRecorder;
import org.HdrHistogram.Histogram;

/**
 * Latencies of one drive, or of several together. Percentiles have three significant digits; mean, least and greatest
 * are exact, since a histogram's own mean is that of its buckets. Not thread-safe.
 */
public final class LatencyHistogram implements LatencyRecorder {
    private static final long USUAL_MAX_NS = 10_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Histogram histogram;
    private long sumNs;
    private long minNs = Long.MAX_VALUE;
    private long maxNs;

    /** Creates an empty histogram. */
    public LatencyHistogram() {
        histogram = new Histogram(1, USUAL_MAX_NS, SIGNIFICANT_DIGITS);
        histogram.setAutoResize(true);
    }

    @Override
    public void record(long latencyNs) {
        histogram.recordValue(latencyNs);
        sumNs += latencyNs;
        minNs = Math.min(minNs, latencyNs);
        maxNs = Math.max(maxNs, latencyNs);
    }

    /**
     * Adds what another histogram holds.
     *
     * @param other unchanged
     */
    public void add(LatencyHistogram other) {
        histogram.add(other.histogram);
        sumNs += other.sumNs;
        minNs = Math.min(minNs, other.minNs);
        maxNs = Math.max(maxNs, other.maxNs);
    }

    /**
     * Returns how many latencies are recorded.
     *
     * @return zero or more
     */
    public long count() {
        return histogram.getTotalCount();
    }

    /**
     * Returns the mean.
     *
     * @return nanoseconds, exact
     * @throws IllegalStateException if nothing is recorded
     */
    public double meanNs() {
        checkRecorded();
        return (double) sumNs / count();
    }

    /**
     * Returns the least latency.
     *
     * @return nanoseconds, exact
     * @throws IllegalStateException if nothing is recorded
     */
    public long minNs() {
        checkRecorded();
        return minNs;
    }

    /**
     * Returns the greatest latency.
     *
     * @return nanoseconds, exact
     * @throws IllegalStateException if nothing is recorded
     */
    public long maxNs() {
        checkRecorded();
        return maxNs;
    }

    /**
     * Returns the latency that a share of all do not exceed.
     *
     * @param percentile 0 to 100
     * @return nanoseconds, to three significant digits, from the least to the greatest recorded
     * @throws IllegalStateException if nothing is recorded
     */
    public long percentileNs(double percentile) {
        checkRecorded();
        return Math.max(minNs, Math.min(maxNs, histogram.getValueAtPercentile(percentile)));
    }

    private void checkRecorded() {
        checkState(count() > 0, "no latency is recorded");
    }
}
