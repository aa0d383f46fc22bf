package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioTexts.PLAIN_JOB;
import static io.irqlab.model.workload.FioTexts.faultOf;
import static io.irqlab.model.workload.FioTexts.faultWith;
import static io.irqlab.model.workload.FioTexts.job;
import static io.irqlab.model.workload.FioTexts.jobWith;
import static io.irqlab.model.workload.FioTexts.notesOn;
import static io.irqlab.model.workload.FioTexts.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.model.workload.BlockSize.Range;
import io.irqlab.model.workload.BlockSize.Share;
import io.irqlab.model.workload.BlockSize.Split;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What each honoured option means, and what is said of a wrong value. */
final class FioOptionValuesTest {

    @ParameterizedTest
    @EnumSource(IoEngine.class)
    void everyEngineIsKnownByTheNameThatFioGivesIt(IoEngine engine) {
        assertThat(jobWith("ioengine=" + engine.fioName()).engine()).isEqualTo(engine);
    }

    @Test
    void anEngineThatIsNotModelledIsToldFromOneThatDoesNotExist() {
        String expected = "libaio, io_uring, sync, psync, pvsync, pvsync2";

        assertThat(faultWith("ioengine=mmap"))
                .isEqualTo("my.fio:5: ioengine: 'mmap' is not modelled; expected " + expected);
        assertThat(faultWith("ioengine=libaoi"))
                .isEqualTo("my.fio:5: ioengine: 'libaoi' is not one of " + expected + "; did you mean 'libaio'?");
    }

    @Test
    void hipriPollsWithAnEngineThatCan() {
        assertThat(jobWith("ioengine=io_uring", "hipri").polled()).isTrue();
        assertThat(jobWith("ioengine=pvsync2", "hipri=1").polled()).isTrue();
        assertThat(jobWith("ioengine=io_uring", "hipri=0").polled()).isFalse();
        assertThat(jobWith("ioengine=io_uring").polled()).isFalse();
    }

    @Test
    void hipriWithAnotherEngineIsRefusedInItsSectionAndNotedIfInherited() {
        assertThat(faultWith("hipri"))
                .isEqualTo("my.fio:5: hipri: ioengine=libaio cannot poll; expected ioengine=io_uring or pvsync2");

        FioJobFile file = parse("[global]\nioengine=io_uring\nhipri\n" + PLAIN_JOB);
        assertThat(file.jobs().get(0).polled()).isFalse();
        assertThat(file.notes()).containsExactly("my.fio:3: hipri: no effect with ioengine=libaio");
    }

    @ParameterizedTest
    @EnumSource(IoPattern.class)
    void everyPatternIsKnownByTheNameThatFioGivesIt(IoPattern pattern) {
        assertThat(jobWith("rw=" + pattern.fioName()).pattern()).isEqualTo(pattern);
    }

    @Test
    void readwriteIsAnotherNameOfTheOptionAndOfAValue() {
        assertThat(jobWith("readwrite=readwrite").pattern()).isEqualTo(IoPattern.RW);
    }

    @Test
    void aPatternThatDoesNotExistOrIsNotModelledIsRefused() {
        String expected = "read, write, trim, randread, randwrite, randtrim, rw, randrw, readwrite";

        assertThat(faultWith("rw=randraed"))
                .isEqualTo("my.fio:5: rw: 'randraed' is not one of " + expected + "; did you mean 'randread'?");
        assertThat(faultWith("rw=trimwrite"))
                .isEqualTo("my.fio:5: rw: 'trimwrite' is not modelled; expected " + expected);
        assertThat(faultWith("rw=randread:8"))
                .isEqualTo("my.fio:5: rw: 'randread:8' changes the sequence of offsets, which is not modelled; expected"
                        + " randread");
    }

    @Test
    void theLastOfRwmixreadAndRwmixwriteCounts() {
        assertThat(jobWith("rwmixread=70").readPercent()).isEqualTo(70);
        assertThat(jobWith("rwmixwrite=10").readPercent()).isEqualTo(90);
        assertThat(jobWith("rwmixread=70", "rwmixwrite=10").readPercent()).isEqualTo(90);
        assertThat(jobWith("rwmixwrite=10", "rwmixread=0").readPercent()).isZero();
    }

    @Test
    void aPercentageOutsideItsRangeIsRefused() {
        assertThat(faultWith("rwmixread=101")).isEqualTo("my.fio:5: rwmixread: '101' is too large; expected 0 to 100");
        assertThat(faultWith("rwmixwrite=-1")).isEqualTo("my.fio:5: rwmixwrite: '-1' is too small; expected 0 to 100");
    }

