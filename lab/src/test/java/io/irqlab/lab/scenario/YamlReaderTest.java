package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class YamlReaderTest {
    private Path file;

    @BeforeEach
    void useATemporaryFile(@TempDir Path directory) {
        file = directory.resolve("a.yaml");
    }

    @Test
    void nodesKnowTheirLines() throws IOException {
        Files.writeString(file, "a: 1\nb:\n  c: [x, y]\n");

        YamlNode.Mapping root = read();

        assertThat(root.entries()).containsOnlyKeys("a", "b");
        assertThat(root.entries().get("b").keyLine()).isEqualTo(2);
        var b = (YamlNode.Mapping) root.entries().get("b").value();
        assertThat(b.line()).isEqualTo(3);
        assertThat(b.entries().get("c").value()).isInstanceOf(YamlNode.Sequence.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a: [1\\nb: 2\\n|2: is not valid YAML: while parsing a flow sequence, expected ',' or ']', but got :",
                "a: 1\\n b: 2\\n|2: is not valid YAML: mapping values are not allowed here",
                "a: \"x\\n|2: is not valid YAML: while scanning a quoted scalar, found unexpected end of stream",
                "? [a]\\n"
                        + ": b\\n"
                        + "|1: is not valid YAML: Expected a property name (Scalar value in YAML), got this instead: +SEQ"
                        + " []",
                "a: 1\\nb: 2\\na: 3\\n|3: 'a' is already on line 1",
                "a: &x 1\\nb: *x\\n|2: aliases (*name) are not taken; write the value again",
                "a: !!java.net.URL 'http://x'\\n|1: tags (!name) are not taken; write the value alone",
                "a: !!java.util.Date {b: 1}\\n|1: tags (!name) are not taken; write the value alone",
                "!foo\\na: 1\\n|1: tags (!name) are not taken; write the value alone",
                "a: 1\\n---\\nb: 2\\n|3: a second document begins here; expected one",
                "- a\\n|1: expected a mapping (lines of 'key: value')",
                "# nothing\\n|1: expected a mapping (lines of 'key: value')",
            })
    void whatIsNoPlainMappingIsRefusedWithItsLine(String text, String message) throws IOException {
        Files.writeString(file, text.replace("\\n", "\n"));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessage(file + ":" + message);
    }

    @Test
    void depthIsLimited() throws IOException {
        Files.writeString(file, "a: " + "[".repeat(100_000));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessage(file + ":1: is nested deeper than 16 levels, or has a text longer than 4096 characters");
    }

    @Test
    void sizeIsLimited() throws IOException {
        Files.writeString(file, "# " + "x".repeat(SourceFile.MAX_BYTES));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessage(file + ": is larger than 1048576 bytes, the most that is read");
    }

    @Test
    void aTextIsLimited() throws IOException {
        Files.writeString(file, "a: 1\nb: " + "x".repeat(5_000) + "\n");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessage(file + ":2: is nested deeper than 16 levels, or has a text longer than 4096 characters");
    }

    @Test
    void brokenUtf8IsRefused() throws IOException {
        Files.write(file, "a: \u00ff\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(this::read)
                .withMessage(file + ": is not a text file in UTF-8");
    }

    private YamlNode.Mapping read() {
        return YamlReader.read(new SourceFile.User(file));
    }
}
