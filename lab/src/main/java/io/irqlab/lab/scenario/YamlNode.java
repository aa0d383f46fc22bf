package io.irqlab.lab.scenario;

import java.util.List;
import java.util.Map;

/** A piece of a YAML file that knows its line. */
sealed interface YamlNode {

    /** Returns the line on which it begins, from 1. */
    int line();

    /** Returns what messages call it. */
    String kind();

    /** A mapping, in the order of the file. */
    record Mapping(int line, Map<String, Entry> entries) implements YamlNode {
        @Override
        public String kind() {
            return "a mapping";
        }
    }

    /** A key of a mapping with its line, and what it stands for. */
    record Entry(int keyLine, YamlNode value) {}

    /** A list. */
    record Sequence(int line, List<YamlNode> items) implements YamlNode {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /** A scalar; a quoted number is a text. */
    record Scalar(int line, String text, Type type) implements YamlNode {
        /** What YAML's core schema takes the scalar for. */
        enum Type {
            TEXT("the text "),
            NUMBER("the number "),
            BOOLEAN("the boolean "),
            NULL("nothing ");

            private final String words;

            Type(String words) {
                this.words = words;
            }
        }

        @Override
        public String kind() {
            return type == Type.NULL ? "nothing" : type.words + PrintableText.quote(text);
        }
    }
}
