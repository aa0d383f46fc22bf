package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.model.workload.FioSyntaxException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which job goes where, and which does not fit the machine. Each message names the line of the option at fault. */
final class JobPlacementTest {
    private static final String FILE = "filename=/dev/nvme0n1";

    private final TestMachine machine = new TestMachine();

    /** Lines are those after the four that every test has: the first is line 5. */
    private void assertRefused(String message, String... lines) {
        assertThatExceptionOfType(FioSyntaxException.class)
                .isThrownBy(() -> machine.assemble(lines))
                .withMessage(message);
    }

    /** Runs the jobs and returns the numbers of the CPUs on which threads ran. */
    private List<Integer> cpusOf(String... lines) {
        return machine.assemble(lines).run(0, 1_000_000).cpus().stream()
                .filter(cpu -> cpu.userNs() > 0)
                .map(RunStatistics.Cpu::cpu)
                .toList();
    }

    // ---- jobs that do not fit

    @Test
    void onlyReadsAreModelled() {
        assertRefused(
                "test.fio:6: rw: 'randwrite' is not modelled yet; expected read or randread", FILE, "rw=randwrite");
        assertRefused("test.fio:6: rw: 'randrw' is not modelled yet; expected read or randread", FILE, "rw=randrw");
        assertRefused("test.fio:6: rw: 'trim' is not modelled yet; expected read or randread", FILE, "rw=trim");
    }

    @Test
    void aMixOfReadsAloneIsAllReads() {
        assertThat(cpusOf(FILE, "rw=randrw", "rwmixread=100")).containsExactly(0);
        assertThat(cpusOf(FILE, "rw=read")).containsExactly(0);
    }

    @Test
    void pollingRatesAndPausesAreNotModelledYet() {
        assertRefused(
                "test.fio:7: hipri: polled completion is not modelled yet; expected hipri=0",
                FILE,
                "ioengine=io_uring",
                "hipri=1");
        assertRefused("test.fio:6: rate_iops: a rate limit is not modelled yet; leave it out", FILE, "rate_iops=1000");
        assertRefused("test.fio:6: thinktime: pauses are not modelled yet; expected 0", FILE, "thinktime=10");
    }

    @Test
    void severalFilesOneAfterTheOtherAreNotModelledYet() {
        machine.drives = 2;
        assertRefused(
                "test.fio:6: file_service_type: 'sequential' is not modelled yet; expected roundrobin or random",
                "filename=/dev/nvme0n1:/dev/nvme1n1",
                "file_service_type=sequential");
    }

    @Test
    void anEngineWithoutCostsIsRefused() {
        assertRefused(
                "test.fio:6: ioengine: machine small has no costs for 'io_uring'; expected libaio",
                FILE,
                "ioengine=io_uring");
    }

    @Test
    void aFileThatIsNoDriveIsRefusedWithTheNearestOne() {
        machine.drives = 3;
        assertRefused(
                "test.fio:5: filename: '/dev/nvme1n' is no drive of machine small, did you mean '/dev/nvme1n1'?;"
                        + " expected /dev/nvme0n1, /dev/nvme1n1, /dev/nvme2n1",
                "filename=/dev/nvme1n");
        assertRefused(
                "test.fio:5: filename: '/var/lib/db' is no drive of machine small;"
                        + " expected /dev/nvme0n1, /dev/nvme1n1, /dev/nvme2n1",
                "filename=/var/lib/db");
    }

    @Test
    void aCpuThatTheMachineHasNotIsRefused() {
        assertRefused(
                "test.fio:6: cpus_allowed: machine small has no CPU 2; expected 0 to 1", FILE, "cpus_allowed=0-2");
    }

    // ---- where threads go

    @Test
    void threadsSpreadOverTheCpusFromTheLowestNumberOn() {
        machine.cpus = 4;
        assertThat(cpusOf(FILE)).containsExactly(0);
        assertThat(cpusOf(FILE, "numjobs=3")).containsExactly(0, 1, 2);
    }

    @Test
    void threadsGoWhereTheFewestAre() {
        machine.cpus = 4;
        // The first job has CPU 1; the second fills the others before it comes back.
        assertThat(cpusOf(
                        FILE, "cpus_allowed=1", "[b]", "ioengine=libaio", "direct=1", "rw=randread", FILE, "numjobs=2"))
                .containsExactly(0, 1, 2);
    }

    @Test
    void threadsStayOnTheCpusThatTheirJobAllows() {
        machine.cpus = 4;
        assertThat(cpusOf(FILE, "cpus_allowed=2-3", "numjobs=4")).containsExactly(2, 3);
    }

    @Test
    void splitCpusAreCountedThroughAllJobsOfTheRun() {
        machine.cpus = 4;
        assertThat(cpusOf(
                        FILE,
                        "cpus_allowed=0-3",
                        "cpus_allowed_policy=split",
                        "[b]",
                        "ioengine=libaio",
                        "direct=1",
                        "rw=randread",
                        FILE,
                        "cpus_allowed=2-3",
                        "cpus_allowed_policy=split"))
                .as("the second job's thread is the run's second")
                .containsExactly(0, 3);
    }

    @Test
    void aJobReadsTheDrivesThatItNames() {
        machine.drives = 3;
        RunStatistics statistics = machine.assemble("filename=/dev/nvme2n1:/dev/nvme0n1", "iodepth=4")
                .run(0, 2_000_000);

        assertThat(statistics.devices().get(0).completed()).isPositive();
        assertThat(statistics.devices().get(1).completed()).isZero();
        assertThat(statistics.devices().get(2).completed()).isPositive();
    }
}
