package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.core.engine.DelayDistribution;
import org.junit.jupiter.api.Test;

final class NvmeTimingTest {
    private static final DelayDistribution MEDIA = DelayDistribution.constant(10_000);

    @Test
    void valuesOutsideTheirRangesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 0, 1, 0, 1, 0, 0))
                .withMessage("iops must be 1 to 10^9, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 1_000_000_001, 1, 0, 1, 0, 0))
                .withMessage("iops must be 1 to 10^9, was 1000000001");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 1, 0, 0, 1, 0, 0))
                .withMessage("command slots must be 1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 1, 1, -1, 1, 0, 0))
                .withMessage("fetch time must be 0 ns or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 1, 1, 0, 0, 0, 0))
                .withMessage("fetch burst must be 1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 1, 1, 0, 1, -1, 0))
                .withMessage("times of a feature must be 0 ns or more, were -1 and 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new NvmeTiming(MEDIA, 1, 1, 0, 1, 0, -2))
                .withMessage("times of a feature must be 0 ns or more, were 0 and -2");
    }

    @Test
    void theEndsOfTheRangesAreAccepted() {
        assertThat(new NvmeTiming(MEDIA, 1_000_000_000, 1, 0, 1, 0, 0).maxIops())
                .isEqualTo(1_000_000_000);
        assertThat(new NvmeTiming(MEDIA, 1, 1, 0, 1, 0, 0).maxIops()).isEqualTo(1);
    }
}
