package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** How large the I/Os of one direction are: all alike, over a range, or by shares. */
public sealed interface BlockSize {
    /** Sizes are multiples of this: a drive's smallest sector. */
    int SECTOR_BYTES = 512;

    /** The largest size, 1 GiB. */
    int LIMIT_BYTES = 1 << 30;

    /**
     * Returns the size of the next I/O.
     *
     * @param draw 64 random bits
     * @return bytes, a multiple of 512
     */
    int bytes(long draw);

    /**
     * Returns the smallest size.
     *
     * @return bytes
     */
    int minBytes();

    /**
     * Returns the largest size.
     *
     * @return bytes
     */
    int maxBytes();

    /**
     * Returns one size for all.
     *
     * @param bytes a multiple of 512, up to 1 GiB
     * @return the size
     */
    static BlockSize of(int bytes) {
        return new Range(bytes, bytes);
    }

    /**
     * Sizes spread evenly over a range, as fio does it: every size is a multiple of the smallest, and the last step is
     * cut off at the largest.
     *
     * @param minBytes the smallest, a multiple of 512
     * @param maxBytes the largest, a multiple of 512
     */
    record Range(int minBytes, int maxBytes) implements BlockSize {
        /** Checks the sizes. */
        public Range {
            checkSize(minBytes);
            checkSize(maxBytes);
            checkArgument(minBytes <= maxBytes, "smallest size %s must not exceed the largest, %s", minBytes, maxBytes);
        }

        @Override
        public int bytes(long draw) {
            if (minBytes == maxBytes) {
                return minBytes;
            }
            long spread = minBytes + below(draw, maxBytes);
            return (int) Math.min(spread - spread % minBytes, maxBytes);
        }
    }

    /**
     * Sizes with a share each.
     *
     * @param shares the shares, which add up to 100
     */
    record Split(List<Share> shares) implements BlockSize {
        /** Copies the shares, and checks that they add up. */
        public Split {
            shares = ImmutableList.copyOf(shares);
            int sum = shares.stream().mapToInt(Share::percent).sum();
            checkArgument(sum == 100, "shares must add up to 100 percent, were %s", sum);
        }

        @Override
        public int bytes(long draw) {
            long percent = below(draw, 100);
            for (Share share : shares) {
                percent -= share.percent();
                if (percent < 0) {
                    return share.bytes();
                }
            }
            throw new AssertionError("shares add up to 100");
        }

        @Override
        public int minBytes() {
            return shares.stream().mapToInt(Share::bytes).min().orElseThrow();
        }

        @Override
        public int maxBytes() {
            return shares.stream().mapToInt(Share::bytes).max().orElseThrow();
        }
    }

    /**
     * One size and how often it is taken.
     *
     * @param bytes the size, a multiple of 512
     * @param percent of the I/Os, 0 to 100
     */
    record Share(int bytes, int percent) {
        /** Checks size and share. */
        public Share {
            checkSize(bytes);
            checkArgument(percent >= 0 && percent <= 100, "share must be 0 to 100 percent, was %s", percent);
        }
    }

    private static void checkSize(int bytes) {
        checkArgument(
                bytes >= SECTOR_BYTES && bytes <= LIMIT_BYTES && bytes % SECTOR_BYTES == 0,
                "size must be a multiple of 512 bytes from 512 to %s, was %s",
                LIMIT_BYTES,
                bytes);
    }

    private static long below(long draw, long bound) {
        return Math.multiplyHigh(draw >>> 1, bound << 1);
    }
}
