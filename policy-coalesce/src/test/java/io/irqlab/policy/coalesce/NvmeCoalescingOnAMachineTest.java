package io.irqlab.policy.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.machine.DriveProfile;
import io.irqlab.model.machine.DriveSlot;
import io.irqlab.model.machine.Machine;
import io.irqlab.model.machine.MachineProfile;
import io.irqlab.model.machine.RootComplexProfile;
import io.irqlab.model.machine.RunStatistics;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.workload.FioJobFile;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The feature's effect on a closed loop of reads. */
final class NvmeCoalescingOnAMachineTest {
    private static final long DURATION_NS = 40_000_000;
    private static final PcieLink LINK = new PcieLink(5, 4, 256);
    private static final long DMA_NS = 40;

    private final List<Long> latencies = new ArrayList<>();
    private long featureStallNs;

    private RunStatistics run(String policy, long warmupNs, String... jobLines) {
        latencies.clear();
        var drive = new DriveProfile(
                "drive", LINK, 50_000, 0, 0, 0, 0, 2_000_000, 256, 700, 8, 64, 1_024, 10_000, featureStallNs);
        var profile = new MachineProfile(
                "small",
                1,
                10,
                new CpuCosts(500, 300, 200, 100, 300, 0, 1_200, 400, 1_000, 1_000, 25, VirtualizationCosts.BARE_METAL),
                new DriverCosts(100, 500, 200, 800),
                Map.of(IoEngine.LIBAIO, new IoEngineCosts(330, 800, 300, 500)),
                List.of(new RootComplexProfile("rc0", DMA_NS, 150, 8)),
                List.of(new DriveSlot("nvme0", drive, "rc0"), new DriveSlot("nvme1", drive, "rc0")));
        String job = "[a]\nioengine=libaio\ndirect=1\nrw=randread\nfilename=/dev/nvme0n1:/dev/nvme1n1\n"
                + String.join("\n", jobLines);
        PolicyStack stack = PolicyStack.parse(policy, PolicyRegistry.of(List.of(new NvmeCoalescingProvider())));
        return Machine.assemble(
                        profile,
                        FioJobFile.parse("test.fio", job).jobs(),
                        stack,
                        1,
                        List.of(latencies::add, latencies::add))
                .run(warmupNs, DURATION_NS);
    }

    /** All latencies are so long, but for the few on whose software a tick falls. */
    private void assertLatencies(long expectedNs) {
        assertThat(latencies)
                .isNotEmpty()
                .allSatisfy(latencyNs -> assertThat(latencyNs).isBetween(expectedNs, expectedNs + 2_000));
        assertThat(latencies.stream().filter(latencyNs -> latencyNs == expectedNs))
                .hasSizeGreaterThan(latencies.size() * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(longs = {100, 200, 1_000})
    void atDepthOneEveryReadWaitsForTheTimer(long timeUs) {
        run("none", 1_000_000);
        long aloneNs = latencies.get(0);
        assertLatencies(aloneNs);
        RunStatistics run = run("nvme-coalescing:threshold=8,time_us=" + timeUs, 1_000_000);

        long bareMessageNs = LINK.transferNs(PcieLink.TLP_OVERHEAD_BYTES) - DMA_NS;
        assertLatencies(aloneNs + timeUs * 1_000 + bareMessageNs);
        assertThat(run.policies().get("nvme-coalescing")).containsEntry("set_features", 2L);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8, 16})
    void atDepthTheThresholdSetsHowManyReadsAMessageAnnounces(int threshold) {
        RunStatistics run = run("nvme-coalescing:time_us=1000,threshold=" + threshold, 1_000_000, "iodepth=128");

        assertThat((double) run.interrupts().msis() / run.completed()).isCloseTo(1.0 / threshold, within(0.02));
        assertThat(run.completed()).isGreaterThan(10_000);
    }

    @Test
    void itsDefaultIsEightReadsOr100Microseconds() {
        assertThat(run("nvme-coalescing", 1_000_000, "iodepth=64"))
                .isEqualTo(run("nvme-coalescing:threshold=8,time_us=100", 1_000_000, "iodepth=64"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"threshold=1", "time_us=0"})
    void eitherFieldOfTheRegisterSwitchesItOff(String setting) {
        RunStatistics none = run("none", 0, "iodepth=16");
        RunStatistics off = run("nvme-coalescing:" + setting, 0, "iodepth=16");

        assertThat(off.devices()).isEqualTo(none.devices());
        assertThat(off.cpus()).isEqualTo(none.cpus());
        assertThat(off.interrupts()).isEqualTo(none.interrupts());
    }

    @Test
    void aDriveThatStallsWhenTheFeatureChangesServesNothingMeanwhile() {
        RunStatistics quick = run("nvme-coalescing", 0, "iodepth=16");
        featureStallNs = 20_000_000;
        RunStatistics stalled = run("nvme-coalescing", 0, "iodepth=16");

        assertThat((double) stalled.completed()).isCloseTo(quick.completed() / 2.0, within(0.02 * quick.completed()));
    }
}
