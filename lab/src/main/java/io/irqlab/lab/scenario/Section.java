package io.irqlab.lab.scenario;

import static java.util.Objects.requireNonNull;

import io.irqlab.core.spi.NearestName;
import io.irqlab.lab.scenario.Unit.Dimension;
import io.irqlab.lab.scenario.YamlNode.Scalar;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a file, as the code that binds it to a record sees it: every access names a key, checks what stands
 * there and applies what the user set instead.
 */
final class Section {
    private final Loading loading;
    private final SourceFile file;
    private final YamlNode.Mapping node;
    private final String key;
    private final String path;

    private Section(Loading loading, SourceFile file, YamlNode.Mapping node, String key, String path) {
        this.loading = loading;
        this.file = file;
        this.node = node;
        this.key = key;
        this.path = path;
    }

    /**
     * Reads a file.
     *
     * @param path what stands in front of its keys in {@code --set}
     */
    static Section of(Loading loading, SourceFile file, String path) {
        return new Section(loading, file, YamlReader.read(file), "", path);
    }

    /** Returns the file in which this section stands. */
    SourceFile file() {
        return file;
    }

    /** Returns what loads this section. */
    Loading loading() {
        return loading;
    }

    /** Returns the path of this section in {@code --set}. */
    String path() {
        return path;
    }

    /** Checks that there are no other keys than these. */
    Section only(String... keys) {
        List<String> known = Arrays.asList(keys);
        node.entries().forEach((name, entry) -> {
            if (!known.contains(name)) {
                throw unknown(entry.keyLine(), name, known);
            }
        });
        return this;
    }

    /** Returns the keys in the order of the file, each of them one of those known. */
    List<String> keysAmong(Collection<String> known) {
        node.entries().forEach((name, entry) -> {
            if (!known.contains(name)) {
                throw unknown(entry.keyLine(), name, known);
            }
        });
        return List.copyOf(node.entries().keySet());
    }

    private InvalidInputException unknown(int line, String name, Collection<String> known) {
        return fault(
                line,
                name,
                "is unknown%s; known: %s"
                        .formatted(
                                NearestName.of(name, known)
                                        .map(near -> ", did you mean '" + near + "'?")
                                        .orElse(""),
                                String.join(", ", known)));
    }

    /** Returns whether the file has a key. */
    boolean has(String name) {
        return node.entries().containsKey(name);
    }

    /** Returns a mapping within this one. */
    Section section(String name) {
        YamlNode value = required(name);
        if (!(value instanceof YamlNode.Mapping mapping)) {
            throw fault(value.line(), name, "expected a mapping, was " + value.kind());
        }
        return new Section(loading, file, mapping, keyOf(name), path + "." + name);
    }

    /** Returns a mapping of names to mappings, at least one. */
    Map<String, Section> sections(String name) {
        Section parent = section(name);
        if (parent.node.entries().isEmpty()) {
            throw fault(parent.node.line(), name, "is empty; expected one entry at least");
        }
        var sections = new LinkedHashMap<String, Section>();
        for (String child : parent.node.entries().keySet()) {
            if (!child.matches("[A-Za-z0-9_-]{1,32}")) {
                throw parent.fault(
                        parent.lineOf(child), child, "is no name; expected up to 32 letters, digits, '_' and '-'");
            }
            sections.put(child, parent.section(child));
        }
        return sections;
    }

    /** Returns a plain text, such as a description or a reference to another file. */
    String text(String name) {
        return textOf(name, required(name));
    }

    /** Returns the file that a text refers to: by a name that comes with irqlab, or by a path beside this file. */
    SourceFile reference(String name, FileKind kind) {
        String reference = text(name);
        SourceFile referred;
        try {
            referred = kind.isPath(reference) ? file.beside(reference) : kind.builtIn(reference);
        } catch (InvalidInputException e) {
            throw fault(lineOf(name), name, requireNonNull(e.getMessage()));
        }
        if (!referred.exists()) {
            throw fault(lineOf(name), name, "there is no file " + referred.displayName());
        }
        return referred;
    }

    /** Returns a list of plain texts, at least one, each with its place. */
    List<PlacedText> texts(String name) {
        YamlNode value = required(name);
        if (!(value instanceof YamlNode.Sequence sequence)) {
            throw fault(value.line(), name, "expected a list, was " + value.kind());
        }
        if (sequence.items().isEmpty()) {
            throw fault(value.line(), name, "is empty; expected one entry at least");
        }
        var texts = new ArrayList<PlacedText>();
        for (YamlNode item : sequence.items()) {
            texts.add(new PlacedText(textOf(name, item), place(item.line()) + ": " + keyOf(name)));
        }
        return texts;
    }

