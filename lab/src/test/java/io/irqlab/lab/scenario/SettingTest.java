package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.model.machine.RootComplexProfile;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SettingTest {

    @Test
    void aValueOfTheMachineIsSet() {
        Scenario scenario = load("machine.cpus=32", "machine.watchdog_thresh=1");

        assertThat(scenario.machine().cpus()).isEqualTo(32);
        assertThat(scenario.machine().watchdogThreshSeconds()).isEqualTo(1);
    }

    @Test
    void aNumberWithoutUnitIsInTheUnitOfTheFile() {
        assertThat(load("machine.costs.cpu.hardirq_entry=700")
                        .machine()
                        .cpuCosts()
                        .hardirqEntryNs())
                .isEqualTo(700);
        assertThat(readNs("machine.drives.nvme0.profile.read=70")).isEqualTo(70_000);
    }

    @Test
    void aNumberMayHaveAnyUnitOfItsKind() {
        assertThat(readNs("machine.drives.nvme0.profile.read=70500ns")).isEqualTo(70_500);
        assertThat(readNs("machine.drives.nvme0.profile.read=0.1 ms")).isEqualTo(100_000);
    }

    @Test
    void aStarStandsForAnyNameAndTheLastSettingCounts() {
        assertThat(load("machine.root_complexes.*.msi=150", "machine.root_complexes.rc1.msi=90")
                        .machine()
                        .rootComplexes())
                .extracting(RootComplexProfile::msiNs)
                .containsExactly(150L, 90L);
        assertThat(load("machine.root_complexes.rc1.msi=90", "machine.root_complexes.*.msi=150")
                        .machine()
                        .rootComplexes())
                .extracting(RootComplexProfile::msiNs)
                .containsExactly(150L, 150L);
    }

    @Test
    void aDriveIsMovedToAnotherRootComplex() {
        assertThat(load("machine.drives.nvme2.root_complex=rc1")
                        .machine()
                        .drives()
                        .get(2)
                        .rootComplex())
                .isEqualTo("rc1");
    }

    @Test
    void aWatchdogThreshOfZeroSwitchesTheWatchdogsOff() {
        assertThat(load("machine.watchdog_thresh=0").machine().watchdogThreshSeconds())
                .isZero();
    }

    @Test
    void timesOfTheScenarioAreSet() {
        Scenario scenario = load("scenario.warmup=10ms", "scenario.duration=1s");

        assertThat(scenario.warmupNs()).isEqualTo(10_000_000);
        assertThat(scenario.durationNs()).isEqualTo(1_000_000_000);
    }

    @Test
    void aSetValueIsOfNoGradeAndSaysThatTheUserSetIt() {
        assertThat(load("machine.root_complexes.rc0.msi=0.15us").values())
                .filteredOn(ProfileValue::setByUser)
                .singleElement()
                .satisfies(value -> {
                    assertThat(value.name()).isEqualTo("machine.root_complexes.rc0.msi");
                    assertThat(value.text()).isEqualTo("0.15");
                    assertThat(value.unit()).isEqualTo(Unit.MICROSECONDS);
                    assertThat(value.source()).isEqualTo("set on the command line");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "machine.cpu=3|machine.cpu: there is no such value, did you mean 'machine.cpus'?",
                "machine.costs.cpu.hardirq_enter=3|machine.costs.cpu.hardirq_enter: there is no such value, did you"
                        + " mean 'machine.costs.cpu.hardirq_entry'?",
                "machine.drives.nvme0.bandwidth_of_the_link=3|machine.drives.nvme0.bandwidth_of_the_link: there is no"
                        + " such value; machine.drives.nvme0 has profile, root_complex",
                "nothing.of.this.kind.is.there.at.all=3|nothing.of.this.kind.is.there.at.all: there is no such value;"
                        + " a scenario has machine, scenario",
                "machine.cpus=0|machine.cpus: 0 is out of range; expected 1 to 1024",
                "machine.cpus=many|machine.cpus: 'many' is no number; expected 1 to 1024",
                "machine.cpus=3 us|machine.cpus: 'us' is no unit of count; expected count",
                "machine.cpus=1e99|machine.cpus: 1E+99 is out of range; expected 1 to 1024",
                "machine.cpus=1e999999999|machine.cpus: '1e999999999' is no number; expected 1 to 1024",
                "machine.watchdog_thresh=1500ms|machine.watchdog_thresh: 1500 ms is no multiple of 1 s; expected 0"
                        + " to 60 s",
                "machine.drives.nvme0.root_complex=rc7|machine.drives.nvme0.root_complex: 'rc7' is unknown, did you"
                        + " mean 'rc0'?; known: rc0, rc1",
                "machine.drives.nvme0.profile.link.lanes=3|machine.drives.nvme0.profile.link.lanes: 3 is out of range;"
                        + " expected one of 1, 2, 4, 8, 16",
                "scenario.warmup=10|scenario.warmup: '10' is no time with a unit; expected 0 to 3600 s, such as 200ms",
            })
    void aWrongSettingIsRefused(String setting, String message) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> load(setting))
                .withMessage("--set " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"machine.cpus", "=3", "machine.cpus=", ""})
    void aSettingWithoutKeyOrValueIsRefused(String setting) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Setting.parse(setting))
                .withMessage("--set '%s': expected KEY=VALUE, such as machine.cpus=32".formatted(setting));
    }

    private static long readNs(String setting) {
        return load(setting).machine().drives().get(0).profile().readNs();
    }

    private static Scenario load(String... settings) {
        List<Setting> parsed = Stream.of(settings).map(Setting::parse).toList();
        return new ScenarioCatalog().load("four-gen5-ssd", null, parsed);
    }
}
