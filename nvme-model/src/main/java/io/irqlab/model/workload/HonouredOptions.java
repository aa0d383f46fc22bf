package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import io.irqlab.model.workload.FioOption.Honoured;
import java.util.List;

/** The options that the model follows, and the slots that they set. */
final class HonouredOptions {
    private static final int MOST_IN_FLIGHT = 65_536;
    private static final long MOST_BYTES = 1L << 60;
    private static final long LONGEST_NS = 365 * 86_400_000_000_000L;

    static final Slot<Integer> KB_BASE = Slot.of(1024);
    static final Slot<String> NAME = Slot.of("");
    static final Slot<IoEngine> IOENGINE = Slot.of(IoEngine.PSYNC);
    static final Slot<Boolean> HIPRI = Slot.of(false);
    static final Slot<IoPattern> RW = Slot.of(IoPattern.READ);
    static final Slot<Integer> RWMIXREAD = Slot.of(50);
    static final Slot<ImmutableMap<Direction, BlockSize>> BLOCK_SIZE = perDirection();
    static final Slot<ImmutableMap<Direction, BlockSize>> BLOCK_RANGE = perDirection();
    static final Slot<ImmutableMap<Direction, BlockSize>> BLOCK_SPLIT = perDirection();
    static final Slot<Integer> IODEPTH = Slot.of(1);
    static final Slot<Integer> BATCH_SUBMIT = Slot.of(1);
    static final Slot<Integer> BATCH_COMPLETE_MIN = Slot.of(1);
    static final Slot<Integer> BATCH_COMPLETE_MAX = Slot.of(0);
    static final Slot<Integer> IODEPTH_LOW = Slot.of(0);
    static final Slot<Integer> NUMJOBS = Slot.of(1);
    static final Slot<ImmutableList<String>> FILENAME = Slot.of(ImmutableList.of());
    static final Slot<FileService> FILE_SERVICE = Slot.of(FileService.DEFAULT);
    static final Slot<ImmutableSortedSet<Integer>> CPUS = Slot.of(ImmutableSortedSet.of());
    static final Slot<CpuAffinity.Policy> CPUS_POLICY = Slot.of(CpuAffinity.Policy.SHARED);
    static final Slot<ImmutableMap<Direction, Long>> RATE = perDirection();
    static final Slot<ImmutableMap<Direction, Long>> RATE_IOPS = perDirection();
    static final Slot<RateLimit.Arrivals> RATE_PROCESS = Slot.of(RateLimit.Arrivals.LINEAR);
    static final Slot<Long> THINKTIME = Slot.of(0L);
    static final Slot<Integer> THINKTIME_BLOCKS = Slot.of(1);
    static final Slot<Long> RUNTIME = Slot.of(0L);
    static final Slot<Long> RAMP_TIME = Slot.of(0L);
    static final Slot<Integer> FSYNC = Slot.of(0);
    static final Slot<Integer> FDATASYNC = Slot.of(0);
    static final Slot<Long> SIZE = Slot.of(0L);
    static final Slot<Long> IO_SIZE = Slot.of(0L);
    static final Slot<Boolean> DIRECT = Slot.of(false);
    static final Slot<Boolean> STONEWALL = Slot.of(false);

    /** Engines of fio that the model has no cost profile for. */
    private static final ImmutableSet<String> OTHER_ENGINES = ImmutableSet.of(
            "vsync",
            "posixaio",
            "solarisaio",
            "windowsaio",
            "io_uring_cmd",
            "mmap",
            "splice",
            "sg",
            "null",
            "net",
            "netsplice",
            "cpuio",
            "rdma",
            "falloc",
            "ftruncate",
            "e4defrag",
            "rados",
            "rbd",
            "http",
            "gfapi",
            "gfapi_async",
            "libhdfs",
            "mtd",
            "dev-dax",
            "external",
            "filecreate",
            "filestat",
            "filedelete",
            "dircreate",
            "dirstat",
            "dirdelete",
            "fileoperations",
            "exec",
            "xnvme",
            "libblkio",
            "libpmem",
            "libiscsi",
            "nbd",
            "libcufile",
            "dfs",
            "nfs",
            "ime_psync",
            "ime_psyncv",
            "ime_aio",
            "spdk",
            "guasi",
            "binject");

