package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RandomStreamTest {
    private static final int DRAWS = 200_000;

    /** The seed 0 and the empty name give the state 0, for which the sequence of SplitMix64 is published. */
    @Test
    void theGeneratorIsSplitMix64() {
        RandomStream stream = RandomStream.of(0, "");

        assertThat(stream.nextLong()).isEqualTo(0xE220A8397B1DCDAFL);
        assertThat(stream.nextLong()).isEqualTo(0x6E789E6AA1B965F4L);
        assertThat(stream.nextLong()).isEqualTo(0x06C45D188009454FL);
        assertThat(stream.nextLong()).isEqualTo(0xF88BB8A8724C81ECL);
    }

    @Test
    void theSequenceOfANameIsAPromise() {
        RandomStream stream = RandomStream.of(1, "nvme0/queue-3/arrival");

        assertThat(stream.nextLong()).isEqualTo(0x02E2F09E5074EBB6L);
        assertThat(stream.nextLong()).isEqualTo(0xE3A722A6E1CD3ACCL);
        assertThat(stream.nextLong()).isEqualTo(0x14CD3990BE7FA078L);
        assertThat(stream.nextLong()).isEqualTo(0x931BE5922C61A261L);
        assertThat(RandomStream.of(1, "nvme1/queue-3/arrival").nextLong()).isEqualTo(0xB556925F1CA9BA4CL);
        assertThat(RandomStream.of(-1, "job/\u00b5s").nextLong()).isEqualTo(0xBE7FC7C035C09C74L);
    }

    @Test
    void howBitsBecomeNumbersIsAPromiseToo() {
        RandomStream ints = RandomStream.of(42, "bounded");
        RandomStream longs = RandomStream.of(42, "bounded");
        RandomStream doubles = RandomStream.of(42, "bounded");

        assertThat(new int[] {ints.nextInt(10), ints.nextInt(10), ints.nextInt(10), ints.nextInt(10)})
                .containsExactly(5, 7, 0, 9);
        assertThat(longs.nextLong(1_000_000_000_000_000L)).isEqualTo(565_896_006_594_269L);
        assertThat(longs.nextLong(1_000_000_000_000_000L)).isEqualTo(751_058_037_373_634L);
        assertThat(doubles.nextDouble()).isEqualTo(0.5658960065942695);
        assertThat(doubles.nextDouble()).isEqualTo(0.7510580373736342);
    }

    @Test
    void oneNameGivesOneSequence() {
        RandomStream first = RandomStream.of(9, "media");
        RandomStream second = RandomStream.of(9, "media");

        for (int i = 0; i < 1_000; i++) {
            assertThat(second.nextLong()).isEqualTo(first.nextLong());
        }
    }

    @Test
    void drawingFromOneStreamDoesNotShiftAnother() {
        RandomStream alone = RandomStream.of(9, "media");
        RandomStream beside = RandomStream.of(9, "media");
        RandomStream other = RandomStream.of(9, "arrival");

        for (int i = 0; i < 1_000; i++) {
            other.nextLong();
            assertThat(beside.nextLong()).isEqualTo(alone.nextLong());
        }
    }

    /** Of 120 pairs of independent streams the largest correlation is above 5 standard errors once in 15 000 tries. */
    @Test
    void streamsOfOtherNamesOrSeedsAreUncorrelated() {
        List<RandomStream> streams = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            streams.add(RandomStream.of(1, "device-" + i));
            streams.add(RandomStream.of(2 + i, "device-0"));
        }
        double[][] draws = new double[streams.size()][DRAWS];
        for (int i = 0; i < draws.length; i++) {
            for (int k = 0; k < DRAWS; k++) {
                draws[i][k] = streams.get(i).nextDouble() - 0.5;
            }
        }

        for (int i = 0; i < draws.length; i++) {
            for (int j = 0; j < i; j++) {
                assertThat(correlation(draws[i], draws[j], 0))
                        .as("streams %d and %d", i, j)
                        .isBetween(-5 / Math.sqrt(DRAWS), 5 / Math.sqrt(DRAWS));
            }
        }
    }

    @Test
    void aStreamIsUncorrelatedWithItselfLater() {
        RandomStream stream = RandomStream.of(1, "lag");
        double[] draws = new double[DRAWS];
        for (int k = 0; k < DRAWS; k++) {
            draws[k] = stream.nextDouble() - 0.5;
        }

        for (int lag = 1; lag <= 20; lag++) {
            assertThat(correlation(draws, draws, lag))
                    .as("lag %d", lag)
                    .isBetween(-4.5 / Math.sqrt(DRAWS), 4.5 / Math.sqrt(DRAWS));
        }
    }

    /** Chi-squared with bound - 1 degrees of freedom, by its normal approximation, within 4.5 standard deviations. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 1_000})
    void everyNumberBelowTheBoundIsEquallyLikely(int bound) {
        RandomStream stream = RandomStream.of(4, "bound-" + bound);
        int[] ints = new int[bound];
        int[] longs = new int[bound];
        for (int k = 0; k < DRAWS; k++) {
            ints[stream.nextInt(bound)]++;
            longs[(int) stream.nextLong((long) bound)]++;
        }

        double limit = bound - 1 + 4.5 * Math.sqrt(2.0 * (bound - 1)) + 10;
        assertThat(chiSquared(ints)).isLessThan(limit);
        assertThat(chiSquared(longs)).isLessThan(limit);
    }

    @Test
    void aLargeBoundScalesTheBitsExactly() {
        RandomStream bits = RandomStream.of(4, "large");
        RandomStream stream = RandomStream.of(4, "large");
        for (int k = 0; k < 1_000; k++) {
            long bound = Long.MAX_VALUE >>> (k % 63);
            BigInteger expected = BigInteger.valueOf(bits.nextLong() >>> 1)
                    .multiply(BigInteger.valueOf(bound))
                    .shiftRight(63);

            assertThat(stream.nextLong(bound)).as("bound %d", bound).isEqualTo(expected.longValueExact());
        }
    }

    @Test
    void theLargestIntBoundIsKept() {
        RandomStream stream = RandomStream.of(4, "max");
        for (int k = 0; k < 1_000; k++) {
            assertThat(stream.nextInt(Integer.MAX_VALUE)).isBetween(0, Integer.MAX_VALUE - 1);
            assertThat(stream.nextInt(1)).isZero();
        }
    }

    @Test
    void doublesLieFromZeroToOneAndAreUniform() {
        RandomStream stream = RandomStream.of(4, "double");
        int[] tenths = new int[10];
        for (int k = 0; k < DRAWS; k++) {
            double draw = stream.nextDouble();
            assertThat(draw >= 0 && draw < 1).isTrue();
            tenths[(int) (draw * 10)]++;
        }

        assertThat(chiSquared(tenths)).isLessThan(33.7); // 9 degrees of freedom, one in 10 000
    }

    @Test
    void aBoundBelowOneIsRefused() {
        RandomStream stream = RandomStream.of(4, "refused");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> stream.nextInt(0))
                .withMessage("bound must be positive, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stream.nextLong(-5))
                .withMessage("bound must be positive, was -5");
    }

    private static double correlation(double[] xs, double[] ys, int lag) {
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int k = lag; k < xs.length; k++) {
            xy += xs[k] * ys[k - lag];
            xx += xs[k] * xs[k];
            yy += ys[k - lag] * ys[k - lag];
        }
        return xy / Math.sqrt(xx * yy);
    }

    private static double chiSquared(int[] counts) {
        double expected = (double) DRAWS / counts.length;
        double sum = 0;
        for (int count : counts) {
            sum += (count - expected) * (count - expected) / expected;
        }
        return sum;
    }
}
