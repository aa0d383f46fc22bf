package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioTexts.PLAIN_JOB;
import static io.irqlab.model.workload.FioTexts.faultOf;
import static io.irqlab.model.workload.FioTexts.faultWith;
import static io.irqlab.model.workload.FioTexts.job;
import static io.irqlab.model.workload.FioTexts.jobWith;
import static io.irqlab.model.workload.FioTexts.messageOf;
import static io.irqlab.model.workload.FioTexts.notesOn;
import static io.irqlab.model.workload.FioTexts.parse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The form of a job file: lines, sections, comments, encodings; and what is inherited. */
final class FioJobFileTest {
    @TempDir
    Path folder;

    @Test
    void whatAJobLeavesOutHasTheDefaultOfFio() {
        JobSpec job = job("[a]\nfilename=/dev/nvme0n1");

        assertThat(job.name()).isEqualTo("a");
        assertThat(job.engine()).isEqualTo(IoEngine.PSYNC);
        assertThat(job.polled()).isFalse();
        assertThat(job.pattern()).isEqualTo(IoPattern.READ);
        assertThat(job.readPercent()).isEqualTo(50);
        assertThat(job.blockSizes())
                .isEqualTo(new BlockSizes(BlockSize.of(4096), BlockSize.of(4096), BlockSize.of(4096)));
        assertThat(job.depth()).isEqualTo(QueueDepth.ONE);
        assertThat(job.numjobs()).isEqualTo(1);
        assertThat(job.files()).isEqualTo(new FileSet(List.of("/dev/nvme0n1"), FileSet.Service.ROUNDROBIN, 1));
        assertThat(job.cpus().allowed()).isEmpty();
        assertThat(job.cpus().policy()).isEqualTo(CpuAffinity.Policy.SHARED);
        assertThat(job.rate()).isEqualTo(RateLimit.NONE);
        assertThat(job.thinkTime()).isEqualTo(ThinkTime.NONE);
        assertThat(job.flushEvery()).isZero();
        assertThat(job.extent()).isEqualTo(Extent.UNLIMITED);
        assertThat(job.direct()).isFalse();
    }

    @Test
    void aFileOfANotelessJobHasItsNameAndNoNotes() {
        FioJobFile file = parse(PLAIN_JOB);

        assertThat(file.fileName()).isEqualTo("my.fio");
        assertThat(file.jobs()).hasSize(1);
        assertThat(file.notes()).isEmpty();
    }

    @Test
    void everySectionButGlobalIsAJobInTheOrderOfTheFile() {
        FioJobFile file = parse("[global]\nfilename=/dev/nvme0n1\n[b]\n[a]\nrw=write\n");

        assertThat(file.jobs()).extracting(JobSpec::name).containsExactly("b", "a");
        assertThat(file.jobs()).extracting(JobSpec::pattern).containsExactly(IoPattern.READ, IoPattern.WRITE);
    }

    @Test
    void twoSectionsOfOneNameAreTwoJobs() {
        FioJobFile file = parse("[a]\nfilename=/dev/nvme0n1\n[a]\nfilename=/dev/nvme1n1\n");

        assertThat(file.jobs()).extracting(JobSpec::name).containsExactly("a", "a");
        assertThat(file.jobs())
                .extracting(job -> job.files().names().get(0))
                .containsExactly("/dev/nvme0n1", "/dev/nvme1n1");
    }

    @Test
    void aGlobalSectionCountsForTheSectionsBelowItAlone() {
        FioJobFile file = parse("""
                [global]
                filename=/dev/nvme0n1
                bs=8k
                [first]
                [global]
                bs=16k
                numjobs=2
                [second]
                [third]
                bs=32k
                """);

        assertThat(file.jobs())
                .extracting(job -> job.blockSizes().read().maxBytes())
                .containsExactly(8192, 16_384, 32_768);
        assertThat(file.jobs()).extracting(JobSpec::numjobs).containsExactly(1, 2, 2);
    }