    @ParameterizedTest
    @CsvSource({
        "512, 512",
        "4096, 4096",
        "4k, 4096",
        "4K, 4096",
        "4kb, 4096",
        "4kB, 4096",
        "4096b, 4096",
        "0x1000, 4096",
        "1m, 1048576",
        "1M, 1048576",
        "1g, 1073741824",
        "+8k, 8192",
        "64ki, 64000",
        "64KiB, 64000",
        "08192, 8192"
    })
    void sizesHaveTheSuffixesOfFio(String text, int bytes) {
        assertThat(jobWith("bs=" + text).blockSizes().read()).isEqualTo(BlockSize.of(bytes));
    }

    @Test
    void withAKbBaseOf1000TheSuffixesAreThoseOfTheIec() {
        assertThat(jobWith("bs=4KiB", "kb_base=1000").blockSizes().read()).isEqualTo(BlockSize.of(4096));
        assertThat(jobWith("kb_base=1000", "bs=64k").blockSizes().read()).isEqualTo(BlockSize.of(64_000));
        assertThat(jobWith("kb_base=1000", "size=1g").extent().sizeBytes()).isEqualTo(1_000_000_000);
        assertThat(faultWith("kb_base=1023"))
                .isEqualTo("my.fio:5: kb_base: '1023' is not one of 1000, 1024; did you mean '1024'?");
    }

    @Test
    void aKbBaseOfAJobDoesNotChangeWhatTheGlobalSectionSaid() {
        JobSpec job = job("[global]\nbs=4k\n[a]\nfilename=/dev/nvme0n1\nkb_base=1000\nsize=1k\n");

        assertThat(job.blockSizes().read()).isEqualTo(BlockSize.of(4096));
        assertThat(job.extent().sizeBytes()).isEqualTo(1000);
    }

    @Test
    void aSizeThatNoDriveHasIsRefused() {
        assertThat(faultWith("bs=4KiB"))
                .isEqualTo(
                        "my.fio:5: bs: '4KiB' is 4000 bytes, which is not a multiple of 512; with kb_base=1024, 4k is"
                                + " 4096 bytes and 4KiB is 4000");
        assertThat(faultWith("bs=0"))
                .isEqualTo("my.fio:5: bs: '0' is too small; expected a size such as 4k of 512 bytes to 1g");
        assertThat(faultWith("bs=2g"))
                .isEqualTo("my.fio:5: bs: '2g' is too large; expected a size such as 4k of 512 bytes to 1g");
        assertThat(faultWith("bs=99999999999999999999p"))
                .isEqualTo("my.fio:5: bs: '99999999999999999999p' is too large; expected a size such as 4k of 512 bytes"
                        + " to 1g");
        assertThat(faultWith("bs=4q"))
                .isEqualTo("my.fio:5: bs: '4q' has the unknown unit 'q'; the units are k, m, g, t and p");
        assertThat(faultWith("blocksize=4.5k"))
                .isEqualTo("my.fio:5: blocksize: '4.5k' is not a whole number; expected a size such as 4k of 512 bytes"
                        + " to 1g");
    }

    @Test
    void sizesMayDifferByDirection() {
        assertThat(jobWith("bs=8k").blockSizes()).isEqualTo(sizes(8, 8, 8));
        assertThat(jobWith("bs=8k,32k").blockSizes()).isEqualTo(sizes(8, 32, 32));
        assertThat(jobWith("bs=8k, 32k, 64k").blockSizes()).isEqualTo(sizes(8, 32, 64));
        assertThat(jobWith("bs=8k,32k,").blockSizes()).isEqualTo(sizes(8, 32, 4));
        assertThat(jobWith("bs=8k,").blockSizes()).isEqualTo(sizes(8, 4, 4));
        assertThat(jobWith("bs=,8k").blockSizes()).isEqualTo(sizes(4, 8, 8));
        assertThat(jobWith("bs=,8k,").blockSizes()).isEqualTo(sizes(4, 8, 4));
        assertThat(faultWith("bs=4k,4k,4k,4k"))
                .isEqualTo("my.fio:5: bs: '4k,4k,4k,4k' has more than three values; expected a size such as 4k; or"
                        + " read,write,trim");
    }

