package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.List;

/** Turns sections into jobs: applies their options, inherits from global sections, and checks what belongs together. */
final class JobAssembler {
    private static final int MOST_THREADS = 4096;
    private static final BlockSize DEFAULT_SIZE = BlockSize.of(4096);

    private final Notes notes;
    private final OptionValues globals = new OptionValues();
    private final List<JobSpec> jobs = new ArrayList<>();
    private long threads;

    private JobAssembler(Notes notes) {
        this.notes = notes;
    }

    /** Returns the jobs that some sections describe, in order; none if there are only global sections. */
    static ImmutableList<JobSpec> jobs(List<Section> sections, Notes notes) {
        var assembler = new JobAssembler(notes);
        sections.forEach(assembler::add);
        return ImmutableList.copyOf(assembler.jobs);
    }

    private void add(Section section) {
        if (section.oddlyGlobal()) {
            notes.add(section.place(), section.name(), "a name that begins with 'global' is no job, as in fio");
        }
        OptionValues values = section.global() ? globals : globals.copy();
        // As in fio, kb_base counts for its whole section, wherever in it it stands.
        section.assignments().stream()
                .filter(written -> written.option().equals("kb_base"))
                .forEach(written -> apply(written, values));
        section.assignments().forEach(written -> apply(written, values));
        if (!section.global()) {
            jobs.add(new Job(section, values).spec());
        }
    }

    private void apply(Assignment written, OptionValues values) {
        FioOptions.of(written).apply(written, values, notes);
    }

    /** One job in the making. */
    private final class Job {
        private final Section section;
        private final OptionValues values;

        Job(Section section, OptionValues values) {
            this.section = section;
            this.values = values;
        }

        JobSpec spec() {
            checkStonewall();
            checkThreads();
            noteBufferedIo();
            IoEngine engine = values.get(HonouredOptions.IOENGINE);
            return new JobSpec(
                    values.has(HonouredOptions.NAME) ? values.get(HonouredOptions.NAME) : section.name(),
                    engine,
                    polled(engine),
                    values.get(HonouredOptions.RW),
                    values.get(HonouredOptions.RWMIXREAD),
                    blockSizes(),
                    depth(engine),
                    values.get(HonouredOptions.NUMJOBS),
                    files(),
                    new CpuAffinity(values.get(HonouredOptions.CPUS), values.get(HonouredOptions.CPUS_POLICY)),
                    rate(),
                    new ThinkTime(values.get(HonouredOptions.THINKTIME), values.get(HonouredOptions.THINKTIME_BLOCKS)),
                    flushEvery(),
                    new Extent(
                            values.get(HonouredOptions.RAMP_TIME),
                            values.get(HonouredOptions.RUNTIME),
                            values.get(HonouredOptions.SIZE),
                            values.get(HonouredOptions.IO_SIZE)),
                    values.get(HonouredOptions.DIRECT),
                    new Places(section.place(), values.places()));
        }

        private Assignment origin(Slot<?> slot, String option) {
            return values.origin(slot, option, section.place());
        }

        private void note(Slot<?> slot, String option, String text) {
            Assignment origin = origin(slot, option);
            notes.add(origin.place(), origin.option(), text);
        }

        private void checkStonewall() {
            if (values.get(HonouredOptions.STONEWALL)) {
                if (!jobs.isEmpty()) {
                    throw origin(HonouredOptions.STONEWALL, "stonewall")
                            .fault("job " + FioSyntaxException.quote(section.name())
                                    + " would wait for the jobs above it, but the model runs all jobs at once; put it into"
                                    + " a file of its own");
                }
                note(HonouredOptions.STONEWALL, "stonewall", "no effect: the first job waits for nothing");
            }
        }

        private void checkThreads() {
            threads += values.get(HonouredOptions.NUMJOBS);
            if (threads > MOST_THREADS) {
                throw origin(HonouredOptions.NUMJOBS, "numjobs")
                        .fault("the jobs have " + threads + " threads so far; expected up to " + MOST_THREADS);
            }
        }

        private void noteBufferedIo() {
            if (!values.get(HonouredOptions.DIRECT)) {
                note(
                        HonouredOptions.DIRECT,
                        "direct",
                        "the model has no page cache and takes direct=1, where fio would use the page cache");
            }
        }

        private boolean polled(IoEngine engine) {
            if (!values.get(HonouredOptions.HIPRI) || engine.pollable()) {
                return values.get(HonouredOptions.HIPRI);
            }
            Assignment hipri = origin(HonouredOptions.HIPRI, "hipri");
            if (section.assignments().contains(hipri)) {
                throw hipri.fault(
                        "ioengine=" + engine.fioName() + " cannot poll; expected ioengine=io_uring or pvsync2");
            }
            notes.add(hipri.place(), hipri.option(), "no effect with ioengine=" + engine.fioName());
            return false;
        }

