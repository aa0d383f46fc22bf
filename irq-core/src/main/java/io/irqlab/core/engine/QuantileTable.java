package io.irqlab.core.engine;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.function.DoubleUnaryOperator;

/**
 * A distribution as a table of quantiles with straight lines between them: a draw is one random {@code long}, two
 * neighbouring table entries and an interpolation.
 *
 * <p>Half of the table is for the lower half of the distribution and half for the upper, each by the probability that
 * is left outside. The places in a half are spaced like floating-point numbers: an octave of probability after the
 * other, equally many cells in each. So the 99.99th percentile is as exact as the median, and the tails are followed
 * to about one in 2<sup>40</sup>, where the distribution is cut off.
 */
final class QuantileTable {
    /** The largest value a table can hold: 2<sup>50</sup>. */
    static final long MAX = 1L << 50;

    private static final int CELL_BITS = 5;
    private static final int CELLS = 1 << CELL_BITS;
    private static final int OCTAVES = 30;
    private static final int HALF = (OCTAVES + 1) * CELLS + 1;
    private static final double SMALLEST_TAIL = 0x1.0p-40;

    /** Quantiles have this many binary places behind the point. */
    private static final int PLACES = 10;

    private static final long UNIT = 1L << PLACES;

    private final long[] quantiles = new long[2 * HALF];

    /**
     * Makes the table.
     *
     * @param lower gives the value that is undercut with a probability, from more than 0 to one half
     * @param upper gives the value that is exceeded with a probability, from more than 0 to one half
     * @throws IllegalArgumentException if a value is greater than {@link #MAX}
     */
    QuantileTable(DoubleUnaryOperator lower, DoubleUnaryOperator upper) {
        for (int i = 0; i < HALF; i++) {
            double tail = Math.max(tail(i), SMALLEST_TAIL);
            quantiles[i] = fixedPoint(lower.applyAsDouble(tail));
            quantiles[HALF + i] = fixedPoint(upper.applyAsDouble(tail));
        }
    }

    private static long fixedPoint(double value) {
        checkArgument(value <= MAX, "delays must be at most %s ns, but could come to %s ns", MAX, (long) value);
        return Math.round(value * UNIT);
    }

    /** Returns the mean of what {@link #sample} returns, to about a thousandth of a nanosecond. */
    double mean() {
        double sum = 0;
        for (int i = 0; i < HALF - 1; i++) {
            double ends = (double) quantiles[i] + quantiles[i + 1] + quantiles[HALF + i] + quantiles[HALF + i + 1];
            sum += (tail(i + 1) - tail(i)) * ends;
        }
        return sum / (2 * UNIT);
    }

    /**
     * Returns the value for some random bits, rounded up or down at random, so that rounding does not shift the mean.
     *
     * @param random 64 random bits: the highest chooses the half, the others the place in it, and the lowest, which
     *     hardly matter to the place, the rounding
     */
    long sample(long random) {
        long tail = random << 1;
        int zeros = Long.numberOfLeadingZeros(tail);
        int octave;
        long place;
        if (zeros < OCTAVES) {
            octave = OCTAVES - zeros;
            place = tail << (zeros + 1);
        } else {
            octave = 0;
            place = tail << OCTAVES;
        }
        int half = (int) (random >>> 63) * HALF;
        int cell = half + octave * CELLS + (int) (place >>> (Long.SIZE - CELL_BITS));
        long start = quantiles[cell];
        long step = quantiles[cell + 1] - start;
        long fraction = (place << CELL_BITS) >>> 1; // of 2^63
        long value = start + Math.multiplyHigh(2 * step, fraction);
        return (value + (random & (UNIT - 1))) >> PLACES;
    }

    /** The probability outside the i-th place of a half: the inverse of what {@link #sample} does. */
    private static double tail(int i) {
        int octave = i >>> CELL_BITS;
        double cell = (double) (i & (CELLS - 1)) / CELLS;
        return octave == 0 ? Math.scalb(cell, -OCTAVES - 1) : Math.scalb(1 + cell, octave - OCTAVES - 2);
    }
}