    @Test
    void aDirectionLeftOpenKeepsWhatTheGlobalSectionSaid() {
        JobSpec job = job("[global]\nbs=16k\n[a]\nfilename=/dev/nvme0n1\nbs=,8k\n");

        assertThat(job.blockSizes()).isEqualTo(sizes(16, 8, 8));
    }

    private static BlockSizes sizes(int readKib, int writeKib, int trimKib) {
        return new BlockSizes(
                BlockSize.of(readKib * 1024), BlockSize.of(writeKib * 1024), BlockSize.of(trimKib * 1024));
    }

    @Test
    void aRangeHasTwoEndsInEitherOrder() {
        assertThat(jobWith("bsrange=4k-64k").blockSizes().read()).isEqualTo(new Range(4096, 65_536));
        assertThat(jobWith("bsrange=64k-4k").blockSizes().trim()).isEqualTo(new Range(4096, 65_536));
        assertThat(jobWith("blocksize_range=1k:4k , 2k-8k").blockSizes())
                .isEqualTo(new BlockSizes(new Range(1024, 4096), new Range(2048, 8192), new Range(2048, 8192)));
        assertThat(faultWith("bsrange=4k"))
                .isEqualTo("my.fio:5: bsrange: '4k' is not a range; expected a range such as 4k-64k");
    }

    @Test
    void sharesAreGivenAsPercentages() {
        assertThat(jobWith("bssplit=4k/60:8k/40").blockSizes().read())
                .isEqualTo(new Split(List.of(new Share(4096, 60), new Share(8192, 40))));
        assertThat(jobWith("bssplit=4k/60%:8k/40%").blockSizes().read())
                .isEqualTo(new Split(List.of(new Share(4096, 60), new Share(8192, 40))));
    }

    @Test
    void whatHasNoShareGetsAnEqualPartOfTheRest() {
        assertThat(jobWith("bssplit=4k/50:8k/:16k:32k").blockSizes().read())
                .isEqualTo(new Split(List.of(
                        new Share(4096, 50), new Share(8192, 16), new Share(16_384, 17), new Share(32_768, 17))));
        assertThat(jobWith("bssplit=4k").blockSizes().read()).isEqualTo(new Split(List.of(new Share(4096, 100))));
    }

    @Test
    void sharesMayDifferByDirection() {
        BlockSizes sizes = jobWith("bssplit=4k/50:8k/50,16k/100").blockSizes();

        assertThat(sizes.read()).isEqualTo(new Split(List.of(new Share(4096, 50), new Share(8192, 50))));
        assertThat(sizes.write()).isEqualTo(new Split(List.of(new Share(16_384, 100))));
        assertThat(sizes.trim()).isEqualTo(sizes.write());
    }

    @Test
    void sharesThatDoNotAddUpAreRefused() {
        assertThat(faultWith("bssplit=4k/60:8k/30"))
                .isEqualTo("my.fio:5: bssplit: percentages add up to 90; expected 100");
        assertThat(faultWith("bssplit=4k/60:8k/50"))
                .isEqualTo("my.fio:5: bssplit: percentages add up to 110; expected 100");
        assertThat(faultWith("bssplit=4k/60:8k/50:16k"))
                .isEqualTo("my.fio:5: bssplit: percentages add up to 110; expected 100");
        assertThat(faultWith("bssplit=4k/60/2:8k/40"))
                .isEqualTo(
                        "my.fio:5: bssplit: '4k/60/2' is not a size and a percentage; expected sizes with percentages"
                                + " such as 4k/60:8k/40");
        assertThat(faultWith("bssplit=4k/x"))
                .isEqualTo("my.fio:5: bssplit: 'x' is not a whole number; expected a percentage from 0 to 100");
        assertThat(faultWith("bssplit=" + "4k:".repeat(64) + "4k")).endsWith("has 65 sizes; expected up to 64");
    }

    @Test
    void bssplitCountsBeforeBsrangeAndThatBeforeBsInWhateverOrder() {
        JobSpec job = jobWith("bssplit=,8k/100,", "bsrange=4k-16k", "bs=64k");

        assertThat(job.blockSizes().read()).isEqualTo(new Range(4096, 16_384));
        assertThat(job.blockSizes().write()).isEqualTo(new Split(List.of(new Share(8192, 100))));
        assertThat(notesOn("bsrange=4k-16k", "bs=64k"))
                .containsExactly("my.fio:6: bs: bsrange and bssplit count before it, as in fio");
    }