    /** Returns a list of mappings; none if the key is missing. In {@code --set} they are numbered from 1. */
    List<Section> optionalList(String name) {
        YamlNode.@Nullable Entry entry = node.entries().get(name);
        if (entry == null) {
            return List.of();
        }
        if (!(entry.value() instanceof YamlNode.Sequence sequence)) {
            throw fault(
                    entry.value().line(),
                    name,
                    "expected a list, was " + entry.value().kind());
        }
        var sections = new ArrayList<Section>();
        for (YamlNode item : sequence.items()) {
            if (!(item instanceof YamlNode.Mapping mapping)) {
                throw fault(item.line(), name, "expected a mapping, was " + item.kind());
            }
            int number = sections.size() + 1;
            sections.add(new Section(loading, file, mapping, keyOf(name), path + "." + name + "." + number));
        }
        return sections;
    }

    /** Returns a mapping of names to texts or numbers as written, at least one. */
    Map<String, String> scalars(String name) {
        Section parent = section(name);
        if (parent.node.entries().isEmpty()) {
            throw fault(parent.node.line(), name, "is empty; expected one entry at least");
        }
        var scalars = new LinkedHashMap<String, String>();
        parent.node.entries().forEach((child, entry) -> {
            if (!(entry.value() instanceof Scalar scalar) || scalar.type() == Scalar.Type.NULL) {
                throw parent.fault(
                        entry.keyLine(),
                        child,
                        "expected a number, was " + entry.value().kind());
            }
            scalars.put(child, scalar.text());
        });
        return scalars;
    }

    /** Returns the place of a key, for messages about its value. */
    String placeOf(String name) {
        return place(lineOf(name)) + ": " + keyOf(name);
    }

    private String textOf(String name, YamlNode value) {
        if (value instanceof Scalar scalar && scalar.type() == Scalar.Type.TEXT) {
            return scalar.text();
        }
        throw fault(value.line(), name, "expected a text, was " + value.kind());
    }

    /** Returns a plain time with its unit, such as {@code 200 ms}, in nanoseconds. */
    long plainTimeNs(String name, long minNs, long maxNs) {
        Range range = Range.whole(Dimension.TIME, minNs, maxNs);
        YamlNode value = required(name);
        long written = timeNs(
                value instanceof Scalar scalar ? scalar.text() : "",
                range,
                problem -> fault(value.line(), name, problem));
        return loading.setting(path + "." + name)
                .map(setting -> timeNs(setting.text(), range, setting::fault))
                .orElse(written);
    }

    private static long timeNs(String text, Range range, Faults faults) {
        Amount amount = Amount.parse(text).orElse(null);
        if (amount == null || amount.unit().isEmpty()) {
            throw faults.of("%s is no time with a unit; expected %s, such as 200ms"
                    .formatted(PrintableText.quote(text), range));
        }
        Unit unit = unitOf(amount.unit(), range.dimension(), faults);
        range.problem(amount.number(), unit).ifPresent(problem -> {
            throw faults.of(problem);
        });
        return unit.toBase(amount.number()).longValueExact();
    }

    /** Returns a time in nanoseconds. */
    long timeNs(String name, long minNs, long maxNs) {
        return quantity(name, Range.whole(Dimension.TIME, minNs, maxNs)).longValueExact();
    }

    /** Returns a time in seconds. */
    int timeSeconds(String name, int minSeconds, int maxSeconds) {
        long ns = quantity(name, Range.wholeUnits(Unit.SECONDS, minSeconds, maxSeconds))
                .longValueExact();
        return (int) (ns / 1_000_000_000L);
    }

    /** Returns a rate per second. */
    long ratePerSecond(String name, long min, long max) {
        return quantity(name, Range.whole(Dimension.RATE, min, max)).longValueExact();
    }

    /** Returns a size in bytes, one of a few. */
    int sizeBytesAmong(String name, long... sizes) {
        return quantity(name, Range.among(Dimension.SIZE, sizes)).intValueExact();
    }

    /** Returns a number of things, one of a few. */
    int countAmong(String name, long... counts) {
        return quantity(name, Range.among(Dimension.COUNT, counts)).intValueExact();
    }

    /** Returns a number of things. */
    int count(String name, int min, int max) {
        return quantity(name, Range.whole(Dimension.COUNT, min, max)).intValueExact();
    }

    /** Returns cases in a million. */
    int perMillion(String name) {
        return quantity(name, Range.whole(Dimension.SHARE, 0, 1_000_000)).intValueExact();
    }

    /** Returns a bare number that is whole. */
    int wholeNumber(String name, int min, int max) {
        return quantity(name, Range.whole(Dimension.NUMBER, min, max)).intValueExact();
    }

    /** Returns a bare number. */
    double number(String name, double min, double max) {
        return quantity(name, Range.real(Dimension.NUMBER, min, max)).doubleValue();
    }

