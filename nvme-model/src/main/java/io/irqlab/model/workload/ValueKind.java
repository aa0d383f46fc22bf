package io.irqlab.model.workload;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.irqlab.model.workload.FioSyntaxException.quote;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.irqlab.core.spi.NearestName;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * What may stand right of an option's {@code =}.
 *
 * @param expected what that is, in words that fit after "expected" in a message and into a table
 * @param plain what an option without {@code =} means; empty if it needs a value
 * @param parser reads it
 * @param <T> what comes of it
 */
record ValueKind<T>(String expected, String plain, Parser<T> parser) {

    /** Reads a value, which is not blank, or a part of one. */
    @FunctionalInterface
    interface Parser<T> {
        /** Returns the value, or throws what {@link Assignment#fault} makes. */
        T parse(Assignment written, String text, int kbBase);
    }

    static <T> ValueKind<T> of(String expected, Parser<T> parser) {
        return new ValueKind<>(expected, "", parser);
    }

    <U> ValueKind<U> map(Function<T, U> function) {
        return new ValueKind<>(
                expected, plain, (written, text, kbBase) -> function.apply(parser.parse(written, text, kbBase)));
    }

    /** Any text. */
    static ValueKind<String> text() {
        return of("any text", (written, text, kbBase) -> text);
    }

    /** A whole number; a suffix is allowed, as everywhere in fio. */
    static ValueKind<Integer> integer(int min, int max) {
        String expected = min + " to " + max;
        return of(
                expected, (written, text, kbBase) -> (int) Quantity.amount(written, text, kbBase, min, max, expected));
    }

    /** An amount, such as a number of bytes. */
    static ValueKind<Long> amount(long max, String expected) {
        return of(expected, (written, text, kbBase) -> Quantity.amount(written, text, kbBase, 0, max, expected));
    }

    /** A time in nanoseconds; without a suffix it counts the unit named. */
    static ValueKind<Long> timeNs(String plainUnit, long maxNs, String expected) {
        return of(expected, (written, text, kbBase) -> Quantity.timeNs(written, text, plainUnit, maxNs, expected));
    }

    /** 0 or 1. */
    static ValueKind<Boolean> bool() {
        String expected = "0 or 1";
        return of(expected, (written, text, kbBase) -> switch (text) {
            case "0" -> false;
            case "1" -> true;
            default -> throw written.fault(quote(text) + " is neither 0 nor 1; expected " + expected);
        });
    }

    /** 0 or 1, or the bare option for 1. */
    static ValueKind<Boolean> flag() {
        return new ValueKind<>("nothing, or 0 or 1", "1", bool().parser());
    }

    /** One of some names. */
    static <E extends Enum<E>> ValueKind<E> choice(Class<E> type) {
        return choice(byName(type), ImmutableSet.of());
    }

    /** One of some names, some others being known to fio alone. */
    static <T> ValueKind<T> choice(ImmutableMap<String, T> valid, ImmutableSet<String> notModelled) {
        String expected = String.join(", ", valid.keySet());
        return of(expected, (written, text, kbBase) -> {
            T found = valid.get(text);
            if (found != null) {
                return found;
            }
            if (notModelled.contains(text)) {
                throw written.fault(quote(text) + " is not modelled; expected " + expected);
            }
            throw written.fault(quote(text) + " is not one of " + expected + didYouMean(text, valid.keySet()));
        });
    }

    /** The constants of an enum under their names in lower case. */
    static <E extends Enum<E>> ImmutableMap<String, E> byName(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .collect(toImmutableMap(each -> each.name().toLowerCase(Locale.ROOT), each -> each));
    }

    /**
     * One value for all directions, or several with commas between: the first is for reads, the second for writes, the
     * third for trims. The last also counts for the directions after it, unless a comma ends the list; an empty one
     * leaves its direction as it was.
     */
    static <T> ValueKind<ImmutableMap<Direction, T>> perDirection(ValueKind<T> element) {
        String expected = element.expected() + "; or read,write,trim";
        return of(expected, (written, text, kbBase) -> {
            List<String> parts =
                    Arrays.stream(text.split(",", -1)).map(String::strip).toList();
            List<Direction> directions = List.of(Direction.values());
            boolean closed = parts.size() > 1 && parts.get(parts.size() - 1).isEmpty();
            List<String> values = closed ? parts.subList(0, parts.size() - 1) : parts;
            if (values.size() > directions.size()) {
                throw written.fault(quote(text) + " has more than three values; expected " + expected);
            }
            Map<Direction, T> result = new EnumMap<>(Direction.class);
            for (int i = 0; i < directions.size(); i++) {
                int index = closed ? i : Math.min(i, values.size() - 1);
                if (index < values.size() && !values.get(index).isEmpty()) {
                    result.put(directions.get(i), element.parser().parse(written, values.get(index), kbBase));
                }
            }
            return ImmutableMap.copyOf(result);
        });
    }

    /** Returns the end of a message about a wrong name: the right one, if one is near. */
    static String didYouMean(String text, Collection<String> valid) {
        final int longest = 64;
        if (text.length() > longest) {
            return "";
        }
        String lower = text.toLowerCase(Locale.ROOT);
        // One or two letters are near to everything short: ask for the first to be right.
        List<String> candidates = valid.stream()
                .filter(name -> lower.length() > 2 || name.startsWith(lower.substring(0, Math.min(1, lower.length()))))
                .toList();
        return NearestName.of(lower, candidates)
                .map(name -> "; did you mean " + quote(name) + "?")
                .orElse("");
    }
}