    @Test
    void depthAndBatchesAreTaken() {
        assertThat(jobWith(
                                "iodepth=128",
                                "iodepth_batch_submit=16",
                                "iodepth_batch_complete_min=8",
                                "iodepth_batch_complete_max=32",
                                "iodepth_low=64")
                        .depth())
                .isEqualTo(new QueueDepth(128, 16, 8, 32, 64));
        assertThat(jobWith("iodepth=128", "iodepth_batch=16", "iodepth_batch_complete=8")
                        .depth())
                .isEqualTo(new QueueDepth(128, 16, 8, 8, 128));
        assertThat(jobWith("iodepth=128").depth()).isEqualTo(new QueueDepth(128, 1, 1, 1, 128));
        assertThat(jobWith("iodepth=8", "iodepth_batch=0", "iodepth_batch_complete=0", "iodepth_low=0")
                        .depth())
                .isEqualTo(new QueueDepth(8, 8, 0, 0, 8));
    }

    @Test
    void batchesAreCutToTheDepthAsInFioAndANoteSaysSo() {
        assertThat(jobWith("iodepth=8", "iodepth_batch=16", "iodepth_low=9").depth())
                .isEqualTo(new QueueDepth(8, 8, 1, 1, 8));
        assertThat(notesOn("iodepth=8", "iodepth_batch=16", "iodepth_low=9"))
                .containsExactly(
                        "my.fio:6: iodepth_batch: 8 and not 16, as in fio: no more than iodepth",
                        "my.fio:7: iodepth_low: 8 and not 9, as in fio: no more than iodepth");
    }

    @Test
    void waitingForMoreThanCanBeInFlightIsRefused() {
        assertThat(faultWith("iodepth=8", "iodepth_batch_complete_min=16"))
                .isEqualTo("my.fio:6: iodepth_batch_complete_min: 16 is more than the 8 of iodepth; expected 0 to 8");
        assertThat(faultOf("[global]\niodepth_batch_complete=2\n" + PLAIN_JOB))
                .isEqualTo("my.fio:2: iodepth_batch_complete: 2 is more than the 1 of iodepth; expected 0 to 1");
    }

    @Test
    void aSynchronousEngineHasADepthOfOneAndANoteSaysSo() {
        assertThat(jobWith("ioengine=psync", "iodepth=32", "iodepth_batch=8").depth())
                .isEqualTo(QueueDepth.ONE);
        assertThat(notesOn("ioengine=psync", "iodepth=32"))
                .containsExactly("my.fio:6: iodepth: 1 and not 32, as in fio: ioengine=psync waits for each I/O");
        assertThat(notesOn("ioengine=psync", "iodepth=1")).isEmpty();
    }

    @Test
    void aNumberThatIsNoneOrOutOfRangeIsRefused() {
        assertThat(faultWith("iodepth=abc"))
                .isEqualTo("my.fio:5: iodepth: 'abc' is not a whole number; expected 1 to 65536");
        assertThat(faultWith("iodepth=0")).isEqualTo("my.fio:5: iodepth: '0' is too small; expected 1 to 65536");
        assertThat(faultWith("iodepth=70000"))
                .isEqualTo("my.fio:5: iodepth: '70000' is too large; expected 1 to 65536");
        assertThat(faultWith("numjobs=0")).isEqualTo("my.fio:5: numjobs: '0' is too small; expected 1 to 4096");
        assertThat(faultWith("iodepth=(4*8)"))
                .isEqualTo("my.fio:5: iodepth: '(4*8)' is not a whole number; expected 1 to 65536");
    }

    @Test
    void moreThreadsThanFioAllowsAreRefused() {
        assertThat(faultOf("[global]\nfilename=/dev/nvme0n1\nnumjobs=4000\n[a]\n[b]\nnumjobs=97\n"))
                .isEqualTo("my.fio:6: numjobs: the jobs have 4097 threads so far; expected up to 4096");
    }

    @Test
    void fileNamesAreSplitAtColonsUnlessEscaped() {
        assertThat(jobWith("filename=/dev/nvme0n1:/dev/nvme1n1").files().names())
                .containsExactly("/dev/nvme0n1", "/dev/nvme1n1");
        assertThat(jobWith("filename=/dev/disk/by-path/pci-0000\\:01\\:00.0-nvme-1 : b:")
                        .files()
                        .names())
                .containsExactly("/dev/disk/by-path/pci-0000:01:00.0-nvme-1", "b");
        assertThat(faultWith("filename=::"))
                .isEqualTo("my.fio:5: filename: '::' names no file; expected drives such as /dev/nvme0n1:/dev/nvme1n1");
    }

