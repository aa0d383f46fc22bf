package io.irqlab.lab.scenario;

import io.irqlab.lab.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads a YAML file into {@link YamlNode}s. Takes plain data only: one document, whose root is a mapping, without tags,
 * anchors and aliases, and with keys that are unique.
 */
final class YamlReader {
    private static final int MAX_DEPTH = 16;
    private static final int MAX_TEXT = 4_096;
    private static final Pattern PLACE = Pattern.compile("line (\\d+), column \\d+");
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_TEXT)
                    .maxNameLength(MAX_TEXT)
                    .build())
            .build();

    private final String file;
    private final YAMLParser parser;
    private int lastLine = 1;

    private YamlReader(String file, YAMLParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * Reads a file.
     *
     * @throws InvalidInputException if it is no YAML, or YAML of a kind that is not taken
     */
    static YamlNode.Mapping read(SourceFile source) {
        String file = source.displayName();
        String text = source.text();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            return new YamlReader(file, (YAMLParser) parser).document();
        } catch (JacksonException e) {
            throw new InvalidInputException(syntaxError(file, e));
        }
    }

    private YamlNode.Mapping document() {
        try {
            return root();
        } catch (StreamConstraintsException e) {
            throw fault(
                    lastLine,
                    "is nested deeper than %d levels, or has a text longer than %d characters"
                            .formatted(MAX_DEPTH, MAX_TEXT));
        }
    }

    private YamlNode.Mapping root() {
        JsonToken first = parser.nextToken();
        if (first != JsonToken.START_OBJECT) {
            throw fault(first == null ? 1 : line(), "expected a mapping (lines of 'key: value')");
        }
        refuseTagsAndAliases();
        YamlNode.Mapping root = mapping();
        if (parser.nextToken() != null) {
            throw fault(line(), "a second document begins here; expected one");
        }
        return root;
    }

    private YamlNode.Mapping mapping() {
        int line = line();
        var entries = new LinkedHashMap<String, YamlNode.Entry>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String key = parser.currentName();
            int keyLine = line();
            YamlNode.Entry first = entries.get(key);
            if (first != null) {
                throw fault(keyLine, "%s is already on line %d".formatted(PrintableText.quote(key), first.keyLine()));
            }
            entries.put(key, new YamlNode.Entry(keyLine, value(parser.nextToken())));
        }
        return new YamlNode.Mapping(line, entries);
    }

    private YamlNode value(@Nullable JsonToken token) {
        refuseTagsAndAliases();
        if (token == null) {
            throw fault(line(), "the file ends in the middle of a value");
        }
        return switch (token) {
            case START_OBJECT -> mapping();
            case START_ARRAY -> sequence();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(Scalar.Type.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(Scalar.Type.BOOLEAN);
            case VALUE_NULL -> new Scalar(line(), "", Scalar.Type.NULL);
            case VALUE_STRING -> parser.getString().isEmpty() ? scalar(Scalar.Type.NULL) : scalar(Scalar.Type.TEXT);
            default -> throw fault(line(), "expected a value, was " + token);
        };
    }

    private YamlNode.Sequence sequence() {
        int line = line();
        List<YamlNode> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(token));
        }
        return new YamlNode.Sequence(line, items);
    }

    private Scalar scalar(Scalar.Type type) {
        return new Scalar(line(), parser.getString(), type);
    }

    private void refuseTagsAndAliases() {
        if (parser.isCurrentAlias()) {
            throw fault(line(), "aliases (*name) are not taken; write the value again");
        }
        if (parser.getTypeId() != null) {
            throw fault(line(), "tags (!name) are not taken; write the value alone");
        }
    }

    private int line() {
        lastLine = parser.currentTokenLocation().getLineNr();
        return lastLine;
    }

    private InvalidInputException fault(int line, String problem) {
        return new InvalidInputException("%s:%d: %s".formatted(file, line, problem));
    }

    /** Makes one line of the parser's several: its sentences, and the last place that it names. */
    private static String syntaxError(String file, JacksonException e) {
        String message = e.getOriginalMessage();
        int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
        Matcher places = PLACE.matcher(message);
        while (places.find()) {
            line = Integer.parseInt(places.group(1));
        }
        String sentences = String.join(
                ", ",
                message.lines()
                        .filter(part -> !part.isBlank() && !part.startsWith(" "))
                        .toList());
        return "%s:%d: is not valid YAML: %s".formatted(file, line, sentences);
    }
}
