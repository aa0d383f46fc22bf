package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.model.workload.IoEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfileFilesTest {
    private ScenarioFiles files;

    @BeforeEach
    void writeTheFiles(@TempDir Path directory) {
        files = ScenarioFiles.in(directory);
    }

    @Test
    void aUsersOwnFilesLoad() {
        Scenario scenario = files.load();

        assertThat(scenario.name()).isEqualTo("my");
        assertThat(scenario.machine().name()).isEqualTo("machine");
        assertThat(scenario.machine().cpus()).isEqualTo(64);
        assertThat(scenario.machine().drives()).hasSize(4);
        assertThat(scenario.machine().engineCosts()).containsKeys(IoEngine.LIBAIO, IoEngine.IO_URING);
        assertThat(scenario.warmupNs()).isEqualTo(50_000_000);
        assertThat(scenario.compare()).extracting(PlacedText::text).containsExactly("none");
    }

    @Test
    void unitsAreConverted() {
        files.edit("drive.yaml", "  value: 55\n  unit: us", "  value: 0.0555\n  unit: ms");

        assertThat(files.load().machine().drives().get(0).profile().readNs()).isEqualTo(55_500);
    }

    @Test
    void anUnknownKeyIsRefusedWithTheNearest() {
        files.edit("machine.yaml", "    msi:", "    mis:");

        refused(
                "machine.yaml",
                "    mis:",
                "root_complexes.rc0.mis: is unknown, did you mean 'msi'?; known: dma, msi, posted_credits");
    }

    @Test
    void anUnknownKeyOfAValueIsRefused() {
        files.edit("drive.yaml", "  grade: memory\n  source: an admin", "  grad: memory\n  source: an admin");

        refused(
                "drive.yaml",
                "  grad: memory",
                "set_features.grad: is unknown, did you mean 'grade'?; known: value, unit, grade, source");
    }

    @Test
    void anUnknownEngineIsRefused() {
        files.edit("costs.yaml", "  io_uring:", "  io_urnig:");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(files::load)
                .withMessageStartingWith(files.path("costs.yaml") + ":" + files.line("costs.yaml", "io_urnig")
                        + ": engines.io_urnig: is unknown, did you mean 'io_uring'?; known: libaio, io_uring, ");
    }

    @Test
    void aMissingKeyIsRefused() {
        files.edit("drive.yaml", "queue_depth:", "queue_length:");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(files::load)
                .withMessageStartingWith(files.path("drive.yaml") + ":" + files.line("drive.yaml", "queue_length")
                        + ": queue_length: is unknown, did you mean 'queue_depth'?; known: link, ");

        files.edit("drive.yaml", "queue_length:", "#");
        assertThatExceptionOfType(InvalidInputException.class).isThrownBy(files::load);
    }

    @Test
    void aValueWithoutSourceIsRefused() {
        files.edit("costs.yaml", "    source: \"one read of the time stamp counter through ktime_get\"\n", "");

        refused("costs.yaml", "    value: 25", "cpu.clock_read.source: is missing");
    }

    @Test
    void anEmptySourceIsRefused() {
        files.edit("costs.yaml", "\"one read of the time stamp counter through ktime_get\"", "\"\"");

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(files::load)
                .withMessageEndingWith("cpu.clock_read.source: expected a text, was nothing");
    }

    @Test
    void aBareValueIsRefused() {
        files.edit("costs.yaml", "  clock_read:\n    value: 25", "  clock_read: 25\n  rest:\n    value: 25");
        files.edit("costs.yaml", "  rest:\n    value: 25\n    unit: ns\n    grade: memory\n", "");
        files.edit("costs.yaml", "    source: \"one read of the time stamp counter through ktime_get\"\n", "");

        refused("costs.yaml", "clock_read: 25", "cpu.clock_read: expected a mapping, was the number '25'");
    }

    @Test
    void aUnitOfAnotherKindIsRefused() {
        files.edit("machine.yaml", "  value: 64\n  unit: count", "  value: 64\n  unit: us");

        refused("machine.yaml", "  unit: us", "cpus.unit: 'us' is no unit of count; expected count");
    }

    @Test
    void anUnknownUnitIsRefused() {
        files.edit("machine.yaml", "  value: 10\n  unit: s", "  value: 10\n  unit: sec");

        refused("machine.yaml", "unit: sec", "watchdog_thresh.unit: 'sec' is no unit of time; expected ns, us, ms, s");
    }

    @Test
    void aTextWhereANumberBelongsIsRefused() {
        files.edit("machine.yaml", "value: 64", "value: many");

        refused("machine.yaml", "value: many", "cpus.value: expected a number, was the text 'many'");
    }

    @Test
    void aQuotedNumberIsAText() {
        files.edit("machine.yaml", "value: 64", "value: '64'");

        refused("machine.yaml", "value: '64'", "cpus.value: expected a number, was the text '64'");
    }

    @Test
    void infinityIsNoNumber() {
        files.edit("machine.yaml", "value: 64", "value: .inf");

        refused("machine.yaml", "value: .inf", "cpus.value: expected a number of up to 18 digits, was '.inf'");
    }

    @Test
    void anEndlessNumberIsRefusedAtOnce() {
        files.edit("machine.yaml", "value: 64", "value: 1e999999999");

        refused("machine.yaml", "value: 1e", "cpus.value: expected a number of up to 18 digits, was '1e999999999'");
    }

    @Test
    void aNumberOutOfRangeIsRefusedWithTheRange() {
        files.edit("machine.yaml", "value: 64", "value: 4096");

        refused("machine.yaml", "value: 4096", "cpus.value: 4096 is out of range; expected 1 to 1024");
    }

    @Test
    void aTimeOutOfRangeIsRefusedInItsUnit() {
        files.edit("machine.yaml", "value: 175", "value: -1");

        refused("machine.yaml", "value: -1", "root_complexes.rc0.msi.value: -1 ns is out of range; expected 0 to 1 s");
    }

    @Test
    void aFractionOfANanosecondIsRefused() {
        files.edit("machine.yaml", "value: 175", "value: 0.5");

        refused(
                "machine.yaml",
                "value: 0.5",
                "root_complexes.rc0.msi.value: 0.5 ns is no multiple of 1 ns; expected 0 to 1 s");
    }

    @Test
    void aWidthThatLinksDoNotHaveIsRefused() {
        files.edit("drive.yaml", "  lanes:\n    value: 4", "  lanes:\n    value: 3");

        refused("drive.yaml", "value: 3", "link.lanes.value: 3 is out of range; expected one of 1, 2, 4, 8, 16");
    }

    @Test
    void anUnknownGradeIsRefused() {
        files.edit("machine.yaml", "grade: read", "grade: red");

        refused(
                "machine.yaml",
                "grade: red",
                "watchdog_thresh.grade: 'red' is unknown, did you mean 'read'?; known: read, inferred, fitted,"
                        + " measured, memory");
    }

    @Test
    void aDriveBelowNoRootComplexIsRefused() {
        files.edit("machine.yaml", "value: rc1", "value: rc2");

        refused(
                "machine.yaml",
                "value: rc2",
                "drives.nvme3.root_complex.value: 'rc2' is unknown, did you mean 'rc0'?; known: rc0, rc1");
    }

    @Test
    void anEmptyMachineIsRefused() {
        files.write("machine.yaml", "costs: costs.yaml\nroot_complexes: {}\ndrives: {}\n");

        refused("machine.yaml", "root_complexes", "root_complexes: is empty; expected one entry at least");
    }

    @Test
    void aMachineIsABareOneUnlessItNamesAHypervisor() {
        assertThat(files.load().machine().cpuCosts().virtualization()).isEqualTo(VirtualizationCosts.BARE_METAL);

        files.edit("machine.yaml", "costs: costs.yaml", "costs: costs.yaml\nhypervisor: kvm-x86");
        VirtualizationCosts kvm = files.load().machine().cpuCosts().virtualization();

        assertThat(kvm.injectionNs()).isEqualTo(710);
        assertThat(kvm.idleWakeNs()).isEqualTo(54_000);
    }

    @Test
    void aWrongHypervisorIsRefused() {
        files.edit("machine.yaml", "costs: costs.yaml", "costs: costs.yaml\nhypervisor: kvm-x68");

        refused(
                "machine.yaml",
                "hypervisor:",
                "hypervisor: no hypervisor profile is named 'kvm-x68', did you mean 'kvm-x86'?; known: kvm-x86, or a"
                        + " path such as ./my.yaml");
    }

    @Test
    void aReferenceToNothingIsRefused() {
        files.edit("machine.yaml", "costs: costs.yaml", "costs: x86-sevrer");

        refused(
                "machine.yaml",
                "costs:",
                "costs: no costs profile is named 'x86-sevrer', did you mean 'x86-server'?; known: x86-server, or a"
                        + " path such as ./my.yaml");
    }

    @Test
    void aReferenceToAMissingFileIsRefused() {
        files.edit("machine.yaml", "costs: costs.yaml", "costs: ./nope.yaml");

        refused(
                "machine.yaml",
                "costs:",
                "costs: there is no file " + files.path("machine.yaml").replace("machine.yaml", "./nope.yaml"));
    }

    private void refused(String file, String lineWith, String message) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(files::load)
                .withMessage("%s:%d: %s".formatted(files.path(file), files.line(file, lineWith), message));
    }
}