    @Test
    void aJobDoesNotChangeTheDefaultsOfTheNext() {
        FioJobFile file = parse("[global]\nfilename=/dev/nvme0n1\n[a]\nbs=8k\n[b]\n");

        assertThat(file.jobs().get(1).blockSizes().read()).isEqualTo(BlockSize.of(4096));
    }

    @Test
    void theLastOfTwoLinesOfOneOptionCounts() {
        assertThat(jobWith("iodepth=4", "iodepth=8").depth().iodepth()).isEqualTo(8);
    }

    @Test
    void aNameThatBeginsWithGlobalIsNoJobAndANoteSaysSo() {
        FioJobFile file = parse("[global-read]\nrw=randread\ndirect=1\n[a]\nfilename=/dev/nvme0n1\n");

        assertThat(file.jobs()).extracting(JobSpec::pattern).containsExactly(IoPattern.RANDREAD);
        assertThat(file.notes())
                .containsExactly("my.fio:1: global-read: a name that begins with 'global' is no job, as in fio");
    }

    @Test
    void theOptionNameOverridesThatOfTheSection() {
        assertThat(jobWith("name=other").name()).isEqualTo("other");
    }

    @Test
    void commentsBlankLinesAndBlanksAroundEqualsDoNotMatter() {
        JobSpec job = job("""
                # a comment
                ; another

                   \t
                [ a ]   ; a job
                  # indented
                \tfilename = /dev/nvme0n1 # the drive
                iodepth=\t16\t
                   ioengine   =   libaio   ; asynchronous
                direct=1
                """);

        assertThat(job.name()).isEqualTo("a");
        assertThat(job.files().names()).containsExactly("/dev/nvme0n1");
        assertThat(job.depth().iodepth()).isEqualTo(16);
    }

    @Test
    void aByteOrderMarkAndLineEndsOfWindowsDoNotMatter() {
        FioJobFile file = parse("\uFEFF" + PLAIN_JOB.replace("\n", "\r\n") + "iodepth=32  \r\n");

        assertThat(file.jobs().get(0).depth().iodepth()).isEqualTo(32);
        assertThat(file.notes()).isEmpty();
    }

    @Test
    void anOptionKnowsWhereItWasWritten() {
        JobSpec job = parse("[global]\niodepth=4\n\n[a]\nfilename=/dev/nvme0n1\n")
                .jobs()
                .get(0);

        assertThat(job.places().section()).isEqualTo("my.fio:4");
        assertThat(job.places().of("iodepth")).isEqualTo("my.fio:2");
        assertThat(job.places().of("filename")).isEqualTo("my.fio:5");
        assertThat(job.places().of("bs")).isEqualTo("my.fio:4");
    }

    @Test
    void whoKnowsMoreThanTheFileCanNameItsLine() {
        assertThat(jobWith().fault("filename", "no such drive"))
                .isInstanceOf(FioSyntaxException.class)
                .hasMessage("my.fio:2: filename: no such drive");
    }

    @Test
    void aFileWithoutASectionIsRefused() {
        String expected = "my.fio:1: no section in the file; expected a job's [name] and options such as"
                + " filename=/dev/nvme0n1";

        assertThat(faultOf("")).isEqualTo(expected);
        assertThat(faultOf("\n\n# nothing\n")).isEqualTo(expected);
    }

    @Test
    void aFileOfGlobalSectionsAloneIsRefused() {
        assertThat(faultOf("[global]\nbs=4k\n"))
                .isEqualTo(
                        "my.fio:1: only sections that begin with 'global'; expected a job's [name] and options such as"
                                + " filename=/dev/nvme0n1");
    }

    @Test
    void anOptionBeforeTheFirstSectionIsRefused() {
        assertThat(faultOf("# job\nrw=randread\n[a]\n"))
                .isEqualTo(
                        "my.fio:2: rw: stands before the first section; expected [global] or a job's [name] above it");
    }

    @Test
    void aSectionWithoutEndOrNameIsRefused() {
        assertThat(faultOf("[a\n")).isEqualTo("my.fio:1: section '[a' does not end with ']'; expected [name]");
        assertThat(faultOf("[]\n")).isEqualTo("my.fio:1: a section without a name; expected [name]");
    }

