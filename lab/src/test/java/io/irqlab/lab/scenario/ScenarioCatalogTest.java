package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.model.machine.DriveSlot;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ScenarioCatalogTest {
    private final ScenarioCatalog catalog = new ScenarioCatalog();
    private ScenarioFiles files;

    @BeforeEach
    void writeTheFiles(@TempDir Path directory) {
        files = ScenarioFiles.in(directory);
    }

    @Test
    void theFourDriveScenarioHas2048InFlightOnFourDrivesBelowTwoRootComplexes() {
        Scenario scenario = catalog.load("four-gen5-ssd", null, List.of());

        assertThat(scenario.name()).isEqualTo("four-gen5-ssd");
        assertThat(scenario.jobs())
                .extracting(job -> job.numjobs() * job.depth().iodepth())
                .containsExactly(512, 512, 512, 512);
        assertThat(scenario.machine().drives())
                .extracting(DriveSlot::rootComplex)
                .containsExactly("rc0", "rc0", "rc0", "rc1");
        assertThat(scenario.compare())
                .extracting(PlacedText::text)
                .containsExactly("none", "nvme-coalescing", "gsim:delay_us=100", "nvme-watermark-poll");
    }

    @ParameterizedTest
    @EnumSource
    void everyFileThatComesWithIrqlabHasItsName(FileKind kind) throws IOException, URISyntaxException {
        URL directory = ScenarioCatalog.class.getResource("/io/irqlab/lab/" + kind.directory());
        assertThat(directory).isNotNull();
        URI uri = directory.toURI();
        try (Stream<Path> found = Files.list(Path.of(uri))) {
            assertThat(found.map(path -> path.getFileName().toString())
                            .filter(name -> name.endsWith(kind.suffix()))
                            .map(name -> name.substring(
                                    0, name.length() - kind.suffix().length()))
                            .sorted())
                    .containsExactlyElementsOf(kind.names());
        }
    }

    @Test
    void everyScenarioThatComesWithIrqlabLoads() {
        assertThat(catalog.builtIns()).isNotEmpty().allSatisfy((name, description) -> {
            assertThat(description).isNotBlank();
            assertThat(catalog.load(name, null, List.of()).jobs()).isNotEmpty();
        });
    }

    @Test
    void everyValueHasAGradeAndASource() {
        assertThat(catalog.load("four-gen5-ssd", null, List.of()).values())
                .hasSizeGreaterThan(50)
                .allSatisfy(value -> {
                    assertThat(value.grade()).isNotNull();
                    assertThat(value.source()).isNotBlank();
                });
    }

    @Test
    void costsOfEnginesThatNoJobUsesAreNotReliedOn() {
        assertThat(catalog.load("four-gen5-ssd", null, List.of()).values())
                .extracting(ProfileValue::name)
                .contains("machine.costs.engines.io_uring.submit")
                .doesNotContain("machine.costs.engines.libaio.submit");
    }

    @Test
    void anUnknownScenarioIsRefusedWithTheNearest() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> catalog.load("four-gen5-sdd", null, List.of()))
                .withMessage(
                        "no scenario is named 'four-gen5-sdd', did you mean 'four-gen5-ssd'?; known: four-gen5-ssd,"
                                + " or a path such as ./my.yaml");
    }

    @Test
    void aMissingScenarioFileIsRefused() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> catalog.load(files.path("nope.yaml"), null, List.of()))
                .withMessage(files.path("nope.yaml") + ": cannot be read: no such file");
    }

    @Test
    void aDirectoryIsNoScenario(@TempDir Path directory) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> catalog.load(directory.toString(), null, List.of()))
                .withMessage(directory + ": cannot be read: it is a directory; expected a file");
    }

    @Test
    void anotherJobFileTakesThePlaceOfTheScenariosOwn() {
        files.write("other.fio", "[a]\nfilename=/dev/nvme2n1\nrw=randread\nioengine=libaio\niodepth=4\n");

        Scenario scenario = catalog.load("four-gen5-ssd", files.path("other.fio"), List.of());

        assertThat(scenario.jobs()).hasSize(1);
        assertThat(scenario.values())
                .extracting(ProfileValue::name)
                .contains("machine.costs.engines.libaio.submit")
                .doesNotContain("machine.costs.engines.io_uring.submit");
    }

    @Test
    void aFaultOfTheJobFileIsPassedOn() {
        files.write("other.fio", "[a]\nfilename=/dev/nvme2n1\nrw=randread\niodepht=4\n");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> catalog.load("four-gen5-ssd", files.path("other.fio"), List.of()))
                .withMessageStartingWith(files.path("other.fio") + ":4: ")
                .withMessageContaining("iodepth");
    }

    @Test
    void aRuntimeOfTheJobFileThatDoesNotCountIsNoted() {
        files.edit("my.fio", "runtime=30", "runtime=30\nramp_time=2");

        assertThat(files.load().notes())
                .contains(
                        "the job file's ramp_time of 2 s is not used: the warm-up is 50 ms",
                        "the job file's runtime of 30 s is not used: the duration is 200 ms");
    }

    @Test
    void aRuntimeThatAgreesIsNotNoted() {
        files.edit("my.yaml", "duration: 200 ms", "duration: 30s");

        assertThat(files.load().notes()).noneMatch(note -> note.contains("is not used"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "duration: 200 ms|duration: 200|duration: '200' is no time with a unit; expected 1 us to 3600 s, such"
                        + " as 200ms",
                "duration: 200 ms|duration: 2 hours|duration: 'hours' is no unit of time; expected ns, us, ms, s",
                "duration: 200 ms|duration: 0 s|duration: 0 s is out of range; expected 1 us to 3600 s",
                "duration: 200 ms|duration: [1]|duration: '' is no time with a unit; expected 1 us to 3600 s, such as"
                        + " 200ms",
                "warmup: 50 ms|warm_up: 50 ms|warm_up: is unknown, did you mean 'warmup'?; known: description,"
                        + " machine, job_file, warmup, duration, compare, changes",
                "machine: machine.yaml|machine: 5|machine: expected a text, was the number '5'",
                "machine: machine.yaml|machine: four|machine: no machine is named 'four'; known: four-gen5-ssd, or a"
                        + " path such as ./my.yaml",
                "job_file: my.fio|job_file: true|job_file: expected a text, was the boolean 'true'",
            })
    void aFaultOfTheScenarioFileIsNamedWithItsLine(String old, String replacement, String message) {
        files.edit("my.yaml", old, replacement);

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(files::load)
                .withMessage("%s:%d: %s".formatted(files.path("my.yaml"), files.line("my.yaml", replacement), message));
    }

    @Test
    void aComparisonOfNothingIsRefused() {
        files.edit("my.yaml", "compare:\n  - none", "compare: []");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(files::load)
                .withMessage("%s:%d: compare: is empty; expected one entry at least"
                        .formatted(files.path("my.yaml"), files.line("my.yaml", "compare")));
    }
}