        private BlockSizes blockSizes() {
            if (values.has(HonouredOptions.BLOCK_SIZE)
                    && (values.has(HonouredOptions.BLOCK_RANGE) || values.has(HonouredOptions.BLOCK_SPLIT))) {
                note(HonouredOptions.BLOCK_SIZE, "bs", "bsrange and bssplit count before it, as in fio");
            }
            return new BlockSizes(blockSize(Direction.READ), blockSize(Direction.WRITE), blockSize(Direction.TRIM));
        }

        private BlockSize blockSize(Direction direction) {
            return ImmutableMap.<Direction, BlockSize>builder()
                    .put(direction, DEFAULT_SIZE)
                    .putAll(values.get(HonouredOptions.BLOCK_SIZE))
                    .putAll(values.get(HonouredOptions.BLOCK_RANGE))
                    .putAll(values.get(HonouredOptions.BLOCK_SPLIT))
                    .buildKeepingLast()
                    .getOrDefault(direction, DEFAULT_SIZE);
        }

        private QueueDepth depth(IoEngine engine) {
            int iodepth = values.get(HonouredOptions.IODEPTH);
            if (!engine.asynchronous()) {
                if (iodepth > 1) {
                    note(
                            HonouredOptions.IODEPTH,
                            "iodepth",
                            "1 and not " + iodepth + ", as in fio: ioengine=" + engine.fioName()
                                    + " waits for each I/O");
                }
                return QueueDepth.ONE;
            }
            int completeMin = values.get(HonouredOptions.BATCH_COMPLETE_MIN);
            if (completeMin > iodepth) {
                throw origin(HonouredOptions.BATCH_COMPLETE_MIN, "iodepth_batch_complete_min")
                        .fault(completeMin + " is more than the " + iodepth + " of iodepth; expected 0 to " + iodepth);
            }
            return new QueueDepth(
                    iodepth,
                    upToDepth(HonouredOptions.BATCH_SUBMIT, "iodepth_batch_submit", iodepth),
                    completeMin,
                    Math.max(completeMin, values.get(HonouredOptions.BATCH_COMPLETE_MAX)),
                    upToDepth(HonouredOptions.IODEPTH_LOW, "iodepth_low", iodepth));
        }

        private int upToDepth(Slot<Integer> slot, String option, int iodepth) {
            int value = values.get(slot);
            if (value > iodepth) {
                note(slot, option, iodepth + " and not " + value + ", as in fio: no more than iodepth");
            }
            return value == 0 ? iodepth : Math.min(value, iodepth);
        }

        private FileSet files() {
            ImmutableList<String> names = values.get(HonouredOptions.FILENAME);
            if (names.isEmpty()) {
                throw new FioSyntaxException(
                        section.place(),
                        "filename",
                        "job " + FioSyntaxException.quote(section.name())
                                + " names no drive; expected filename=/dev/nvme0n1 or the like in it or in [global]");
            }
            FileService service = values.get(HonouredOptions.FILE_SERVICE);
            return new FileSet(names, service.service(), service.every());
        }

        private RateLimit rate() {
            ImmutableMap<Direction, Long> bytes = limits(HonouredOptions.RATE);
            ImmutableMap<Direction, Long> iops = limits(HonouredOptions.RATE_IOPS);
            if (!bytes.isEmpty() && !iops.isEmpty()) {
                throw origin(HonouredOptions.RATE_IOPS, "rate_iops")
                        .fault("rate is given too, at " + values.places().get("rate") + "; expected one of the two");
            }
            var limit = new RateLimit(bytes, iops, values.get(HonouredOptions.RATE_PROCESS));
            if (values.has(HonouredOptions.RATE_PROCESS) && !limit.limited()) {
                note(HonouredOptions.RATE_PROCESS, "rate_process", "no effect without rate or rate_iops");
            }
            return limit;
        }

        private ImmutableMap<Direction, Long> limits(Slot<ImmutableMap<Direction, Long>> slot) {
            return values.get(slot).entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .collect(ImmutableMap.toImmutableMap(entry -> entry.getKey(), entry -> entry.getValue()));
        }

        private int flushEvery() {
            int fsync = values.get(HonouredOptions.FSYNC);
            int fdatasync = values.get(HonouredOptions.FDATASYNC);
            if (fsync > 0 && fdatasync > 0) {
                throw origin(HonouredOptions.FDATASYNC, "fdatasync")
                        .fault("fsync is given too, at " + values.places().get("fsync") + "; expected one of the two");
            }
            return Math.max(fsync, fdatasync);
        }
    }
}
