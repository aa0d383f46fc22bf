package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioSyntaxException.quote;

import com.google.common.collect.ImmutableMap;
import java.math.BigInteger;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers with fio's suffixes. For amounts, {@code k m g t p} are powers of {@code kb_base}, 1024 unless told otherwise,
 * and {@code ki mi gi ti pi} those of the other base, 1000: with fio's default the two are the reverse of the IEC's. A
 * {@code b} may follow either. Letters may be of either case, and 0x begins a hexadecimal number.
 */
final class Quantity {
    private static final Pattern NUMBER = Pattern.compile("([+-]?)(0[xX][0-9a-fA-F]+|[0-9]+)([a-zA-Z]*)");
    private static final int LONGEST_NUMBER = 40;
    private static final String POWERS = "kmgtp";

    private static final ImmutableMap<String, Long> TIME_UNITS_NS = ImmutableMap.<String, Long>builder()
            .put("us", 1_000L)
            .put("usec", 1_000L)
            .put("ms", 1_000_000L)
            .put("msec", 1_000_000L)
            .put("s", 1_000_000_000L)
            .put("sec", 1_000_000_000L)
            .put("m", 60_000_000_000L)
            .put("h", 3_600_000_000_000L)
            .put("d", 86_400_000_000_000L)
            .buildOrThrow();

    private Quantity() {}

    /** Reads an amount, and checks its range. */
    static long amount(Assignment written, String text, int kbBase, long min, long max, String expected) {
        Matcher number = match(written, text, expected);
        String unit = number.group(3).toLowerCase(Locale.ROOT);
        BigInteger factor = amountUnit(unit, kbBase);
        if (factor.signum() == 0) {
            throw written.fault(quote(text) + " has the unknown unit " + quote(number.group(3))
                    + "; the units are k, m, g, t and p");
        }
        return checked(written, text, value(number).multiply(factor), min, max, expected);
    }

    /** Reads a time in nanoseconds, and checks its range. */
    static long timeNs(Assignment written, String text, String plainUnit, long maxNs, String expected) {
        Matcher number = match(written, text, expected);
        String unit = number.group(3).isEmpty() ? plainUnit : number.group(3).toLowerCase(Locale.ROOT);
        Long factor = TIME_UNITS_NS.get(unit);
        if (factor == null) {
            throw written.fault(quote(text) + " has the unknown unit " + quote(number.group(3))
                    + "; the units are us, ms, s, m, h and d");
        }
        return checked(written, text, value(number).multiply(BigInteger.valueOf(factor)), 0, maxNs, expected);
    }

    private static Matcher match(Assignment written, String text, String expected) {
        Matcher number = NUMBER.matcher(text);
        if (text.length() > LONGEST_NUMBER || !number.matches()) {
            throw written.fault(quote(text) + " is not a whole number; expected " + expected);
        }
        return number;
    }

    private static BigInteger value(Matcher number) {
        String digits = number.group(2);
        BigInteger value = digits.length() > 1 && Character.toLowerCase(digits.charAt(1)) == 'x'
                ? new BigInteger(digits.substring(2), 16)
                : new BigInteger(digits);
        return number.group(1).equals("-") ? value.negate() : value;
    }

    /** Returns what a unit stands for, or 0 if there is no such unit. */
    private static BigInteger amountUnit(String unit, int kbBase) {
        String prefix = unit.endsWith("b") ? unit.substring(0, unit.length() - 1) : unit;
        if (prefix.isEmpty()) {
            return BigInteger.ONE;
        }
        boolean other = prefix.endsWith("i");
        String letter = other ? prefix.substring(0, prefix.length() - 1) : prefix;
        int power = letter.length() == 1 ? POWERS.indexOf(letter) + 1 : 0;
        if (power == 0) {
            return BigInteger.ZERO;
        }
        int base = other ? 2024 - kbBase : kbBase;
        return BigInteger.valueOf(base).pow(power);
    }

    private static long checked(
            Assignment written, String text, BigInteger value, long min, long max, String expected) {
        if (value.compareTo(BigInteger.valueOf(min)) < 0) {
            throw written.fault(quote(text) + " is too small; expected " + expected);
        }
        if (value.compareTo(BigInteger.valueOf(max)) > 0) {
            throw written.fault(quote(text) + " is too large; expected " + expected);
        }
        return value.longValueExact();
    }
}
