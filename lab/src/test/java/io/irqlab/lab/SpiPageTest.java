package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the policy SPI promises that a policy can be written from it alone. */
final class SpiPageTest {
    private static final Path PAGE = Path.of("../irq-core/src/main/java/io/irqlab/core/spi/package-info.java");

    @TempDir
    private Path directory;

    @Test
    void itsExampleCompilesAndDescribesItself() throws Exception {
        compile("import io.irqlab.core.spi.*;\nimport java.util.*;\n" + example());

        try (var loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, SpiPageTest.class.getClassLoader())) {
            var provider = (PolicyProvider)
                    loader.loadClass("PauseProvider").getConstructor().newInstance();
            PolicyStack stack = PolicyStack.parse("pause:pause_us=20", PolicyRegistry.of(List.of(provider)));

            assertThat(stack.entries().get(0).settings().asMap()).containsEntry("pause_us", 20L);
        }
    }

    private static String example() throws IOException {
        String page = Files.readString(PAGE);
        String code = page.substring(page.indexOf("{@code\n") + 7, page.indexOf(" * }</pre>"));
        return code.lines().map(line -> line.replaceFirst("^ \\* ?", "")).collect(Collectors.joining("\n"));
    }

    private void compile(String code) throws URISyntaxException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path classes = Path.of(PolicyProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        var source = new SimpleJavaFileObject(URI.create("string:///PauseProvider.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return code;
            }
        };
        var messages = new StringWriter();
        boolean compiled = compiler.getTask(
                        messages,
                        null,
                        null,
                        List.of("-proc:none", "-d", directory.toString(), "-cp", classes.toString()),
                        null,
                        List.of(source))
                .call();
        assertThat(compiled).as(messages.toString()).isTrue();
    }
}
