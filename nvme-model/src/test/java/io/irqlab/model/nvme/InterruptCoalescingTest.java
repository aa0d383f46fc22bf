package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InterruptCoalescingTest {

    @Test
    void theThresholdOfTheRegisterIsZeroBasedAndTheTimeInStepsOf100Microseconds() {
        assertThat(InterruptCoalescing.ofDword11(0x020A)).isEqualTo(new InterruptCoalescing(11, 200_000));
        assertThat(new InterruptCoalescing(11, 200_000).toDword11()).isEqualTo(0x020A);
        assertThat(InterruptCoalescing.ofDword11(0)).isEqualTo(InterruptCoalescing.OFF);
        assertThat(InterruptCoalescing.ofDword11(0xFFFF)).isEqualTo(new InterruptCoalescing(256, 25_500_000));
    }

    @Test
    void everyValueOfTheRegisterComesBack() {
        for (int dword11 = 0; dword11 <= 0xFFFF; dword11++) {
            assertThat(InterruptCoalescing.ofDword11(dword11).toDword11()).isEqualTo(dword11);
        }
    }

    @Test
    void reservedBitsAreIgnored() {
        assertThat(InterruptCoalescing.ofDword11(0xABCD_0102)).isEqualTo(InterruptCoalescing.ofDword11(0x0102));
    }

    @ParameterizedTest
    @CsvSource({"1, 0, false", "1, 100000, false", "256, 0, false", "2, 100000, true", "256, 25500000, true"})
    void itIsOffIfEitherFieldOfTheRegisterIsZero(int threshold, long timeNs, boolean on) {
        assertThat(new InterruptCoalescing(threshold, timeNs).on()).isEqualTo(on);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 257})
    void aThresholdOutsideTheRegisterIsRefused(int threshold) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InterruptCoalescing(threshold, 0))
                .withMessage("threshold must be 1 to 256, was " + threshold);
    }

    @ParameterizedTest
    @ValueSource(longs = {-100_000, 1, 150_000, 25_600_000})
    void aTimeThatIsNoStepOfTheRegisterIsRefused(long timeNs) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InterruptCoalescing(1, timeNs))
                .withMessage("time must be 0 to 25500000 ns in steps of 100000 ns, was %d ns", timeNs);
    }
}
