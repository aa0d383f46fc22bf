package io.irqlab.lab.scenario;

import com.google.common.collect.ImmutableList;
import io.irqlab.lab.scenario.Unit.Dimension;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The amounts that a value may have. All are in base units of the dimension.
 *
 * @param dimension what is counted
 * @param min the least
 * @param max the greatest
 * @param step what every amount is a multiple of; 0 for any amount
 * @param among the only amounts allowed; empty for any from {@code min} to {@code max}
 */
record Range(Dimension dimension, BigDecimal min, BigDecimal max, BigDecimal step, ImmutableList<BigDecimal> among) {

    /** Returns the whole numbers of base units from one to another. */
    static Range whole(Dimension dimension, long min, long max) {
        return new Range(
                dimension, BigDecimal.valueOf(min), BigDecimal.valueOf(max), BigDecimal.ONE, ImmutableList.of());
    }

    /** Returns the whole numbers of a unit from one to another. */
    static Range wholeUnits(Unit unit, long min, long max) {
        return new Range(
                unit.dimension(),
                unit.toBase(BigDecimal.valueOf(min)),
                unit.toBase(BigDecimal.valueOf(max)),
                unit.toBase(BigDecimal.ONE),
                ImmutableList.of());
    }

    /** Returns all numbers from one to another. */
    static Range real(Dimension dimension, double min, double max) {
        return new Range(
                dimension, BigDecimal.valueOf(min), BigDecimal.valueOf(max), BigDecimal.ZERO, ImmutableList.of());
    }

    /** Returns a few amounts, in ascending order. */
    static Range among(Dimension dimension, long... amounts) {
        ImmutableList<BigDecimal> among =
                Arrays.stream(amounts).mapToObj(BigDecimal::valueOf).collect(ImmutableList.toImmutableList());
        return new Range(dimension, among.get(0), among.get(among.size() - 1), BigDecimal.ZERO, among);
    }

    /** Says what is wrong with an amount, if anything is. */
    Optional<String> problem(BigDecimal number, Unit unit) {
        BigDecimal amount = unit.toBase(number);
        boolean allowed = among.isEmpty()
                ? amount.compareTo(min) >= 0 && amount.compareTo(max) <= 0
                : among.stream().anyMatch(one -> one.compareTo(amount) == 0);
        if (!allowed) {
            return Optional.of("%s%s is out of range; expected %s".formatted(number, unit.suffix(), this));
        }
        if (step.signum() != 0 && amount.remainder(step).signum() != 0) {
            return Optional.of("%s%s is no multiple of %s; expected %s"
                    .formatted(number, unit.suffix(), dimension.format(step), this));
        }
        return Optional.empty();
    }

    /** Returns the range as messages print it: {@code 1 to 1024}, {@code 0 to 1 s} or {@code one of 1, 2, 4}. */
    @Override
    public String toString() {
        if (!among.isEmpty()) {
            return "one of " + among.stream().map(dimension::format).collect(Collectors.joining(", "));
        }
        String high = dimension.format(max);
        return (min.signum() == 0 ? "0" : dimension.format(min)) + " to " + high;
    }
}
