package io.irqlab.core.engine;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One named stream of random numbers (SplitMix64).
 *
 * <p>Each source of randomness has a stream of its own, so that changing the policy does not shift the arrivals: two
 * policies under one seed see the same load. The sequence is part of the public contract and never changes within a
 * major version. Every method takes exactly one step of the sequence. Nothing allocates.
 *
 * <p>Not thread-safe: a stream belongs to one run.
 */
public final class RandomStream {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    private RandomStream(long state) {
        this.state = state;
    }

    /**
     * Returns the stream of that name.
     *
     * @param seed the run's seed
     * @param name what draws from it, such as {@code nvme0/queue-3/arrival}
     * @return a stream at its start
     */
    public static RandomStream of(long seed, String name) {
        long hash = mix(seed);
        for (int i = 0; i < name.length(); i++) {
            hash = mix(hash ^ (name.charAt(i) + GOLDEN_GAMMA));
        }
        return new RandomStream(hash);
    }

    /**
     * Returns 64 random bits.
     *
     * @return the bits
     */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /**
     * Returns a number below a bound. No number is preferred by more than {@code bound} in 2<sup>32</sup>.
     *
     * @param bound one or more
     * @return 0 to {@code bound - 1}
     * @throws IllegalArgumentException if the bound is zero or less
     */
    public int nextInt(int bound) {
        checkArgument(bound > 0, "bound must be positive, was %s", bound);
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }

    /**
     * Returns a number below a bound. No number is preferred by more than {@code bound} in 2<sup>63</sup>.
     *
     * @param bound one or more
     * @return 0 to {@code bound - 1}
     * @throws IllegalArgumentException if the bound is zero or less
     */
    public long nextLong(long bound) {
        checkArgument(bound > 0, "bound must be positive, was %s", bound);
        long bits = nextLong() >>> 1;
        return (Math.multiplyHigh(bits, bound) << 1) | ((bits * bound) >>> 63);
    }

    /**
     * Returns a number from zero to one.
     *
     * @return a multiple of 2<sup>-53</sup>, zero or more, less than one
     */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    private static long mix(long z0) {
        long z = (z0 ^ (z0 >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
