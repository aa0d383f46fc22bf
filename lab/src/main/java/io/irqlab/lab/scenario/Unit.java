package io.irqlab.lab.scenario;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A unit that files may use. Each belongs to a dimension and is a whole multiple of that dimension's base unit. */
public enum Unit {
    /** Nanoseconds, the base unit of time. */
    NANOSECONDS("ns", Dimension.TIME, 1),
    /** Microseconds. */
    MICROSECONDS("us", Dimension.TIME, 1_000),
    /** Milliseconds. */
    MILLISECONDS("ms", Dimension.TIME, 1_000_000),
    /** Seconds. */
    SECONDS("s", Dimension.TIME, 1_000_000_000),
    /** Events per second. */
    PER_SECOND("1/s", Dimension.RATE, 1),
    /** Bytes, the base unit of size. */
    BYTES("bytes", Dimension.SIZE, 1),
    /** Units of 1024 bytes. */
    KIBIBYTES("KiB", Dimension.SIZE, 1_024),
    /** How many of something. */
    COUNT("count", Dimension.COUNT, 1),
    /** Cases in a million. */
    PER_MILLION("per_million", Dimension.SHARE, 1),
    /** A bare number, such as a shape parameter or a generation. */
    NUMBER("number", Dimension.NUMBER, 1);

    /** What can be converted into each other. */
    enum Dimension {
        TIME("time"),
        RATE("rate"),
        SIZE("size"),
        COUNT("count"),
        SHARE("share"),
        NUMBER("number");

        private final String word;

        Dimension(String word) {
            this.word = word;
        }

        /** Returns what messages call it. */
        String word() {
            return word;
        }

        List<String> symbols() {
            return Arrays.stream(Unit.values())
                    .filter(unit -> unit.dimension == this)
                    .map(Unit::symbol)
                    .toList();
        }

        /** Returns an amount of the base unit in the largest unit that keeps it whole. */
        String format(BigDecimal amount) {
            Unit best = base();
            for (Unit unit : Unit.values()) {
                if (unit.dimension == this
                        && amount.signum() != 0
                        && amount.remainder(unit.factor).signum() == 0) {
                    best = unit;
                }
            }
            return amount.divide(best.factor).stripTrailingZeros().toPlainString() + best.suffix();
        }

        private Unit base() {
            return Arrays.stream(Unit.values())
                    .filter(unit -> unit.dimension == this)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private final String symbol;
    private final Dimension dimension;
    private final BigDecimal factor;

    Unit(String symbol, Dimension dimension, long factor) {
        this.symbol = symbol;
        this.dimension = dimension;
        this.factor = BigDecimal.valueOf(factor);
    }

    /**
     * Returns what files write.
     *
     * @return for example {@code us}
     */
    public String symbol() {
        return symbol;
    }

    /**
     * Returns a time in the largest unit that keeps it whole.
     *
     * @param ns the time in nanoseconds
     * @return for example {@code 200 ms}
     */
    public static String formatTime(long ns) {
        return Dimension.TIME.format(BigDecimal.valueOf(ns));
    }

    /** Returns the symbol as it follows a number in a sentence: nothing for counts and bare numbers. */
    String suffix() {
        return this == COUNT || this == NUMBER ? "" : " " + symbol;
    }

    Dimension dimension() {
        return dimension;
    }

    BigDecimal toBase(BigDecimal value) {
        return value.multiply(factor);
    }

    static Optional<Unit> of(String symbol) {
        return Arrays.stream(values())
                .filter(unit -> unit.symbol.equals(symbol))
                .findFirst();
    }
}