    @Test
    void theNextFileIsPickedAsTold() {
        assertThat(jobWith("file_service_type=random").files().service()).isEqualTo(FileSet.Service.RANDOM);
        FileSet files = jobWith("file_service_type=sequential:16").files();
        assertThat(files.service()).isEqualTo(FileSet.Service.SEQUENTIAL);
        assertThat(files.every()).isEqualTo(16);
        assertThat(faultWith("file_service_type=zipf:1.2"))
                .isEqualTo(
                        "my.fio:5: file_service_type: 'zipf' is not modelled; expected roundrobin, sequential, random");
        assertThat(faultWith("file_service_type=roundrobin:0"))
                .isEqualTo("my.fio:5: file_service_type: '0' is too small; expected 1 or more I/Os after ':'");
    }

    @Test
    void cpusAreAListOfNumbersAndRangesOrAMask() {
        assertThat(jobWith("cpus_allowed=8,0-3").cpus().allowed()).containsExactly(0, 1, 2, 3, 8);
        assertThat(jobWith("cpus_allowed= 0 - 1 , 5 ").cpus().allowed()).containsExactly(0, 1, 5);
        assertThat(jobWith("cpumask=0x15").cpus().allowed()).containsExactly(0, 2, 4);
        assertThat(jobWith("cpumask=3").cpus().allowed()).containsExactly(0, 1);
    }

    @Test
    void aWrongListOfCpusIsRefused() {
        assertThat(faultWith("cpus_allowed=0-1-2"))
                .isEqualTo("my.fio:5: cpus_allowed: '0-1-2' is not a range of CPUs; expected CPUs such as 0-3,8");
        assertThat(faultWith("cpus_allowed=3-0"))
                .isEqualTo("my.fio:5: cpus_allowed: '3-0' ends before it begins; expected CPUs such as 0-3,8");
        assertThat(faultWith("cpus_allowed=0,,1"))
                .isEqualTo("my.fio:5: cpus_allowed: '' is not a whole number; expected CPUs such as 0-3,8, up to 4095");
        assertThat(faultWith("cpus_allowed=0-99999999"))
                .isEqualTo("my.fio:5: cpus_allowed: '99999999' is too large; expected CPUs such as 0-3,8, up to 4095");
        assertThat(faultWith("cpumask=0"))
                .isEqualTo("my.fio:5: cpumask: '0' is too small; expected a mask such as 0xff");
        assertThat(faultWith("cpus_allowed_policy=splti"))
                .isEqualTo("my.fio:5: cpus_allowed_policy: 'splti' is not one of shared, split; did you mean 'split'?");
    }

    @Test
    void eachThreadGetsItsCpusByThePolicy() {
        CpuAffinity shared = jobWith("cpus_allowed=4-6").cpus();
        CpuAffinity split =
                jobWith("cpus_allowed=4-6", "cpus_allowed_policy=split").cpus();

        assertThat(shared.cpusOf(1)).containsExactly(4, 5, 6);
        assertThat(split.cpusOf(0)).containsExactly(4);
        assertThat(split.cpusOf(2)).containsExactly(6);
        assertThat(split.cpusOf(3)).containsExactly(4);
        assertThat(jobWith("cpus_allowed_policy=split").cpus().cpusOf(3)).isEmpty();
    }

    @Test
    void ratesAreLimitsByDirection() {
        RateLimit bytes = jobWith("rate=1m,500k,").rate();
        assertThat(bytes.bytesPerSecond()).isEqualTo(Map.of(Direction.READ, 1_048_576L, Direction.WRITE, 512_000L));
        assertThat(bytes.iopsPerSecond()).isEmpty();
        assertThat(bytes.limited()).isTrue();

        RateLimit iops = jobWith("rate_iops=1000", "rate_process=poisson").rate();
        assertThat(iops.iopsPerSecond())
                .isEqualTo(Map.of(Direction.READ, 1000L, Direction.WRITE, 1000L, Direction.TRIM, 1000L));
        assertThat(iops.arrivals()).isEqualTo(RateLimit.Arrivals.POISSON);
    }

    @Test
    void aRateOfZeroIsNone() {
        assertThat(jobWith("rate_iops=0").rate()).isEqualTo(RateLimit.NONE);
        assertThat(jobWith("rate_iops=0").rate().limited()).isFalse();
        assertThat(notesOn("rate_process=poisson"))
                .containsExactly("my.fio:5: rate_process: no effect without rate or rate_iops");
    }

