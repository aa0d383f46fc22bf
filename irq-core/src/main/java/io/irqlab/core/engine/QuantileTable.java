package io.irqlab.core.engine;

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
    private static final int CELL_BITS = 5;
    private static final int CELLS = 1 << CELL_BITS;
    private static final int OCTAVES = 30;
    private static final int HALF = (OCTAVES + 1) * CELLS + 1;
    private static final double SMALLEST_TAIL = 0x1.0p-40;

    private final double[] quantiles = new double[2 * HALF];

    /**
     * Makes the table.
     *
     * @param lower gives the value that is undercut with a probability, from more than 0 to one half
     * @param upper gives the value that is exceeded with a probability, from more than 0 to one half
     */
    QuantileTable(DoubleUnaryOperator lower, DoubleUnaryOperator upper) {
        for (int i = 0; i < HALF; i++) {
            double tail = Math.max(tail(i), SMALLEST_TAIL);
            quantiles[i] = lower.applyAsDouble(tail);
            quantiles[HALF + i] = upper.applyAsDouble(tail);
        }
    }

    /** Returns the largest value. */
    double max() {
        return quantiles[HALF];
    }

    /** Returns the mean of what {@link #sample} returns, without rounding error but that of the sum itself. */
    double mean() {
        double sum = 0;
        for (int i = 0; i < HALF - 1; i++) {
            double width = tail(i + 1) - tail(i);
            sum += width * (quantiles[i] + quantiles[i + 1]) / 2;
            sum += width * (quantiles[HALF + i] + quantiles[HALF + i + 1]) / 2;
        }
        return sum;
    }

    /**
     * Returns the value for some random bits, rounded up or down at random, so that rounding does not shift the mean.
     *
     * @param random 64 random bits: the highest chooses the half, the others the place in it, the lowest eleven
     *     (which hardly matter to the place) the rounding
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
        double fraction = ((place << CELL_BITS) >>> 11) * 0x1.0p-53;
        double value = quantiles[cell] + (quantiles[cell + 1] - quantiles[cell]) * fraction;
        return (long) (value + (2 * (random & 0x7FF) + 1) * 0x1.0p-12);
    }

    /** The probability outside the i-th place of a half: the inverse of what {@link #sample} does. */
    private static double tail(int i) {
        int octave = i >>> CELL_BITS;
        double cell = (double) (i & (CELLS - 1)) / CELLS;
        return octave == 0 ? Math.scalb(cell, -OCTAVES - 1) : Math.scalb(1 + cell, octave - OCTAVES - 2);
    }
}
