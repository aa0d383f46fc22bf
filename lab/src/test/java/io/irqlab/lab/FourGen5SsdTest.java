package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.lab.report.JsonFormat;
import io.irqlab.lab.report.RunReport;
import io.irqlab.lab.report.TableFormat;
import io.irqlab.lab.run.Simulator;
import io.irqlab.lab.scenario.PlacedText;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code irqlab compare four-gen5-ssd} from end to end, against the published figures ("NVMe watermark polling", 21 July
 * 2026).
 */
final class FourGen5SsdTest {
    private static final long IN_FLIGHT = 2048;
    private static final Path README = Path.of("..", "README.md");

    private static List<RunReport> reports = List.of();
    private static List<JsonNode> runs = List.of();

    @BeforeAll
    static void compare() {
        Laboratory laboratory = laboratory();
        Scenario scenario = laboratory.catalog().load("four-gen5-ssd", null, List.of());
        reports = laboratory.run(scenario, scenario.compare(), 1).reports();
        runs = parse(new JsonFormat().array(reports));
    }

    private static Laboratory laboratory() {
        return new Laboratory(PolicyRegistry.load(FourGen5SsdTest.class.getClassLoader()), Simulator.ofModel(), "test");
    }

    private static List<JsonNode> parse(String json) {
        return StreamSupport.stream(new JsonMapper().readTree(json).spliterator(), false)
                .toList();
    }

    private static JsonNode run(String policy) {
        return runs.stream()
                .filter(run -> run.at("/policy").asString().equals(policy))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void withoutAPolicyThreeDrivesShareASaturatedRootComplexAndTheFourthIsAtItsLimit() {
        JsonNode none = run("none");

        assertThat(none.at("/iops").asDouble()).isCloseTo(7.61e6, within(7.61e6 * 0.10));
        for (int drive = 0; drive < 3; drive++) {
            assertThat(none.at("/devices/" + drive + "/iops").asDouble()).isCloseTo(1.49e6, within(1.49e6 * 0.10));
        }
        assertThat(none.at("/devices/3/iops").asDouble()).isCloseTo(2.93e6, within(2.93e6 * 0.005));
        assertThat(none.at("/root_complexes/0/utilization").asDouble()).isGreaterThan(0.99);
        assertThat(none.at("/root_complexes/1/utilization").asDouble()).isLessThan(0.8);
    }

    @Test
    void watermarkPollingFreesTheRootComplexAndHalvesTheInterrupts() {
        JsonNode polled = run("nvme-watermark-poll");

        assertThat(polled.at("/iops").asDouble()).isCloseTo(11.41e6, within(11.41e6 * 0.08));
        assertThat(polled.at("/clat_ns/mean").asDouble()).isCloseTo(177_000, within(17_700.0));
        assertThat(polled.at("/interrupts/per_io").asDouble())
                .isLessThan(run("none").at("/interrupts/per_io").asDouble() / 2);
    }

    @Test
    void everyPolicyThatSparesMsisRaisesThroughput() {
        double stock = run("none").at("/iops").asDouble();

        for (JsonNode run : runs.subList(1, runs.size())) {
            assertThat(run.at("/interrupts/msis_per_second").asDouble())
                    .isLessThan(run("none").at("/interrupts/msis_per_second").asDouble() / 2);
            assertThat(run.at("/iops").asDouble())
                    .as(run.at("/policy").asString())
                    .isGreaterThan(stock * 1.2);
        }
    }

    @Test
    void littlesLawHoldsInEveryRow() {
        for (JsonNode run : runs) {
            String policy = run.at("/policy").asString();
            double inFlight = 0;
            for (JsonNode device : run.at("/devices")) {
                double mean = device.at("/in_flight_mean").asDouble();
                assertThat(device.at("/iops").asDouble()
                                * device.at("/clat_ns/mean").asDouble()
                                / 1e9)
                        .as(policy + " " + device.at("/name"))
                        .isCloseTo(mean, within(mean * 0.002));
                inFlight += mean;
            }
            assertThat(inFlight).as(policy).isBetween(IN_FLIGHT * 0.99, (double) IN_FLIGHT);
        }
    }

    @Test
    void timeAddsUpOnEveryCpuAndNothingIsBusyBeyondItsTime() {
        for (JsonNode run : runs) {
            for (JsonNode cpu : run.at("/cpus")) {
                double sum = cpu.at("/hardirq").asDouble()
                        + cpu.at("/softirq").asDouble()
                        + cpu.at("/system").asDouble()
                        + cpu.at("/user").asDouble()
                        + cpu.at("/idle").asDouble();
                assertThat(sum).isCloseTo(1, within(1e-5));
            }
            for (JsonNode complex : run.at("/root_complexes")) {
                assertThat(complex.at("/utilization").asDouble()).isBetween(0.0, 1.0);
            }
            assertThat(run.at("/lockups")).isEmpty();
            assertThat(run.at("/engine/events_per_second").asDouble()).isPositive();
        }
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherDoesNot() {
        Laboratory laboratory = laboratory();
        Scenario scenario =
                laboratory.catalog().load("four-gen5-ssd", null, List.of(Setting.parse("scenario.duration=5ms")));
        List<PlacedText> policies = scenario.compare();

        String first = withoutWallClock(laboratory.run(scenario, policies, 1).reports());

        assertThat(withoutWallClock(laboratory.run(scenario, policies, 1).reports()))
                .isEqualTo(first);
        assertThat(withoutWallClock(laboratory.run(scenario, policies, 2).reports())
                        .replace("\"seed\": 2,", "\"seed\": 1,"))
                .isNotEqualTo(first);
    }

    private static String withoutWallClock(List<RunReport> reports) {
        return new JsonFormat().array(reports).replaceAll("\"(wall_ns|events_per_second)\": [0-9.]+", "\"$1\": 0");
    }

    /** With {@code -Dgolden.update} the README gets the table that is printed now. */
    @Test
    void theReadmeShowsThisVeryTable() throws IOException {
        String table = table();
        String readme = Files.readString(README);
        int begin = readme.indexOf("```\n", readme.indexOf("<!-- output: compare -->")) + 4;
        int end = readme.indexOf("```", begin);
        if (System.getProperty("golden.update") != null) {
            readme = readme.substring(0, begin) + table + readme.substring(end);
            Files.writeString(README, readme);
            end = begin + table.length();
        }

        assertThat(readme.substring(begin, end)).isEqualTo(table);
    }

    private static String table() {
        var lines = new ArrayList<String>();
        boolean inside = false;
        for (String line : new TableFormat().print(reports).lines().toList()) {
            inside = inside ? !line.isEmpty() : line.startsWith("policy ");
            if (inside) {
                lines.add(line);
            }
        }
        return String.join("\n", lines) + "\n";
    }
}
