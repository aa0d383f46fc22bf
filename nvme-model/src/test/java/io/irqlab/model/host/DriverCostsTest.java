package io.irqlab.model.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class DriverCostsTest {

    @Test
    void noCostMayBeNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DriverCosts(-1, 2, 3, 4))
                .withMessage("costs must not be negative, were -1, 2, 3, 4 ns");
        assertThatIllegalArgumentException().isThrownBy(() -> new DriverCosts(1, -2, 3, 4));
        assertThatIllegalArgumentException().isThrownBy(() -> new DriverCosts(1, 2, -3, 4));
        assertThatIllegalArgumentException().isThrownBy(() -> new DriverCosts(1, 2, 3, -4));
        assertThat(new DriverCosts(0, 0, 0, 0).reapNs()).isZero();
    }
}