    @Test
    void ratesOfBothKindsAreRefused() {
        assertThat(faultWith("rate=1m", "rate_iops=100"))
                .isEqualTo("my.fio:6: rate_iops: rate is given too, at my.fio:5; expected one of the two");
    }

    @ParameterizedTest
    @CsvSource({
        "30, 30000000000",
        "30s, 30000000000",
        "30sec, 30000000000",
        "2m, 120000000000",
        "1h, 3600000000000",
        "1d, 86400000000000",
        "500ms, 500000000",
        "500MSEC, 500000000",
        "7us, 7000",
        "7usec, 7000",
        "0, 0"
    })
    void runtimeIsInSecondsUnlessASuffixSaysOtherwise(String text, long ns) {
        assertThat(jobWith("runtime=" + text).extent().runtimeNs()).isEqualTo(ns);
        assertThat(jobWith("timeout=" + text).extent().runtimeNs()).isEqualTo(ns);
        assertThat(jobWith("ramp_time=" + text).extent().rampTimeNs()).isEqualTo(ns);
    }

    @Test
    void thinktimeIsInMicrosecondsUnlessASuffixSaysOtherwise() {
        assertThat(jobWith("thinktime=50").thinkTime()).isEqualTo(new ThinkTime(50_000, 1));
        assertThat(jobWith("thinktime=2ms", "thinktime_blocks=32").thinkTime()).isEqualTo(new ThinkTime(2_000_000, 32));
    }

    @Test
    void aWrongTimeIsRefused() {
        assertThat(faultWith("runtime=1.5s"))
                .isEqualTo(
                        "my.fio:5: runtime: '1.5s' is not a whole number; expected a time such as 30s, up to 365d; a plain number"
                                + " is in seconds");
        assertThat(faultWith("runtime=5w"))
                .isEqualTo("my.fio:5: runtime: '5w' has the unknown unit 'w'; the units are us, ms, s, m, h and d");
        assertThat(faultWith("runtime=366d"))
                .isEqualTo("my.fio:5: runtime: '366d' is too large; expected a time such as 30s, up to 365d; a plain"
                        + " number is in seconds");
        assertThat(faultWith("thinktime=-1")).startsWith("my.fio:5: thinktime: '-1' is too small; expected a time");
    }

    @Test
    void fsyncAndFdatasyncFlushTheDriveAfterSoManyWrites() {
        assertThat(jobWith("fsync=8").flushEvery()).isEqualTo(8);
        assertThat(jobWith("fdatasync=1").flushEvery()).isEqualTo(1);
        assertThat(jobWith("fdatasync=1", "fsync=0").flushEvery()).isEqualTo(1);
        assertThat(faultWith("fsync=8", "fdatasync=1"))
                .isEqualTo("my.fio:6: fdatasync: fsync is given too, at my.fio:5; expected one of the two");
    }

    @Test
    void sizesOfTheWholeDriveAreNone() {
        Extent extent = jobWith("size=10g", "io_size=1t").extent();
        assertThat(extent.sizeBytes()).isEqualTo(10L << 30);
        assertThat(extent.ioSizeBytes()).isEqualTo(1L << 40);
        assertThat(jobWith("io_limit=1m").extent().ioSizeBytes()).isEqualTo(1 << 20);
        assertThat(jobWith("size=100%").extent().sizeBytes()).isZero();
        assertThat(faultWith("size=50%"))
                .isEqualTo(
                        "my.fio:5: size: '50%' is a part of a drive whose size the model does not use; expected bytes"
                                + " such as 10g, or 100%");
    }

    @Test
    void bufferedIoIsTakenAsDirectAndANoteSaysSo() {
        String said = "the model has no page cache and takes direct=1, where fio would use the page cache";

        assertThat(jobWith().direct()).isTrue();
        assertThat(notesOn("direct=0")).containsExactly("my.fio:5: direct: " + said);
        assertThat(notesOn("buffered=1")).containsExactly("my.fio:5: buffered: " + said);
        assertThat(notesOn("buffered=0")).isEmpty();
        assertThat(parse("[a]\nfilename=/dev/nvme0n1\n").notes()).containsExactly("my.fio:1: direct: " + said);
        assertThat(faultWith("direct=yes")).isEqualTo("my.fio:5: direct: 'yes' is neither 0 nor 1; expected 0 or 1");
        assertThat(faultWith("direct")).isEqualTo("my.fio:5: direct: a value is missing; expected 0 or 1");
    }
}
