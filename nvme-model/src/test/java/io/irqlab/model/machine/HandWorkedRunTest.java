package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.workload.IoEngineCosts;
import org.junit.jupiter.api.Test;

/**
 * One thread at depth one with constant service, where every number can be worked out by hand. All costs are different, so
 * that none can stand in for another; a run of whole periods counts whole multiples of each.
 */
final class HandWorkedRunTest {
    private static final long ENTRY_NS = 503;
    private static final long EXIT_NS = 307;
    private static final long SWITCH_NS = 1_201;
    private static final long WAKEUP_NS = 409;
    private static final long IPI_NS = 1_009;
    private static final long IDLE_EXIT_NS = 997;
    private static final long REAP_NS = 101;
    private static final long COMPLETE_NS = 499;
    private static final long DOORBELL_NS = 211;
    private static final long USER_NS = 331;
    private static final long SUBMIT_NS = 809;
    private static final long TAKE_NS = 293;
    private static final long WAIT_NS = 521;
    private static final long FETCH_NS = 701;
    private static final long COMMAND_NS = 400;
    private static final long READ_NS = 50_021;
    private static final long DMA_NS = 41;
    private static final long MSI_NS = 149;
    /** As many as there is time for between two ticks, which are of every millisecond. */
    private static final int PERIODS = 14;

    private final TestMachine machine = new TestMachine();

    HandWorkedRunTest() {
        machine.cpuCosts = new CpuCosts(
                ENTRY_NS,
                EXIT_NS,
                223,
                103,
                311,
                0,
                SWITCH_NS,
                WAKEUP_NS,
                IPI_NS,
                IDLE_EXIT_NS,
                29,
                VirtualizationCosts.BARE_METAL);
        machine.driverCosts = new DriverCosts(REAP_NS, COMPLETE_NS, DOORBELL_NS, 807);
        machine.engineCosts = new IoEngineCosts(USER_NS, SUBMIT_NS, TAKE_NS, WAIT_NS);
        machine.fetchNs = FETCH_NS;
        machine.maxIops = 1_000_000_000 / COMMAND_NS;
        machine.readNs = READ_NS;
        machine.readSigma = 0;
        machine.dmaNs = DMA_NS;
        machine.msiNs = MSI_NS;
    }

    /** From the doorbell to the interrupt at the CPU. */
    private long deviceNs() {
        return FETCH_NS + COMMAND_NS + READ_NS + machine.linkNs() + DMA_NS + MSI_NS;
    }

    private RunStatistics run(long periodNs, String... jobLines) {
        return machine.assemble(PolicyStack.none(), 1, jobLines).run(1_050_000, PERIODS * periodNs);
    }

    @Test
    void onTheCpuOfTheInterruptTheLatencyIsTheSumOfItsParts() {
        machine.cpus = 1;
        long handlerNs = ENTRY_NS + REAP_NS + DOORBELL_NS + COMPLETE_NS + WAKEUP_NS + EXIT_NS;
        long latencyNs = deviceNs() + IDLE_EXIT_NS + handlerNs + SWITCH_NS;
        long periodNs = latencyNs + TAKE_NS + USER_NS + SUBMIT_NS;

        RunStatistics run = run(periodNs, "filename=/dev/nvme0n1");

        assertThat(machine.latencies.get(0)).hasSize(PERIODS).containsOnly(latencyNs);
        RunStatistics.Device device = run.devices().get(0);
        assertThat(device.completed()).isEqualTo(PERIODS);
        assertThat(device.bytes()).isEqualTo(PERIODS * 4096L);
        assertThat(device.msis()).isEqualTo(PERIODS);
        assertThat(device.inFlightMean()).isCloseTo((double) latencyNs / periodNs, within(1e-12));
        assertThat(run.interrupts()).isEqualTo(new RunStatistics.Interrupts(PERIODS, PERIODS, 0, 0, PERIODS));
        assertThat(run.rootComplexes())
                .containsExactly(new RunStatistics.RootComplex("rc0", PERIODS * (DMA_NS + MSI_NS)));
        long systemNs = SWITCH_NS + TAKE_NS + SUBMIT_NS + WAIT_NS;
        assertThat(run.cpus())
                .containsExactly(new RunStatistics.Cpu(
                        0,
                        PERIODS * handlerNs,
                        0,
                        PERIODS * systemNs,
                        PERIODS * USER_NS,
                        PERIODS * (periodNs - handlerNs - systemNs - USER_NS)));
        assertThat(run.lockups()).isEmpty();
        assertThat(run.policies()).isEmpty();
    }

