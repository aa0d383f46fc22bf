package io.irqlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class LatencyHistogramTest {
    private final LatencyHistogram latencies = new LatencyHistogram();

    @Test
    void meanLeastAndGreatestAreExact() {
        latencies.record(123_457);
        latencies.record(987_653);

        assertThat(latencies.meanNs()).isEqualTo(555_555);
        assertThat(latencies.minNs()).isEqualTo(123_457);
        assertThat(latencies.maxNs()).isEqualTo(987_653);
    }

    @Test
    void percentilesHaveThreeDigits() {
        for (int i = 1; i <= 100_000; i++) {
            latencies.record(i * 10L);
        }

        assertThat((double) latencies.percentileNs(50)).isCloseTo(500_000, within(500.0));
        assertThat((double) latencies.percentileNs(99.99)).isCloseTo(999_900, within(1_000.0));
    }

    @Test
    void percentilesStayBetweenLeastAndGreatest() {
        latencies.record(99_999_999);

        assertThat(latencies.percentileNs(0)).isEqualTo(99_999_999);
        assertThat(latencies.percentileNs(100)).isEqualTo(99_999_999);
    }

    @Test
    void aLatencyOfHoursIsRecorded() {
        latencies.record(7_200_000_000_000L);

        assertThat(latencies.percentileNs(50)).isEqualTo(7_200_000_000_000L);
    }

    @Test
    void histogramsAreAdded() {
        var other = new LatencyHistogram();
        other.record(10);
        latencies.record(30);
        latencies.add(other);
        latencies.add(new LatencyHistogram());

        assertThat(latencies.count()).isEqualTo(2);
        assertThat(latencies.meanNs()).isEqualTo(20);
        assertThat(latencies.minNs()).isEqualTo(10);
        assertThat(latencies.maxNs()).isEqualTo(30);
    }

    @Test
    void nothingRecordedHasNoMean() {
        assertThatIllegalStateException().isThrownBy(latencies::meanNs).withMessage("no latency is recorded");
    }
}
