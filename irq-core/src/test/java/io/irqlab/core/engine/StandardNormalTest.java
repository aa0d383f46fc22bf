package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StandardNormalTest {

    /** Values from Python's statistics.NormalDist, rounded to nine places. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0.5, 0",
        "0.3, 0.524400513",
        "0.075, 1.439531471",
        "0.01, 2.326347874",
        "0.001, 3.090232306",
        "1e-6, 4.753424309",
        "1e-9, 5.997807015",
        "1e-12, 7.034483825"
    })
    void theQuantilesAreThoseOfTheTables(double tail, double expected) {
        assertThat(StandardNormal.exceededWith(tail)).isCloseTo(expected, within(1e-9));
    }
}
