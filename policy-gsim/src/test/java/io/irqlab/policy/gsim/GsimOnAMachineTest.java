package io.irqlab.policy.gsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.machine.DriveProfile;
import io.irqlab.model.machine.DriveSlot;
import io.irqlab.model.machine.Machine;
import io.irqlab.model.machine.MachineProfile;
import io.irqlab.model.machine.RootComplexProfile;
import io.irqlab.model.machine.RunStatistics;
import io.irqlab.model.machine.SettingsChange;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.workload.FioJobFile;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GSIM under a closed loop of reads. */
final class GsimOnAMachineTest {
    private static final long DURATION_NS = 40_000_000;

    private long msiNs = 150;
    private int cpus = 1;

    private RunStatistics run(String policy, String... jobLines) {
        return run(policy, List.of(), jobLines);
    }

    private RunStatistics run(String policy, List<SettingsChange> changes, String... jobLines) {
        var drive = new DriveProfile(
                "drive", new PcieLink(5, 4, 256), 50_000, 0.1, 0, 0, 0, 2_000_000, 256, 700, 8, 64, 1_024, 0, 0);
        var profile = new MachineProfile(
                "small",
                cpus,
                10,
                new CpuCosts(
                        500, 300, 200, 100, 300, 700, 1_200, 400, 1_000, 1_000, 25, VirtualizationCosts.BARE_METAL),
                new DriverCosts(100, 500, 200, 800),
                Map.of(IoEngine.LIBAIO, new IoEngineCosts(330, 800, 300, 500)),
                List.of(new RootComplexProfile("rc0", 40, msiNs, 8)),
                List.of(new DriveSlot("nvme0", drive, "rc0")));
        String job =
                "[a]\nioengine=libaio\ndirect=1\nrw=randread\nfilename=/dev/nvme0n1\n" + String.join("\n", jobLines);
        PolicyStack stack = PolicyStack.parse(policy, PolicyRegistry.of(List.of(new GsimProvider())));
        return Machine.assemble(
                        profile, FioJobFile.parse("test.fio", job).jobs(), stack, changes, 1, List.of(latencyNs -> {}))
                .run(2_000_000, DURATION_NS);
    }

    @Test
    void aDelayOfZeroIsExactlyTheStockKernel() {
        cpus = 2;
        RunStatistics none = run("none", "iodepth=16", "numjobs=2");
        RunStatistics zero = run("gsim:delay_us=0", "iodepth=16", "numjobs=2");

        assertThat(zero)
                .isEqualTo(new RunStatistics(
                        none.warmupNs(),
                        none.durationNs(),
                        none.devices(),
                        none.cpus(),
                        none.rootComplexes(),
                        none.interrupts(),
                        none.lockups(),
                        none.spuriousIrqs(),
                        Map.of("gsim", Map.of("timer_set", 0L, "enqueue", 0L)),
                        none.engine()));
    }

    /** An I/O that is faster than the window waits for its end, 2 µs of slack and a few µs of software later. */
    @ParameterizedTest
    @ValueSource(longs = {100, 200, 500})
    void atDepthOneTheDelaySetsThePace(long delayUs) {
        RunStatistics run = run("gsim:delay_us=" + delayUs);

        double paceNs = (double) DURATION_NS / run.completed();
        assertThat(paceNs).isBetween(delayUs * 1_000 + 2_000.0, delayUs * 1_000 + 8_000.0);
        assertThat(run.policies().get("gsim").get("timer_set"))
                .as("a window for each I/O, warm-up included")
                .isCloseTo(Math.round((DURATION_NS + 2_000_000) / paceNs), within(2L));
    }

    /** The timer interrupts but for the ticks, one a millisecond. */
    private static long windows(RunStatistics run) {
        return run.interrupts().timerHardirqs() - DURATION_NS / 1_000_000;
    }

    @Test
    void aDelayThatEveryReadOutlastsCostsNoWait() {
        RunStatistics none = run("none");
        RunStatistics gsim = run("gsim:delay_us=20");

        assertThat((double) gsim.completed()).isCloseTo(none.completed(), within(0.05 * none.completed()));
        // A window whose end, slack included, falls on a tick shares its interrupt.
        assertThat(windows(gsim)).isBetween(gsim.completed() - 12, gsim.completed() + 3);
    }

    @Test
    void aBusyLineInterruptsTheCpuTwiceAWindowAndForAMessageThatMaskingFindsUnderWay() {
        RunStatistics none = run("none", "iodepth=64");
        RunStatistics gsim = run("gsim:delay_us=100", "iodepth=64");

        long windows = windows(gsim);
        // A window, its slack, and a handler that reaps up to 64 reads of 0.6 µs.
        assertThat(windows).isBetween(DURATION_NS / 145_000, DURATION_NS / 102_000);
        assertThat(gsim.interrupts().deviceHardirqs()).isBetween(windows, 3 * windows);
        assertThat(gsim.interrupts().deviceHardirqs())
                .isLessThan(none.interrupts().deviceHardirqs() / 5);
        // 64 in flight and a window of a little over 100 µs.
        assertThat((double) gsim.completed()).isGreaterThan(0.7 * 64 * windows);
    }

    @Test
    void itRelievesARootComplexThatMessagesSaturate() {
        cpus = 8;
        msiNs = 1_500;
        RunStatistics none = run("none", "iodepth=32", "numjobs=8");
        RunStatistics gsim = run("gsim:delay_us=50", "iodepth=32", "numjobs=8");

        assertThat(none.rootComplexes().get(0).busyNs()).isEqualTo(DURATION_NS);
        assertThat(gsim.completed()).isGreaterThan(2 * none.completed());
        assertThat(gsim.interrupts().msis()).isLessThan(none.interrupts().msis());
    }

    /** At depth one each window is an I/O: 20 ms of 100 us, at most an epoch of 5 ms and 16 I/Os more, then 500 us. */
    @Test
    void aDelayThatIsChangedInTheMiddleSetsThePaceFromTheNextEpochOn() {
        RunStatistics slow = run("gsim:delay_us=500");
        RunStatistics fast = run("gsim:delay_us=100");
        var settings = PolicySettings.check("gsim", new GsimProvider().parameters(), Map.of("delay_us", "500"));
        RunStatistics changed = run("gsim:delay_us=100", List.of(new SettingsChange(22_000_000, "gsim", settings)));

        long inFirstHalf = fast.completed() / 2;
        long inAnEpoch = fast.completed() / 8 + 16;
        assertThat(changed.completed())
                .isBetween(inFirstHalf + slow.completed() / 2 - 16, inFirstHalf + inAnEpoch + slow.completed() / 2);
    }

    @Test
    void aDelayThatIsChangedToZeroIsOffAtOnce() {
        RunStatistics none = run("none");
        RunStatistics fast = run("gsim:delay_us=100");
        var settings = PolicySettings.check("gsim", new GsimProvider().parameters(), Map.of("delay_us", "0"));
        RunStatistics changed = run("gsim:delay_us=100", List.of(new SettingsChange(22_000_000, "gsim", settings)));

        long expected = (none.completed() + fast.completed()) / 2;
        assertThat(changed.completed()).isCloseTo(expected, within(expected / 50));
    }
}