    @Test
    void aJobWithoutADriveIsRefused() {
        assertThat(faultOf("[global]\nbs=4k\n[a]\nrw=read\n"))
                .isEqualTo(
                        "my.fio:3: filename: job 'a' names no drive; expected filename=/dev/nvme0n1 or the like in it"
                                + " or in [global]");
    }

    @Test
    void anIncludedFileIsRefused() {
        assertThat(faultWith("include other.fio"))
                .isEqualTo("my.fio:5: include: not supported: a job file stands alone; copy the lines of the other file"
                        + " here");
    }

    @Test
    void variablesOfTheEnvironmentAndKeywordsOfFioAreRefused() {
        assertThat(faultWith("bs=${BS}"))
                .isEqualTo(
                        "my.fio:5: bs: '${BS}' takes its value from the environment, which would make the result depend"
                                + " on it; write the value");
        assertThat(faultWith("numjobs=$ncpus"))
                .isEqualTo("my.fio:5: numjobs: '$ncpus' takes its value from the host that runs fio, which this is not;"
                        + " write the value");
    }

    @Test
    void anUnknownOptionIsRefusedWithTheNearestName() {
        assertThat(faultWith("iodpeth=4")).isEqualTo("my.fio:5: iodpeth: no such fio option; did you mean 'iodepth'?");
        assertThat(faultWith("IODEPTH=4")).isEqualTo("my.fio:5: IODEPTH: no such fio option; did you mean 'iodepth'?");
        assertThat(faultWith("rv=read")).isEqualTo("my.fio:5: rv: no such fio option; did you mean 'rw'?");
        assertThat(faultWith("frobnicate=1")).isEqualTo("my.fio:5: frobnicate: no such fio option");
        assertThat(faultWith("q=1")).isEqualTo("my.fio:5: q: no such fio option");
    }

    @Test
    void aMissingEqualsSignIsNamed() {
        assertThat(faultWith("iodepth 32"))
                .isEqualTo("my.fio:5: iodepth: no '=' before the value; expected iodepth=VALUE");
        assertThat(faultWith("=4k")).isEqualTo("my.fio:5: '=4k' has nothing before '='; expected option=value");
    }

    @Test
    void aMissingValueIsNamed() {
        assertThat(faultWith("iodepth")).isEqualTo("my.fio:5: iodepth: a value is missing; expected 1 to 65536");
        assertThat(faultWith("iodepth =")).isEqualTo("my.fio:5: iodepth: a value is missing; expected 1 to 65536");
    }

    @Test
    void anOptionThatCannotMatterIsNotedOnceWithItsFirstLine() {
        assertThat(parse(PLAIN_JOB + "norandommap\nrandrepeat=0\n[b]\nfilename=/dev/nvme1n1\nnorandommap=1\ndirect=1\n")
                        .notes())
                .containsExactly(
                        "my.fio:5: norandommap: no effect: a drive of the model takes the same time for any offset",
                        "my.fio:6: randrepeat: no effect: random numbers follow from irqlab's seed");
    }

    @Test
    void anAliasOfAnOptionThatCannotMatterIsNotedUnderTheMainName() {
        assertThat(notesOn("iomem=mmap"))
                .containsExactly("my.fio:5: mem: no effect: the memory of the host is not modelled");
    }

    @Test
    void anOptionThatWouldMatterIsRefusedUnlessItAsksForNothing() {
        assertThat(faultWith("startdelay=5"))
                .isEqualTo(
                        "my.fio:5: startdelay: not supported, except as startdelay=0: all jobs start together and run"
                                + " side by side; put what comes later into a file of its own");
        assertThat(faultWith("directory=/mnt"))
                .isEqualTo(
                        "my.fio:5: directory: not supported: the model has drives and no file system; name the drives"
                                + " with filename");
        assertThat(notesOn("startdelay=0", "random_distribution=random", "verify=none"))
                .isEmpty();
    }

