package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the command. */
final class LauncherTest {
    @Test
    void aJarThatIsNotThereIsNamedBeforeAnythingIsBuilt(@TempDir Path directory)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder("sh", Path.of("..", "irqlab").toString(), "policies");
        builder.environment().put("IRQLAB_CLASSPATH", directory + ":" + directory + "/*:" + directory + "/nap.jar");
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(output)
                .isEqualTo("irqlab: IRQLAB_CLASSPATH: there is no file " + directory
                        + "/nap.jar; expected jars or directories, joined by colons\n");
    }
}
