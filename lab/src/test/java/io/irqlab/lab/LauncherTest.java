package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    @Test
    void aCollectorOfTheUsersOwnReplacesTheUsualOne(@TempDir Path directory) throws IOException, InterruptedException {
        assertThat(options(directory, "-Xint")).contains("-XX:+UseSerialGC").contains("-Xint");
        assertThat(options(directory, "-XX:+UseParallelGC -Xint"))
                .contains("-XX:+UseParallelGC -Xint")
                .doesNotContain("UseSerialGC");
    }

    /** What the script passes to a Java that prints its arguments, in a tree that is built already. */
    private static String options(Path root, String javaOptions) throws IOException, InterruptedException {
        Path script = root.resolve("irqlab");
        Files.copy(Path.of("..", "irqlab"), script, StandardCopyOption.REPLACE_EXISTING);
        Path java = Files.createDirectories(root.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(root.resolve("jdk/release"), "JAVA_VERSION=\"17\"\n");
        Files.writeString(
                Files.createDirectories(root.resolve("lab/target/quick/irqlab/lib"))
                        .resolve("lab.jar"),
                "");
        var builder = new ProcessBuilder("sh", script.toString(), "policies");
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        builder.environment().put("IRQLAB_JAVA_OPTS", javaOptions);
        builder.environment().remove("IRQLAB_CLASSPATH");
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
