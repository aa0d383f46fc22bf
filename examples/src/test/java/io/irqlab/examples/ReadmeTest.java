package io.irqlab.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's Java is the source of the examples, word for word. */
final class ReadmeTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK =
            Pattern.compile("<!-- source: (?<file>\\S+) -->\n```java\n(?<code>.*?)```\n", Pattern.DOTALL);

    /** With {@code -Dgolden.update} the README gets the examples as they are now. */
    @Test
    void everyJavaBlockIsAnExample() throws IOException {
        Path file = ROOT.resolve("README.md");
        String readme = Files.readString(file);
        String expected = BLOCK.matcher(readme).replaceAll(ReadmeTest::block);
        if (System.getProperty("golden.update") != null) {
            Files.writeString(file, expected);
            readme = expected;
        }

        assertThat(readme).isEqualTo(expected);
        assertThat(BLOCK.matcher(readme).results().count()).isEqualTo(2);
        assertThat(readme.split("```java\n", -1)).hasSize(3);
    }

    private static String block(MatchResult match) {
        String name = match.group(1);
        try {
            String source = Files.readString(ROOT.resolve(name));
            String code = source.substring(source.indexOf("import "));
            return java.util.regex.Matcher.quoteReplacement(
                    "<!-- source: " + name + " -->\n```java\n" + code + "```\n");
        } catch (IOException e) {
            throw new AssertionError(name + " is named in the README and cannot be read", e);
        }
    }
}
