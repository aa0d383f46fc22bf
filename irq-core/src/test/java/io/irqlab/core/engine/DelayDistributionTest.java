package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DelayDistributionTest {
    private static final int DRAWS = 400_000;
    private static final long SEED = 1;

    private final RandomStream random = RandomStream.of(SEED, "draws");

    @Test
    void aConstantIsAlwaysTheSameAndLeavesTheStreamAlone() {
        DelayDistribution constant = DelayDistribution.constant(700);

        assertThat(sample(constant, 100)).containsOnly(700);
        assertThat(constant.meanNs()).isEqualTo(700);
        assertThat(random.nextLong()).isEqualTo(RandomStream.of(SEED, "draws").nextLong());
    }

    @Test
    void aUniformDelayTakesEveryValueBetweenTheLimits() {
        DelayDistribution uniform = DelayDistribution.uniform(10, 12);

        long[] sorted = sample(uniform, DRAWS);

        assertThat(sorted[0]).isEqualTo(10);
        assertThat(sorted[DRAWS - 1]).isEqualTo(12);
        assertThat(Arrays.stream(sorted).filter(delay -> delay == 11).count())
                .isCloseTo(DRAWS / 3, within(4 * 300L)); // four standard deviations
        assertThat(uniform.meanNs()).isEqualTo(11);
    }

    @ParameterizedTest(name = "mean {0} ns")
    @ValueSource(longs = {5, 1_000, 80_000, 10_000_000_000L})
    void anExponentialDelayHasTheMeanMedianAndPercentilesOfTheClosedForm(long meanNs) {
        DelayDistribution exponential = DelayDistribution.exponential(meanNs);

        long[] sorted = sample(exponential, DRAWS);

        assertThat(exponential.meanNs()).isCloseTo((double) meanNs, withinPercentage(0.01));
        assertThat(mean(sorted)).isCloseTo(exponential.meanNs(), within(4 * meanNs / Math.sqrt(DRAWS)));
        for (double tail : new double[] {0.9, 0.5, 0.1, 0.01, 0.001}) {
            assertQuantile(sorted, tail, -meanNs * Math.log(tail), meanNs / tail);
        }
    }

    @ParameterizedTest(name = "median {0} ns, sigma {1}")
    @CsvSource({"80000, 0", "80000, 0.1", "80000, 0.3", "80000, 1", "2000, 1.5"})
    void aLogNormalDelayHasTheMeanMedianAndPercentilesOfTheClosedForm(long medianNs, double sigma) {
        DelayDistribution logNormal = DelayDistribution.logNormal(medianNs, sigma);
        double meanNs = medianNs * Math.exp(sigma * sigma / 2);
        double deviationNs = meanNs * Math.sqrt(Math.expm1(sigma * sigma));

        long[] sorted = sample(logNormal, DRAWS);

        assertThat(logNormal.meanNs()).isCloseTo(meanNs, withinPercentage(0.02));
        assertThat(mean(sorted)).isCloseTo(logNormal.meanNs(), within(0.001 + 4 * deviationNs / Math.sqrt(DRAWS)));
        for (double z : new double[] {-2.326348, 0, 1.281552, 2.326348, 3.090232}) {
            double quantile = medianNs * Math.exp(sigma * z);
            double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
            assertQuantile(sorted, upperTail(z), quantile, quantile * sigma / density);
        }
    }

    private static double upperTail(double z) {
        return z == 0 ? 0.5 : z < -2 ? 0.99 : z < 2 ? 0.1 : z < 3 ? 0.01 : 0.001;
    }

    /** Within four standard errors, by the slope of the quantile, and one nanosecond for rounding. */
    private static void assertQuantile(long[] sorted, double tail, double expected, double slope) {
        assertThat((double) sorted[(int) Math.round((1 - tail) * sorted.length)])
                .as("exceeded with probability %s", tail)
                .isCloseTo(expected, within(1 + 4 * slope * Math.sqrt(tail * (1 - tail) / sorted.length)));
    }

    /** Not by sampling: the bits that stand for a probability must give its quantile, however rare it is. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(doubles = {0.499, 0.25, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-8, 1e-9, 2e-10})
    void theTableFollowsTheClosedFormIntoBothTails(double tail) {
        double meanNs = 1e6;
        double median = 1e6;
        QuantileTable exponential = new QuantileTable(p -> -meanNs * Math.log1p(-p), p -> -meanNs * Math.log(p));
        QuantileTable logNormal = new QuantileTable(
                p -> median * Math.exp(-StandardNormal.exceededWith(p)),
                p -> median * Math.exp(StandardNormal.exceededWith(p)));
        long lowerBits = (long) (tail * 0x1.0p64);
        long upperBits = lowerBits | Long.MIN_VALUE;
        double z = StandardNormal.exceededWith(tail);

        double precision = tail < 1e-9 ? 3e-3 : 2e-4; // of the value, or of the mean if that is more
        assertThat((double) exponential.sample(upperBits))
                .isCloseTo(-meanNs * Math.log(tail), within(precision * meanNs));
        assertThat((double) exponential.sample(lowerBits))
                .isCloseTo(-meanNs * Math.log1p(-tail), within(precision * meanNs));
        assertThat((double) logNormal.sample(upperBits))
                .isCloseTo(median * Math.exp(z), within(10 * precision * median * Math.exp(z)));
        assertThat((double) logNormal.sample(lowerBits))
                .isCloseTo(median * Math.exp(-z), within(10 * precision * median));
    }

    /** Rounding may make a difference of two; a wrong cell would make one of thousands. */
    @Test
    void theTableHasNoStepBetweenItsCells() {
        QuantileTable table = new QuantileTable(p -> -1e6 * Math.log1p(-p), p -> -1e6 * Math.log(p));
        for (int bit = 20; bit < 62; bit++) {
            for (int cell = 32; cell < 64; cell++) {
                long edge = (long) cell << (bit - 5);
                assertThat(table.sample(edge) - table.sample(edge - 1)).isBetween(-2L, 2L);
                long upper = edge | Long.MIN_VALUE;
                assertThat(table.sample(upper - 1) - table.sample(upper)).isBetween(-2L, 2L);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1})
    void noBitsGiveADelayOutsideTheTable(long bits) {
        QuantileTable table = new QuantileTable(p -> -1e6 * Math.log1p(-p), p -> -1e6 * Math.log(p));

        assertThat(table.sample(bits)).isBetween(0L, 28_000_000L); // 40 ln 2 = 27.7 means
    }

    @Test
    void roundingKeepsTheMeanOfShortDelays() {
        QuantileTable table = new QuantileTable(p -> 0.3, p -> 0.3);
        long sum = 0;
        for (int i = 0; i < DRAWS; i++) {
            sum += table.sample(random.nextLong());
        }

        assertThat(table.mean()).isCloseTo(0.3, within(0.001));
        assertThat((double) sum / DRAWS).isCloseTo(0.3, within(0.004));
    }

    @Test
    void aTailReplacesItsShareOfTheDraws() {
        DelayDistribution withTail = DelayDistribution.constant(100).withTail(0.01, 5_000, 6_000);

        long[] sorted = sample(withTail, DRAWS);
        long inTail = Arrays.stream(sorted).filter(delay -> delay != 100).count();

        assertThat(inTail).isCloseTo(DRAWS / 100, within(4 * 63L));
        assertThat(sorted[0]).isEqualTo(100);
        assertThat(sorted[(int) (DRAWS - inTail)]).isBetween(5_000L, 5_010L);
        assertThat(sorted[DRAWS - 1]).isBetween(5_990L, 6_000L);
        assertThat(withTail.meanNs()).isCloseTo(0.99 * 100 + 0.01 * 5_500, within(1e-9));
    }

    @Test
    void aSecondTailReplacesDrawsOfTheFirstToo() {
        DelayDistribution both =
                DelayDistribution.uniform(0, 1).withTail(0.5, 10, 10).withTail(0.5, 20, 20);

        long[] sorted = sample(both, DRAWS);

        assertThat(Arrays.stream(sorted).filter(delay -> delay == 20).count()).isCloseTo(DRAWS / 2, within(4 * 317L));
        assertThat(Arrays.stream(sorted).filter(delay -> delay == 10).count()).isCloseTo(DRAWS / 4, within(4 * 274L));
        assertThat(both.meanNs()).isCloseTo(0.5 * 20 + 0.25 * 10 + 0.25 * 0.5, within(1e-9));
    }

    @Test
    void theLimitsOfATailsShareAreKept() {
        assertThat(sample(DelayDistribution.constant(1).withTail(0, 2, 2), 1_000))
                .containsOnly(1);
        assertThat(sample(DelayDistribution.constant(1).withTail(1, 2, 2), 1_000))
                .containsOnly(2);
    }

    @Test
    void addingATailDoesNotChangeTheDistributionItIsAddedTo() {
        DelayDistribution plain = DelayDistribution.constant(1);
        plain.withTail(1, 2, 2);

        assertThat(sample(plain, 1_000)).containsOnly(1);
    }

    @Test
    void theDelaysOfAStreamAreAPromise() {
        assertThat(first(DelayDistribution.exponential(80_000)))
                .containsExactly(27_532, 85_989, 9_019, 134_638, 95_637);
        assertThat(first(DelayDistribution.logNormal(80_000, 0.3)))
                .containsExactly(67_832, 90_437, 55_070, 104_590, 93_423);
        assertThat(first(DelayDistribution.uniform(1_000, 2_000))).containsExactly(1_291, 1_842, 1_106, 1_686, 1_803);
        assertThat(first(DelayDistribution.exponential(80_000).withTail(0.5, 1, 9)))
                .containsExactly(8, 7, 186_898, 63_413, 123_211);
    }

    private static long[] first(DelayDistribution distribution) {
        RandomStream stream = RandomStream.of(7, "promise");
        long[] draws = new long[5];
        for (int i = 0; i < draws.length; i++) {
            draws[i] = distribution.sampleNs(stream);
        }
        return draws;
    }

    @Test
    void argumentsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.constant(-1))
                .withMessage("delays must be 0 to 1125899906842624 ns and in order, were -1 ns to -1 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.uniform(3, 2))
                .withMessage("delays must be 0 to 1125899906842624 ns and in order, were 3 ns to 2 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.uniform(0, Long.MAX_VALUE))
                .withMessageContaining("were 0 ns to 9223372036854775807 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.exponential(0))
                .withMessage("mean must be positive, was 0 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.exponential(1L << 50))
                .withMessageStartingWith("delays must be at most 1125899906842624 ns, but could come to ");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.logNormal(0, 1))
                .withMessage("median must be positive, was 0 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.logNormal(1, Double.NaN))
                .withMessage("sigma must be 0 to 8, was NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.constant(1).withTail(1.5, 0, 1))
                .withMessage("probability must be 0 to 1, was 1.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayDistribution.constant(1).withTail(0.5, 2, 1));
    }

    private long[] sample(DelayDistribution distribution, int count) {
        long[] draws = new long[count];
        for (int i = 0; i < count; i++) {
            draws[i] = distribution.sampleNs(random);
        }
        Arrays.sort(draws);
        return draws;
    }

    private static double mean(long[] values) {
        double sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum / values.length;
    }
}
