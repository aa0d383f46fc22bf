package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.model.workload.IoEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MachineProfileTest {
    private static final RootComplexProfile RC0 = new RootComplexProfile("rc0", 40, 150, 8);

    private final TestMachine machine = new TestMachine();
    private final DriveSlot nvme0 = new DriveSlot("nvme0", machine.drive(), "rc0");

    private MachineProfile profile(int cpus, int thresh, List<RootComplexProfile> complexes, List<DriveSlot> drives) {
        return new MachineProfile(
                "box",
                cpus,
                thresh,
                machine.cpuCosts,
                machine.driverCosts,
                Map.of(IoEngine.LIBAIO, machine.engineCosts),
                complexes,
                drives);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1_025})
    void aNumberOfCpusThatNoMachineHasIsRefused(int cpus) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile(cpus, 10, List.of(RC0), List.of(nvme0)))
                .withMessage("box: cpus must be 1 to 1024, was " + cpus);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 61})
    void aWatchdogThresholdThatLinuxRefusesIsRefused(int thresh) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile(2, thresh, List.of(RC0), List.of(nvme0)))
                .withMessage("box: watchdog_thresh must be 0 to 60 s, was " + thresh);
    }

    @Test
    void aMachineNeedsARootComplexAndADrive() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile(2, 10, List.of(), List.of(nvme0)))
                .withMessage("box: a machine needs a root complex");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile(2, 10, List.of(RC0), List.of()))
                .withMessage("box: a machine needs a drive");
    }

    @Test
    void namesAreUnique() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile(2, 10, List.of(RC0, RC0), List.of(nvme0)))
                .withMessage("box: root complex names must be unique, were [rc0, rc0]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> profile(2, 10, List.of(RC0), List.of(nvme0, nvme0)))
                .withMessage("box: drive names must be unique, were [nvme0, nvme0]");
    }

    @Test
    void aDriveSitsBelowARootComplexOfTheMachine() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        profile(2, 10, List.of(RC0), List.of(nvme0, new DriveSlot("nvme1", machine.drive(), "rc7"))))
                .withMessage("box: nvme1 sits below root complex 'rc7', which is none of [rc0]");
    }

    @Test
    void collectionsAreCopied() {
        var drives = new ArrayList<>(List.of(nvme0));
        MachineProfile profile = profile(1_024, 60, List.of(RC0), drives);
        drives.clear();

        assertThat(profile.drives()).containsExactly(nvme0);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> profile.drives().add(nvme0));
    }

    @Test
    void aRootComplexOutsideItsRangesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RootComplexProfile("rc0", 0, 0, 1))
                .withMessage("rc0: dma time must be more than 0 ns, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RootComplexProfile("rc0", 1, -1, 1))
                .withMessage("rc0: msi time must be 0 ns or more, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RootComplexProfile("rc0", 1, 0, 0))
                .withMessage("rc0: posted credits must be 1 or more, was 0");
    }
}
