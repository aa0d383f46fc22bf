package io.irqlab.core.engine;

import static com.google.common.base.Preconditions.checkArgument;

import org.jspecify.annotations.Nullable;

/**
 * How long something takes: a distribution of delays in whole nanoseconds, zero or more.
 *
 * <p>Logarithms are taken once, when the distribution is made, into a table of quantiles. A draw then costs a few
 * nanoseconds, allocates nothing, and gives the same value on every machine. The table's mean is within 0.02 % of the
 * closed form, and its quantiles down to one in 10<sup>9</sup> within 0.2 %; both ends are cut off at one in
 * 2<sup>40</sup>.
 *
 * <p>A draw takes no step of the random stream for a constant and one for any other body. With a tail it takes one more,
 * to choose; in the tail it takes two, whatever the body.
 *
 * <p>Immutable and thread-safe.
 */
public final class DelayDistribution {
    /** The longest delay, about 13 days. */
    private static final long MAX_NS = QuantileTable.MAX;

    private static final double MAX_SIGMA = 8;

    /** What is sampled unless {@link #table} is there: a uniform draw of {@code spanNs} values. */
    private final long minNs;

    private final long spanNs;
    private final @Nullable QuantileTable table;
    /** In the order in which they are tried. */
    private final Tail[] tails;

    /** A uniform draw instead of the body, for the given share of all draws. */
    private record Tail(double share, long minNs, long spanNs) {
        double meanNs() {
            return minNs + (spanNs - 1) * 0.5;
        }
    }

    private DelayDistribution(long minNs, long spanNs, @Nullable QuantileTable table, Tail... tails) {
        this.minNs = minNs;
        this.spanNs = spanNs;
        this.table = table;
        this.tails = tails;
    }

    /**
     * Returns the distribution of a delay that is always the same.
     *
     * @param ns the delay, zero or more
     * @return the distribution
     * @throws IllegalArgumentException if it is negative, or longer than 2<sup>50</sup> ns
     */
    public static DelayDistribution constant(long ns) {
        return uniform(ns, ns);
    }

    /**
     * Returns an exponential distribution.
     *
     * @param meanNs its mean, more than zero
     * @return the distribution
     * @throws IllegalArgumentException if the mean is not positive, or so long that draws could pass 2<sup>50</sup> ns
     */
    public static DelayDistribution exponential(long meanNs) {
        checkArgument(meanNs > 0, "mean must be positive, was %s ns", meanNs);
        return ofTable(
                new QuantileTable(tail -> -meanNs * StrictMath.log1p(-tail), tail -> -meanNs * StrictMath.log(tail)));
    }

    /**
     * Returns a log-normal distribution.
     *
     * @param medianNs its median, more than zero; the mean is {@code exp(sigma * sigma / 2)} times that
     * @param sigma the standard deviation of the logarithm, 0 to 8
     * @return the distribution
     * @throws IllegalArgumentException if the median is not positive, sigma is out of its range, or both make draws
     *     possible that pass 2<sup>50</sup> ns
     */
    public static DelayDistribution logNormal(long medianNs, double sigma) {
        checkArgument(medianNs > 0, "median must be positive, was %s ns", medianNs);
        checkArgument(sigma >= 0 && sigma <= MAX_SIGMA, "sigma must be 0 to 8, was %s", sigma);
        return ofTable(new QuantileTable(
                tail -> medianNs * StrictMath.exp(-sigma * StandardNormal.exceededWith(tail)),
                tail -> medianNs * StrictMath.exp(sigma * StandardNormal.exceededWith(tail))));
    }

    /**
     * Returns a distribution in which every whole number of nanoseconds between two limits, both included, is equally
     * likely.
     *
     * @param minNs the shortest delay, zero or more
     * @param maxNs the longest delay, not below the shortest
     * @return the distribution
     * @throws IllegalArgumentException if a limit is negative or longer than 2<sup>50</sup> ns, or they are crossed
     */
    public static DelayDistribution uniform(long minNs, long maxNs) {
        checkRange(minNs, maxNs);
        return new DelayDistribution(minNs, maxNs - minNs + 1, null);
    }

    /**
     * Returns this distribution with a tail: some draws are replaced by one from a uniform distribution. That may be
     * done again; the later tail then replaces draws of the earlier ones in the same proportion as those of the body.
     *
     * @param probability the share of draws that are replaced, 0 to 1
     * @param minNs the shortest delay in the tail, zero or more
     * @param maxNs the longest delay in the tail, not below the shortest
     * @return the distribution
     * @throws IllegalArgumentException if an argument is out of its range
     */
    public DelayDistribution withTail(double probability, long minNs, long maxNs) {
        checkArgument(probability >= 0 && probability <= 1, "probability must be 0 to 1, was %s", probability);
        checkRange(minNs, maxNs);
        Tail[] all = new Tail[tails.length + 1];
        for (int i = 0; i < tails.length; i++) {
            all[i] = new Tail(tails[i].share * (1 - probability), tails[i].minNs, tails[i].spanNs);
        }
        all[tails.length] = new Tail(probability, minNs, maxNs - minNs + 1);
        return new DelayDistribution(this.minNs, spanNs, table, all);
    }

    /**
     * Returns the mean of what {@link #sampleNs} returns: not that of the closed form, but that of the table, tails
     * included.
     *
     * @return the mean in nanoseconds
     */
    public double meanNs() {
        double bodyShare = 1;
        double mean = 0;
        for (Tail tail : tails) {
            mean += tail.share * tail.meanNs();
            bodyShare -= tail.share;
        }
        return mean + bodyShare * (table == null ? minNs + (spanNs - 1) * 0.5 : table.mean());
    }

    /**
     * Draws a delay.
     *
     * @param random the stream to draw from
     * @return the delay in nanoseconds, zero or more
     */
    public long sampleNs(RandomStream random) {
        if (tails.length != 0) {
            double choice = random.nextDouble();
            for (Tail tail : tails) {
                choice -= tail.share;
                if (choice < 0) {
                    return tail.minNs + random.nextLong(tail.spanNs);
                }
            }
        }
        if (table != null) {
            return table.sample(random.nextLong());
        }
        return spanNs == 1 ? minNs : minNs + random.nextLong(spanNs);
    }

    private static DelayDistribution ofTable(QuantileTable table) {
        return new DelayDistribution(0, 1, table);
    }

    private static void checkRange(long minNs, long maxNs) {
        checkArgument(
                minNs >= 0 && minNs <= maxNs && maxNs <= MAX_NS,
                "delays must be 0 to %s ns and in order, were %s ns to %s ns",
                MAX_NS,
                minNs,
                maxNs);
    }
}
