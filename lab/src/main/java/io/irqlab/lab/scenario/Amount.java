package io.irqlab.lab.scenario;

import static java.util.Objects.requireNonNullElse;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number with the unit that followed it, as a user writes it: {@code 200ms}, {@code 1.5 us}, {@code 64}.
 *
 * @param number the number
 * @param unit what followed it; empty if nothing did
 */
record Amount(BigDecimal number, String unit) {
    /** Digits are bounded, so that no later arithmetic can take long. */
    private static final Pattern SYNTAX =
            Pattern.compile("([+-]?\\d{1,18}(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,2})?)(?:\\s+(1/s)|\\s*([A-Za-z_%]+))?");

    /** Reads an amount; none if the text does not begin with a number. */
    static Optional<Amount> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String unit = requireNonNullElse(matcher.group(2), requireNonNullElse(matcher.group(3), ""));
        return Optional.of(new Amount(new BigDecimal(matcher.group(1)), unit));
    }

    /** Says what is wrong with a unit that is none of a dimension. */
    static String wrongUnit(String unit, Unit.Dimension dimension) {
        return "%s is no unit of %s; expected %s"
                .formatted(PrintableText.quote(unit), dimension.word(), String.join(", ", dimension.symbols()));
    }
}
