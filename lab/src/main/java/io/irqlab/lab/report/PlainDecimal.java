package io.irqlab.lab.report;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Prints fractions for programs: without exponent and grouping, with at most six digits after the point. */
final class PlainDecimal {
    private static final int DECIMALS = 6;

    private PlainDecimal() {}

    static String of(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