    @Test
    void stonewallIsAcceptedWhereItWaitsForNothing() {
        assertThat(notesOn("stonewall"))
                .containsExactly("my.fio:5: stonewall: no effect: the first job waits for nothing");
        assertThat(notesOn("stonewall=0")).isEmpty();
    }

    @Test
    void stonewallIsRefusedWhereAJobWouldWait() {
        assertThat(faultOf("[global]\nstonewall\nfilename=/dev/nvme0n1\n[a]\n[b]\n"))
                .isEqualTo(
                        "my.fio:2: stonewall: job 'b' would wait for the jobs above it, but the model runs all jobs at"
                                + " once; put it into a file of its own");
        assertThat(faultOf(PLAIN_JOB + "[b]\nwait_for_previous\n"))
                .startsWith("my.fio:6: wait_for_previous: job 'b' would wait for the jobs above it");
    }

    @Test
    void aMessageIsOnePrintableLineWhateverTheInput() {
        assertThat(faultWith("io\u001b[31mdepth=1")).isEqualTo("my.fio:5: io\\u001b[31mdepth: no such fio option");
        assertThat(faultWith("iodepth=1\u2028x"))
                .isEqualTo("my.fio:5: iodepth: '1\\u2028x' is not a whole number; expected 1 to 65536");
        assertThat(faultWith("\u00a0iodepth=1"))
                .isEqualTo("my.fio:5: \\u00a0iodepth: no such fio option; did you mean 'iodepth'?");
        assertThat(faultWith("iodepth=" + "9x".repeat(200)))
                .isEqualTo(
                        "my.fio:5: iodepth: '" + "9x".repeat(30) + "...' is not a whole number; expected 1 to 65536");
    }

    @Test
    void aNulByteIsRefusedWithItsLine() {
        assertThat(faultOf("[a]\r\nbs=4k\r\n\0"))
                .isEqualTo("my.fio:3: a NUL byte; expected a fio job file, which is text");
    }

    @Test
    void anEndlessFileIsRefused() {
        assertThat(faultOf("#".repeat(FioJobFile.LIMIT_BYTES + 1)))
                .isEqualTo("my.fio: longer than 1 MiB; expected a fio job file");
    }

    @Test
    void aFileIsLoadedAndNamedAsGiven() throws IOException {
        Path path = folder.resolve("job.fio");
        Files.writeString(path, PLAIN_JOB + "description=Prüfung\n");

        FioJobFile file = FioJobFile.load(path);

        assertThat(file.fileName()).isEqualTo(path.toString());
        assertThat(file.jobs()).hasSize(1);
    }

    @Test
    void aFileThatIsNotUtf8IsRefusedWithItsLine() throws IOException {
        Path path = folder.resolve("job.fio");
        Files.write(path, (PLAIN_JOB + "description=Prüfung\n").getBytes(StandardCharsets.ISO_8859_1));

        assertThat(messageOf(() -> FioJobFile.load(path)))
                .isEqualTo(path + ":5: a byte that is not UTF-8; expected a fio job file, which is text");
    }

    @Test
    void aFileCutOffInsideACharacterIsRefused() throws IOException {
        Path path = folder.resolve("job.fio");
        Files.write(path, new byte[] {'[', 'a', ']', '\n', (byte) 0xC3});

        assertThat(messageOf(() -> FioJobFile.load(path)))
                .isEqualTo(path + ":2: a byte that is not UTF-8; expected a fio job file, which is text");
    }

    @Test
    void aFileThatIsNotThereOrTooLongOrNoFileIsRefused() throws IOException {
        Path missing = folder.resolve("missing.fio");
        Path large = folder.resolve("large.fio");
        Files.write(large, new byte[FioJobFile.LIMIT_BYTES + 1]);

        assertThat(messageOf(() -> FioJobFile.load(missing)))
                .isEqualTo(missing + ": no such file; expected a fio job file");
        assertThat(messageOf(() -> FioJobFile.load(large)))
                .isEqualTo(large + ": longer than 1 MiB; expected a fio job file");
        assertThat(messageOf(() -> FioJobFile.load(folder)))
                .isEqualTo(folder + ": a directory; expected a fio job file");
    }
}