    private static final ValueKind<Long> BYTES = ValueKind.of(
            "bytes such as 10g, or 100%",
            (written, text, kbBase) -> {
                if (text.equals("100%")) {
                    return 0L;
                }
                if (text.endsWith("%")) {
                    throw written.fault(
                            FioSyntaxException.quote(text)
                                    + " is a part of a drive whose size the model does not use; expected bytes such as 10g, or 100%");
                }
                return Quantity.amount(written, text, kbBase, 0, MOST_BYTES, "bytes such as 10g, or 100%");
            });

    /** The table. */
    static final ImmutableList<Honoured<?>> ALL = ImmutableList.of(
            option("name", NAME, ValueKind.text(), "the section's name", "Name of the job."),
            option(
                    "ioengine",
                    IOENGINE,
                    ValueKind.choice(ValueKind.byName(IoEngine.class), OTHER_ENGINES),
                    "psync",
                    "How the job talks to the kernel."),
            option(
                    "hipri",
                    HIPRI,
                    ValueKind.flag(),
                    "off",
                    "Poll for completions instead of waiting for interrupts; io_uring and pvsync2 only."),
            option("rw", List.of("readwrite"), RW, JobValues.pattern(), "read", "What the job does."),
            option("rwmixread", RWMIXREAD, ValueKind.integer(0, 100), "50", "Percentage of reads in rw and randrw."),
            option(
                    "rwmixwrite",
                    RWMIXREAD,
                    ValueKind.integer(0, 100).map(percent -> 100 - percent),
                    "50",
                    "Percentage of writes; the last of rwmixread and rwmixwrite counts."),
            option(
                    "bs",
                    List.of("blocksize"),
                    BLOCK_SIZE,
                    ValueKind.perDirection(JobValues.blockSize()),
                    "4k",
                    "Size of each I/O, a multiple of 512 bytes."),
            option(
                    "bsrange",
                    List.of("blocksize_range"),
                    BLOCK_RANGE,
                    ValueKind.perDirection(JobValues.blockRange()),
                    "none",
                    "Sizes at random from a range, multiples of its lower end. Counts before bs, as in fio."),
            option(
                    "bssplit",
                    BLOCK_SPLIT,
                    ValueKind.perDirection(JobValues.blockSplit()),
                    "none",
                    "Sizes at random by shares, which add up to 100; an entry without a percentage gets an equal part of"
                            + " the rest. Counts before bsrange and bs, as in fio."),
            option(
                    "iodepth",
                    IODEPTH,
                    ValueKind.integer(1, MOST_IN_FLIGHT),
                    "1",
                    "I/Os that each thread keeps in flight; always 1 for sync, psync, pvsync and pvsync2."),
            option(
                    "iodepth_batch_submit",
                    List.of("iodepth_batch"),
                    BATCH_SUBMIT,
                    ValueKind.integer(0, MOST_IN_FLIGHT),
                    "1",
                    "I/Os gathered before a submission; 0, or more than iodepth, means iodepth."),
            option(
                    "iodepth_batch_complete_min",
                    List.of("iodepth_batch_complete"),
                    BATCH_COMPLETE_MIN,
                    ValueKind.integer(0, MOST_IN_FLIGHT),
                    "1",
                    "Completions to wait for; up to iodepth. 0 means to look and not wait, unless iodepth is full."),
            option(
                    "iodepth_batch_complete_max",
                    BATCH_COMPLETE_MAX,
                    ValueKind.integer(0, MOST_IN_FLIGHT),
                    "iodepth_batch_complete_min",
                    "The most completions to take at once; never less than iodepth_batch_complete_min."),
            option(
                    "iodepth_low",
                    IODEPTH_LOW,
                    ValueKind.integer(0, MOST_IN_FLIGHT),
                    "iodepth",
                    "When iodepth is full, submit again only once this few are in flight; 0, or more than iodepth,"
                            + " means iodepth."),
            option("numjobs", NUMJOBS, ValueKind.integer(1, 4096), "1", "Threads that do the same."),
            option(
                    "filename",
                    FILENAME,
                    JobValues.fileNames(),
                    "none: it must be given",
                    "The drives, with colons between; a colon in a name is written \\:."),
            option(
                    "file_service_type",
                    FILE_SERVICE,
                    JobValues.fileService(),
                    "roundrobin",
                    "How a job of several drives picks the next; :N picks after every N I/Os."),
            option("cpus_allowed", CPUS, JobValues.cpuList(), "all", "The CPUs on which the job runs."),
            option(
                    "cpumask",
                    CPUS,
                    JobValues.cpuMask(),
                    "all",
                    "The same as a mask; the last of cpus_allowed and cpumask counts."),
            option(
                    "cpus_allowed_policy",
                    CPUS_POLICY,
                    ValueKind.choice(CpuAffinity.Policy.class),
                    "shared",
                    "shared: each thread may run on all of those CPUs; split: each gets one of them in turn."),
            option(
                    "rate",
                    RATE,
                    ValueKind.perDirection(ValueKind.amount(MOST_BYTES, "bytes per second such as 100m")),
                    "none",
                    "Limit for each direction of each thread in bytes per second; 0 is no limit."),
            option(
                    "rate_iops",
                    RATE_IOPS,
                    ValueKind.perDirection(ValueKind.amount(1_000_000_000, "I/Os per second such as 5000")),
                    "none",
                    "Limit for each direction of each thread in I/Os per second; 0 is no limit."),
            option(
                    "rate_process",
                    RATE_PROCESS,
                    ValueKind.choice(RateLimit.Arrivals.class),
                    "linear",
                    "linear: at equal distances; poisson: at random times of that rate."),
            option(
                    "thinktime",
                    THINKTIME,
                    ValueKind.timeNs(
                            "us", LONGEST_NS, "a time such as 100us, up to 365d; a plain number is in microseconds"),
                    "0",
                    "Pause between I/Os."),
            option(
                    "thinktime_blocks",
                    THINKTIME_BLOCKS,
                    ValueKind.integer(1, 1 << 30),
                    "1",
                    "I/Os from one pause to the next."),
            option(
                    "runtime",
                    List.of("timeout"),
                    RUNTIME,
                    ValueKind.timeNs("s", LONGEST_NS, "a time such as 30s, up to 365d; a plain number is in seconds"),
                    "none",
                    "How long the job goes on. Passed on: a run lasts as long as its scenario says."),
            option(
                    "ramp_time",
                    RAMP_TIME,
                    ValueKind.timeNs("s", LONGEST_NS, "a time such as 30s, up to 365d; a plain number is in seconds"),
                    "0",
                    "Time before anything is counted. Passed on, as runtime."),
            option(
                    "fsync",
                    FSYNC,
                    ValueKind.integer(0, 1 << 30),
                    "0",
                    "Flush the drive after every so many writes; 0 is never."),
            option(
                    "fdatasync",
                    FDATASYNC,
                    ValueKind.integer(0, 1 << 30),
                    "0",
                    "The same as fsync here: a drive has no metadata. Only one of the two may be given."),
            option(
                    "size",
                    SIZE,
                    BYTES,
                    "the whole drive",
                    "Region of the drive that the job uses. Passed on, as runtime."),
            option(
                    "io_size",
                    List.of("io_limit"),
                    IO_SIZE,
                    BYTES,
                    "size",
                    "How much data the job moves. Passed on, as runtime."),
            option(
                    "direct",
                    DIRECT,
                    ValueKind.bool(),
                    "0",
                    "The model has no page cache: I/O is direct always, and a note says so unless the file does."),
            option(
                    "buffered",
                    DIRECT,
                    ValueKind.bool().map(buffered -> !buffered),
                    "1",
                    "The reverse of direct; the last of the two counts."),
            option(
                    "stonewall",
                    List.of("wait_for_previous"),
                    STONEWALL,
                    ValueKind.flag(),
                    "off",
                    "Accepted in the first job, where it waits for nothing; refused in any other, since the model runs"
                            + " all jobs at once."),
            option(
                    "kb_base",
                    KB_BASE,
                    ValueKind.choice(ImmutableMap.of("1000", 1000, "1024", 1024), ImmutableSet.of()),
                    "1024",
                    "What k stands for in this section; KiB has the other value, as in fio."));

    private HonouredOptions() {}

    private static <T> Slot<ImmutableMap<Direction, T>> perDirection() {
        return Slot.merging(
                ImmutableMap.of(),
                (before, written) -> ImmutableMap.<Direction, T>builder()
                        .putAll(before)
                        .putAll(written)
                        .buildKeepingLast());
    }

    private static <T> Honoured<T> option(
            String name, Slot<T> slot, ValueKind<T> kind, String defaultText, String meaning) {
        return option(name, List.of(), slot, kind, defaultText, meaning);
    }

    private static <T> Honoured<T> option(
            String name, List<String> aliases, Slot<T> slot, ValueKind<T> kind, String defaultText, String meaning) {
        return new Honoured<>(name, ImmutableList.copyOf(aliases), slot, kind, defaultText, meaning);
    }
}
