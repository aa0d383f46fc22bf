package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.lab.run.Simulator;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The comparison that the README begins with, against the figures of the public four-drive report (NVMe watermark
 * polling, 21 Jul 2026).
 */
final class FourGen5SsdIT {
    private static JsonNode rows = JsonMapper.shared().createArrayNode();

    @BeforeAll
    static void compareWithSeed1AndTheDefaultDuration() {
        rows = JsonMapper.shared().readTree(irqlab("compare", "four-gen5-ssd", "--format", "json"));
    }

    @Test
    void theRowsAreThePoliciesOfTheScenario() {
        assertThat(rows.valueStream().map(row -> row.path("policy").asString()))
                .containsExactly("none", "nvme-coalescing", "gsim:delay_us=100", "nvme-watermark-poll");
    }

    @Test
    void withoutAPolicyThreeDrivesShareASaturatedRootComplex() {
        JsonNode none = row("none");

        assertThat(number(none, "/iops")).isCloseTo(7.61e6, Percentage.withPercentage(10));
        for (int drive = 0; drive < 3; drive++) {
            assertThat(number(none, "/devices/" + drive + "/iops")).isCloseTo(1.49e6, Percentage.withPercentage(10));
        }
        assertThat(number(none, "/devices/3/iops")).isBetween(2.75e6, 3.2e6);
        assertThat(none.at("/root_complexes/0/name").asString()).isEqualTo("rc0");
        assertThat(number(none, "/root_complexes/0/utilization")).isCloseTo(1, within(0.01));
        assertThat(number(none, "/root_complexes/1/utilization")).isLessThan(0.9);
    }

    @Test
    void watermarkPollingBringsAllDrivesToTheirLimit() {
        JsonNode poll = row("nvme-watermark-poll");

        assertThat(number(poll, "/iops")).isCloseTo(11.41e6, Percentage.withPercentage(8));
        assertThat(number(poll, "/clat_ns/mean")).isCloseTo(177_000, Percentage.withPercentage(10));
        assertThat(number(poll, "/interrupts/per_io")).isLessThan(number(row("none"), "/interrupts/per_io") / 2);
    }

    @Test
    void everyRowObeysLittlesLaw() {
        assertThat(rows.valueStream()).allSatisfy(row -> {
            double inFlight = row.path("devices")
                    .valueStream()
                    .mapToDouble(device -> device.path("in_flight_mean").asDouble())
                    .sum();
            assertThat(number(row, "/iops") * number(row, "/clat_ns/mean") / 1e9)
                    .isCloseTo(inFlight, Percentage.withPercentage(1));
            assertThat(number(row, "/little_error")).isLessThan(0.01);
        });
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherDoesNot() {
        String first = shortRun("5");

        assertThat(shortRun("5")).isEqualTo(first);
        assertThat(shortRun("6").replace("\"seed\": 6", "\"seed\": 5")).isNotEqualTo(first);
    }

    private static String shortRun(String seed) {
        return irqlab("compare", "four-gen5-ssd", "--format=json", "--seed=" + seed, "--warmup=1ms", "--duration=4ms")
                .replaceAll("\"(wall_ns|events_per_second)\": [0-9.]+", "");
    }

    private static JsonNode row(String policy) {
        return rows.valueStream()
                .filter(row -> row.path("policy").asString().equals(policy))
                .findFirst()
                .orElseThrow();
    }

    private static double number(JsonNode row, String pointer) {
        assertThat(row.at(pointer).isNumber()).as(pointer).isTrue();
        return row.at(pointer).asDouble();
    }

    private static String irqlab(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        PolicyRegistry registry = PolicyRegistry.load(FourGen5SsdIT.class.getClassLoader());
        int status = IrqlabCommand.commandLine(registry, Simulator.ofModel())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        return out.toString();
    }
}