    @Test
    void fromAnotherCpuTheSubmitterIsWokenByAnInterrupt() {
        machine.maxIoQueues = 1; // its interrupt is CPU 0's
        long handlerNs = ENTRY_NS + REAP_NS + DOORBELL_NS + COMPLETE_NS + WAKEUP_NS + EXIT_NS;
        long latencyNs = deviceNs()
                + IDLE_EXIT_NS
                + (handlerNs - WAKEUP_NS - EXIT_NS)
                + IPI_NS
                + IDLE_EXIT_NS
                + ENTRY_NS
                + EXIT_NS
                + SWITCH_NS;
        long periodNs = latencyNs + TAKE_NS + USER_NS + SUBMIT_NS;

        RunStatistics run = run(periodNs, "filename=/dev/nvme0n1", "cpus_allowed=1");

        assertThat(machine.latencies.get(0)).hasSize(PERIODS).containsOnly(latencyNs);
        assertThat(run.interrupts()).isEqualTo(new RunStatistics.Interrupts(2 * PERIODS, PERIODS, 0, PERIODS, PERIODS));
        assertThat(run.cpus().get(0))
                .isEqualTo(new RunStatistics.Cpu(0, PERIODS * handlerNs, 0, 0, 0, PERIODS * (periodNs - handlerNs)));
        long systemNs = SWITCH_NS + TAKE_NS + SUBMIT_NS + WAIT_NS;
        assertThat(run.cpus().get(1))
                .isEqualTo(new RunStatistics.Cpu(
                        1,
                        PERIODS * (ENTRY_NS + EXIT_NS),
                        0,
                        PERIODS * systemNs,
                        PERIODS * USER_NS,
                        PERIODS * (periodNs - ENTRY_NS - EXIT_NS - systemNs - USER_NS)));
    }

    @Test
    void twoDrivesInTurnHaveHalfTheReadsEach() {
        machine.cpus = 1;
        machine.drives = 2;
        long latencyNs = deviceNs()
                + IDLE_EXIT_NS
                + ENTRY_NS
                + REAP_NS
                + DOORBELL_NS
                + COMPLETE_NS
                + WAKEUP_NS
                + EXIT_NS
                + SWITCH_NS;
        long periodNs = latencyNs + TAKE_NS + USER_NS + SUBMIT_NS;

        RunStatistics run = run(periodNs, machine.allFiles());

        assertThat(run.devices().stream().map(RunStatistics.Device::completed))
                .containsExactly(PERIODS / 2L, PERIODS / 2L);
        assertThat(machine.latencies.get(1)).containsOnly(latencyNs);
        assertThat(run.completed()).isEqualTo(PERIODS);
    }

    @Test
    void aLargerReadIsLongerOnLinkAndInTheRootComplex() {
        machine.cpus = 1;
        long smallNs = latencyOf("bs=4k");
        long largeNs = latencyOf("bs=64k");

        long linkNs = machine.link().transferNs(machine.link().upstreamBytesOfRead(65_536)) - machine.linkNs();
        assertThat(largeNs - smallNs).isEqualTo(linkNs + 15 * DMA_NS);
    }

    private long latencyOf(String blockSize) {
        run(100_000, "filename=/dev/nvme0n1", blockSize);
        return machine.latencies.get(0).get(0);
    }
}