    /** Returns a value in base units, after it went on record with its provenance. */
    private BigDecimal quantity(String name, Range range) {
        Section entry = section(name).only("value", "unit", "grade", "source");
        BigDecimal number = entry.plainNumber("value");
        Unit unit = unitOf(
                entry.text("unit"), range.dimension(), problem -> entry.fault(entry.lineOf("unit"), "unit", problem));
        range.problem(number, unit).ifPresent(problem -> {
            throw entry.fault(entry.lineOf("value"), "value", problem);
        });
        ProfileValue value =
                new ProfileValue(entry.path, number.toPlainString(), number, unit, entry.grade(), entry.source());
        Setting setting = loading.setting(entry.path).orElse(null);
        if (setting != null) {
            value = set(setting, entry.path, range, unit);
            number = requireNonNull(value.number());
            unit = requireNonNull(value.unit());
        }
        loading.add(value);
        return unit.toBase(number);
    }

    private static ProfileValue set(Setting setting, String path, Range range, Unit fileUnit) {
        Amount amount = Amount.parse(setting.text()).orElse(null);
        if (amount == null) {
            throw setting.fault("%s is no number; expected %s".formatted(PrintableText.quote(setting.text()), range));
        }
        Unit unit = amount.unit().isEmpty() ? fileUnit : unitOf(amount.unit(), range.dimension(), setting::fault);
        range.problem(amount.number(), unit).ifPresent(problem -> {
            throw setting.fault(problem);
        });
        return new ProfileValue(
                path, amount.number().toPlainString(), amount.number(), unit, null, ProfileValue.SET_BY_USER);
    }

    /** Returns a value that is a name, one of those known. */
    String name(String name, Collection<String> known) {
        Section entry = section(name).only("value", "grade", "source");
        String text = entry.text("value");
        checkName(text, known, problem -> entry.fault(entry.lineOf("value"), "value", problem));
        var value = new ProfileValue(entry.path, text, null, null, entry.grade(), entry.source());
        Setting setting = loading.setting(entry.path).orElse(null);
        if (setting != null) {
            checkName(setting.text(), known, setting::fault);
            value = new ProfileValue(entry.path, setting.text(), null, null, null, ProfileValue.SET_BY_USER);
        }
        loading.add(value);
        return value.text();
    }

    private static void checkName(String text, Collection<String> known, Faults faults) {
        if (!known.contains(text)) {
            throw faults.of("%s is unknown%s; known: %s"
                    .formatted(
                            PrintableText.quote(text),
                            NearestName.of(text, known)
                                    .map(near -> ", did you mean '" + near + "'?")
                                    .orElse(""),
                            String.join(", ", known)));
        }
    }

    private BigDecimal plainNumber(String name) {
        YamlNode value = required(name);
        if (!(value instanceof Scalar scalar) || scalar.type() != Scalar.Type.NUMBER) {
            throw fault(value.line(), name, "expected a number, was " + value.kind());
        }
        return Amount.parse(scalar.text())
                .filter(amount -> amount.unit().isEmpty())
                .map(Amount::number)
                .orElseThrow(() -> fault(
                        value.line(),
                        name,
                        "expected a number of up to 18 digits, was " + PrintableText.quote(scalar.text())));
    }

    private Grade grade() {
        String word = text("grade");
        checkName(word, Grade.words(), problem -> fault(lineOf("grade"), "grade", problem));
        return Grade.of(word).orElseThrow();
    }

    private String source() {
        return text("source").strip();
    }

    private static Unit unitOf(String symbol, Dimension dimension, Faults faults) {
        Unit unit = Unit.of(symbol).orElse(null);
        if (unit == null || unit.dimension() != dimension) {
            throw faults.of(Amount.wrongUnit(symbol, dimension));
        }
        return unit;
    }

    private YamlNode required(String name) {
        YamlNode.Entry entry = node.entries().get(name);
        if (entry == null) {
            throw fault(node.line(), name, "is missing");
        }
        return entry.value();
    }

    /** Returns the line of a key, or of this section if it does not stand there. */
    int lineOf(String name) {
        YamlNode.@Nullable Entry entry = node.entries().get(name);
        return entry == null ? node.line() : entry.keyLine();
    }

    /** Says what is wrong with a key of this section. */
    InvalidInputException fault(int line, String name, String problem) {
        return new InvalidInputException("%s: %s: %s".formatted(place(line), keyOf(name), problem));
    }

    private String place(int line) {
        return file.displayName() + ":" + line;
    }

    private String keyOf(String name) {
        return key.isEmpty() ? name : key + "." + name;
    }

    /** Makes the exception of a problem, with the place in front. */
    @FunctionalInterface
    private interface Faults {
        InvalidInputException of(String problem);
    }
}
