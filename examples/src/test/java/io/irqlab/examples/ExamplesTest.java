package io.irqlab.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Every example runs and prints what it promises. */
final class ExamplesTest {
    @Test
    void quickStartPrintsARowForEachPolicy() {
        assertThat(outputOf(() -> QuickStart.main(new String[0])).lines())
                .hasSize(2)
                .allMatch(line -> line.matches(".* \\d+\\.\\d\\d M IOPS, +\\d+\\.\\d\\d M hardirqs/s"));
    }

    @Test
    void aPolicyOfOnesOwnRaisesTheThroughput() {
        String[] rows = outputOf(() -> CompareNap.main(new String[0])).split("\n", -1);

        assertThat(millionIops(rows[1])).isGreaterThan(1.2 * millionIops(rows[0]));
    }

    private static double millionIops(String row) {
        return Double.parseDouble(row.replaceFirst("^\\S+ +(\\S+) M IOPS.*$", "$1"));
    }

    private static String outputOf(Runnable example) {
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            example.run();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
