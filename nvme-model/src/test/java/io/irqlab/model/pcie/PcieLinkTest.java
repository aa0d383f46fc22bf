package io.irqlab.model.pcie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PcieLinkTest {
    private static final int BLOCK_BYTES = 4096;

    @Test
    void aReadOfFourKiBCosts4568BytesAtAPayloadOf256() {
        assertThat(new PcieLink(4, 4, 256).upstreamBytesOfRead(BLOCK_BYTES)).isEqualTo(16 * 280 + 40 + 24 + 24);
    }

    @ParameterizedTest
    @CsvSource({"128, 4952", "256, 4568", "512, 4376", "4096, 4208"})
    void theSmallerThePayloadTheMoreBytesARead(int maxPayloadBytes, long bytes) {
        assertThat(new PcieLink(5, 4, maxPayloadBytes).upstreamBytesOfRead(BLOCK_BYTES))
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0, 88", "1, 113", "255, 367", "256, 368", "257, 393", "512, 648"})
    void everyBegunPayloadIsATlpOfItsOwn(long dataBytes, long bytes) {
        assertThat(new PcieLink(4, 4, 256).upstreamBytesOfRead(dataBytes)).isEqualTo(bytes);
    }

    /** The published link bounds: 1.72M on Gen4 x4 and 3.45M on Gen5 x4 at 256 bytes, 1.80M and 3.60M at 512. */
    @ParameterizedTest
    @CsvSource({"4, 256, 1.72e6", "5, 256, 3.45e6", "4, 512, 1.80e6", "5, 512, 3.60e6"})
    void fourLanesCarryThePublishedNumberOfReads(int generation, int maxPayloadBytes, double readsPerSecond) {
        var link = new PcieLink(generation, 4, maxPayloadBytes);

        assertThat((double) link.bytesPerSecond() / link.upstreamBytesOfRead(BLOCK_BYTES))
                .isCloseTo(readsPerSecond, Percentage.withPercentage(1));
        assertThat(1e9 / link.transferNs(link.upstreamBytesOfRead(BLOCK_BYTES)))
                .isCloseTo(readsPerSecond, Percentage.withPercentage(1));
    }

    /** Lane rates of 0.985, 1.969 and 3.938 GB/s after 128b/130b; 7.375 GB/s for the TLP share of a Gen6 flit. */
    @ParameterizedTest
    @CsvSource({"3, 0.985e9", "4, 1.969e9", "5, 3.938e9", "6, 7.375e9"})
    void aLaneHasTheRateOfItsGenerationAfterCoding(int generation, double bytesPerSecond) {
        assertThat((double) new PcieLink(generation, 1, 256).bytesPerSecond())
                .isCloseTo(bytesPerSecond, Percentage.withPercentage(0.05));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void lanesAddUp(int lanes) {
        assertThat(new PcieLink(5, lanes, 256).bytesPerSecond())
                .isEqualTo(lanes * new PcieLink(5, 1, 256).bytesPerSecond());
    }

    @Test
    void aTransferIsRoundedUpToWholeNanoseconds() {
        var link = new PcieLink(4, 4, 256); // 7.876923072 bytes a nanosecond

        assertThat(link.transferNs(0)).isZero();
        assertThat(link.transferNs(1)).isEqualTo(1);
        assertThat(link.transferNs(7)).isEqualTo(1);
        assertThat(link.transferNs(8)).isEqualTo(2);
        assertThat(link.transferNs(4568)).isEqualTo(580);
    }

    @Test
    void theLargestReadDoesNotOverflow() {
        var link = new PcieLink(3, 1, 128);
        long bytes = link.upstreamBytesOfRead(1L << 30);

        assertThat((double) link.transferNs(bytes)).isCloseTo(bytes * 1e9 / link.bytesPerSecond(), within(1.0));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void anUnknownGenerationIsRefused(int generation) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PcieLink(generation, 4, 256))
                .withMessage("PCIe generation must be 3 to 6, was " + generation);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 3, 12, 32})
    void aWidthThatNoLinkHasIsRefused(int lanes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PcieLink(4, lanes, 256))
                .withMessage("lanes must be 1, 2, 4, 8 or 16, was " + lanes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 300, 8192})
    void aPayloadSizeThatCannotBeSetIsRefused(int maxPayloadBytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PcieLink(4, 4, maxPayloadBytes))
                .withMessage("maximum payload must be a power of two from 128 to 4096 bytes, was %d", maxPayloadBytes);
    }

    @Test
    void theEndsOfEveryRangeAreAccepted() {
        assertThat(new PcieLink(3, 1, 128).bytesPerSecond()).isPositive();
        assertThat(new PcieLink(6, 16, 4096).bytesPerSecond()).isPositive();
    }
}
