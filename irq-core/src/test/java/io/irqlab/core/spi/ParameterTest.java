package io.irqlab.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ParameterTest {

    @Test
    void theRangeIsPrintedWithTheUnitIfThereIsOne() {
        assertThat(parameter("delay_us", "us", 0, 500, 100).range()).isEqualTo("0 to 500 us");
        assertThat(parameter("budget", "", 1, 256, 64).range()).isEqualTo("1 to 256");
    }

    @Test
    void theDefaultMayLieAtEitherEnd() {
        assertThat(parameter("p", "", 3, 5, 3).defaultValue()).isEqualTo(3);
        assertThat(parameter("p", "", 3, 5, 5).defaultValue()).isEqualTo(5);
        assertThat(parameter("p", "", 3, 3, 3).range()).isEqualTo("3 to 3");
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 6})
    void theDefaultLiesInTheRange(long defaultValue) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parameter("delay_us", "us", 3, 5, defaultValue))
                .withMessage("delay_us: default %d must lie in 3 to 5", defaultValue);
    }

    @Test
    void theRangeIsNotEmpty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parameter("delay_us", "us", 5, 3, 4))
                .withMessage("delay_us: default 4 must lie in 5 to 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"delay-us", "Delay", "1st", "", "_x", "delay us", "délai"})
    void theNameIsWrittenAsTheKernelWould(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parameter(name, "us", 3, 5, 4))
                .withMessage("name must be lower-case words joined by underscores, was " + name);
    }

    @Test
    void nothingIsLeftOut() {
        assertThatNullPointerException()
                .isThrownBy(() -> new Parameter(null, "", 0, 1, 0, true, ""))
                .withMessage("name");
        assertThatNullPointerException()
                .isThrownBy(() -> new Parameter("p", null, 0, 1, 0, true, ""))
                .withMessage("unit");
        assertThatNullPointerException()
                .isThrownBy(() -> new Parameter("p", "", 0, 1, 0, true, null))
                .withMessage("summary");
    }

    private static Parameter parameter(String name, String unit, long min, long max, long defaultValue) {
        return new Parameter(name, unit, min, max, defaultValue, false, "Does something.");
    }
}
