package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioTexts.messageOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs given as the arguments of a fio command line. */
final class FioCommandLineTest {

    private static FioJobFile parse(String commandLine) {
        return FioJobFile.parseCommandLine(List.of(commandLine.split(" ")));
    }

    private static String faultOf(String commandLine) {
        return messageOf(() -> parse(commandLine));
    }

    @Test
    void aCommandLineOfOneJobMeansWhatAFileOfItMeans() {
        FioJobFile file =
                parse("fio --name=randread --filename=/dev/nvme0n1:/dev/nvme1n1 --rw=randread --bs=4k --direct=1"
                        + " --ioengine=libaio --iodepth=128 --numjobs=4 --runtime=30 --time_based --group_reporting"
                        + " --cpus_allowed=0-3 --cpus_allowed_policy=split");

        JobSpec job = file.jobs().get(0);
        assertThat(file.jobs()).hasSize(1);
        assertThat(job.name()).isEqualTo("randread");
        assertThat(job.files().names()).containsExactly("/dev/nvme0n1", "/dev/nvme1n1");
        assertThat(job.pattern()).isEqualTo(IoPattern.RANDREAD);
        assertThat(job.depth().iodepth()).isEqualTo(128);
        assertThat(job.numjobs()).isEqualTo(4);
        assertThat(job.extent().runtimeNs()).isEqualTo(30_000_000_000L);
        assertThat(job.cpus().cpusOf(1)).containsExactly(1);
        assertThat(file.notes())
                .containsExactly(
                        "fio command line, argument 11: time_based: no effect: a run lasts as long as its scenario says",
                        "fio command line, argument 12: group_reporting: no effect: reports are irqlab's own");
    }

    @Test
    void whatStandsBeforeTheFirstNameIsGlobal() {
        FioJobFile file =
                parse("--bs=8k --filename=/dev/nvme0n1 --name=a --name=b --bs=16k --name=global --rw=write --name=c");

        assertThat(file.jobs()).extracting(JobSpec::name).containsExactly("a", "b", "c");
        assertThat(file.jobs())
                .extracting(job -> job.blockSizes().read().maxBytes())
                .containsExactly(8192, 16_384, 8192);
        assertThat(file.jobs())
                .extracting(JobSpec::pattern)
                .containsExactly(IoPattern.READ, IoPattern.READ, IoPattern.WRITE);
    }

    @Test
    void aValueMayBeTheNextArgumentAndOneDashIsEnough() {
        JobSpec job = parse(
                        "/usr/bin/fio -name a --filename /dev/nvme0n1 -rw=randwrite --ioengine io_uring --hipri --bs 8k")
                .jobs()
                .get(0);

        assertThat(job.name()).isEqualTo("a");
        assertThat(job.pattern()).isEqualTo(IoPattern.RANDWRITE);
        assertThat(job.polled()).isTrue();
        assertThat(job.blockSizes().read()).isEqualTo(BlockSize.of(8192));
    }

    @Test
    void optionsOfTheCommandThatOnlyChangeItsOutputAreNoted() {
        FioJobFile file =
                parse("--output-format=json --minimal --eta never --name=a --filename=/dev/nvme0n1 --direct=1");

        assertThat(file.jobs()).hasSize(1);
        assertThat(file.notes())
                .containsExactly(
                        "fio command line, argument 1: output-format: no effect: reports are irqlab's own",
                        "fio command line, argument 2: minimal: no effect: reports are irqlab's own",
                        "fio command line, argument 3: eta: no effect: reports are irqlab's own");
    }

    @Test
    void aHashIsNoCommentHere() {
        assertThat(parse("--name=a#1 --filename=/dev/nvme0n1").jobs().get(0).name())
                .isEqualTo("a#1");
    }

    @Test
    void faultsNameTheArgument() {
        assertThat(faultOf("fio --name=a --iodepth=x"))
                .isEqualTo("fio command line, argument 3: iodepth: 'x' is not a whole number; expected 1 to 65536");
        assertThat(faultOf("fio --name=a --iodpeth=4"))
                .isEqualTo("fio command line, argument 3: iodpeth: no such fio option; did you mean 'iodepth'?");
        assertThat(faultOf("fio --name=a"))
                .isEqualTo(
                        "fio command line, argument 2: filename: job 'a' names no drive; expected filename=/dev/nvme0n1"
                                + " or the like in it or in [global]");
        assertThat(faultOf("--name"))
                .isEqualTo("fio command line, argument 1: name: a value is missing; expected --name=JOB");
    }

    @Test
    void aCommandLineWithoutAJobIsRefused() {
        String expected = "fio command line: no job; expected --name=JOB and options such as --filename=/dev/nvme0n1";

        assertThat(messageOf(() -> FioJobFile.parseCommandLine(List.of()))).isEqualTo(expected);
        assertThat(faultOf("fio")).isEqualTo(expected);
        assertThat(faultOf("--rw=read")).isEqualTo(expected);
    }

    @Test
    void whatIsNoOptionIsRefused() {
        String expected = " is not an option; expected --name=JOB and options such as --rw=randread";

        assertThat(faultOf("fio my.fio")).isEqualTo("fio command line, argument 2: 'my.fio'" + expected);
        assertThat(faultOf("--")).isEqualTo("fio command line, argument 1: '--'" + expected);
        assertThat(faultOf("-=4k")).isEqualTo("fio command line, argument 1: '-=4k'" + expected);
        assertThat(messageOf(() -> FioJobFile.parseCommandLine(List.of(""))))
                .isEqualTo("fio command line, argument 1: ''" + expected);
    }

    @Test
    void whatDoesMoreThanRunJobsIsRefused() {
        assertThat(faultOf("--client=host --name=a"))
                .isEqualTo(
                        "fio command line, argument 1: client: not supported: an option of the fio command and not of its"
                                + " jobs");
    }
}
