package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioTexts.parse;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import org.junit.jupiter.api.Test;

/** Job files of the kinds that people post, written for this test. */
final class RealisticJobFilesTest {

    @Test
    void aPolledReaderOfOneDriveForEachCore() {
        FioJobFile file = parse("""
                ; peak IOPS, one thread for each drive
                [global]
                ioengine=io_uring
                hipri
                fixedbufs
                registerfiles
                direct=1
                rw=randread
                norandommap
                randrepeat=0
                refill_buffers
                bs=4k
                iodepth=128
                iodepth_batch_submit=32
                iodepth_batch_complete_min=32
                gtod_reduce=1
                group_reporting=1
                thread=1
                time_based
                runtime=60s

                [nvme0]
                filename=/dev/nvme0n1
                cpus_allowed=0

                [nvme1]
                filename=/dev/nvme1n1
                cpus_allowed=1
                """);

        assertThat(file.jobs()).hasSize(2).allSatisfy(job -> {
            assertThat(job.engine()).isEqualTo(IoEngine.IO_URING);
            assertThat(job.polled()).isTrue();
            assertThat(job.depth()).isEqualTo(new QueueDepth(128, 32, 32, 32, 128));
        });
        assertThat(file.notes())
                .extracting(note -> Splitter.on(": ").splitToList(note).get(1))
                .containsExactly(
                        "fixedbufs",
                        "registerfiles",
                        "norandommap",
                        "randrepeat",
                        "refill_buffers",
                        "gtod_reduce",
                        "group_reporting",
                        "thread",
                        "time_based");
    }

    @Test
    void manyJobsOverAllDrivesOfAServer() {
        JobSpec job = parse("""
                        [global]
                        name=8ssd
                        ioengine=libaio
                        direct=1
                        rw=randread
                        bs=4k
                        size=100%
                        numa_mem_policy=local

                        [job]
                        filename=/dev/nvme0n1:/dev/nvme1n1:/dev/nvme2n1:/dev/nvme3n1:/dev/nvme4n1:/dev/nvme5n1:/dev/nvme6n1
                        numjobs=200
                        iodepth=32
                        cpus_allowed=0-199
                        cpus_allowed_policy=split
                        """).jobs().get(0);

        assertThat(job.name()).isEqualTo("8ssd");
        assertThat(job.numjobs()).isEqualTo(200);
        assertThat(job.files().names()).hasSize(7);
        assertThat(job.files().service()).isEqualTo(FileSet.Service.ROUNDROBIN);
        assertThat(job.cpus().cpusOf(199)).containsExactly(199);
    }

    @Test
    void aDatabaseLikeMixWithALogWriter() {
        FioJobFile file = parse("""
                # readers and writers of tables
                [tables]
                description=OLTP
                filename=/dev/nvme0n1
                ioengine=libaio
                direct=1
                rw=randrw
                rwmixread=70
                bssplit=4k/20:8k/60:16k/20,8k/50:64k/50
                iodepth=16
                numjobs=8

                # one log
                [log]
                filename=/dev/nvme0n1
                ioengine=psync
                direct=1
                rw=write
                bs=4k
                fdatasync=1
                thinktime=100
                thinktime_blocks=4
                rate_iops=2000,2000
                rate_process=poisson
                """);

        JobSpec tables = file.jobs().get(0);
        JobSpec log = file.jobs().get(1);
        assertThat(tables.blockSizes().read().maxBytes()).isEqualTo(16_384);
        assertThat(tables.blockSizes().write().maxBytes()).isEqualTo(65_536);
        assertThat(log.flushEvery()).isEqualTo(1);
        assertThat(log.thinkTime()).isEqualTo(new ThinkTime(100_000, 4));
        assertThat(log.rate().iopsPerSecond()).containsEntry(Direction.WRITE, 2000L);
        assertThat(file.notes()).hasSize(1);
    }

    @Test
    void aLatencyProbeBesideAnAntagonist() {
        FioJobFile file = parse("""
                [global]
                direct=1
                time_based=1
                ramp_time=2s
                runtime=1m
                percentile_list=50:99:99.9
                filename=/dev/nvme0n1

                [antagonist]
                ioengine=io_uring
                rw=write
                bs=128k
                iodepth=64
                cpumask=0xf0

                [probe]
                ioengine=pvsync2
                hipri
                rw=randread
                iodepth=1
                rate_iops=5k
                cpumask=0x1
                write_lat_log=probe
                """);

        assertThat(file.jobs()).extracting(JobSpec::polled).containsExactly(false, true);
        assertThat(file.jobs().get(0).cpus().allowed()).containsExactly(4, 5, 6, 7);
        assertThat(file.jobs().get(1).rate().iopsPerSecond()).containsEntry(Direction.READ, 5120L);
        assertThat(file.jobs())
                .extracting(JobSpec::extent)
                .containsOnly(new Extent(2_000_000_000L, 60_000_000_000L, 0, 0));
    }
}
