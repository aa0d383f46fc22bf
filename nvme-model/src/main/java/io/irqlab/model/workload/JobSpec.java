package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * One job of a fio job file: {@code numjobs} threads, all alike. What the file leaves out has fio's default.
 *
 * @param name the job's name; several jobs may have the same
 * @param engine how it talks to the kernel
 * @param polled whether it polls for completions ({@code hipri}); only with an engine that can
 * @param pattern what it does
 * @param readPercent share of reads in a mix, 0 to 100
 * @param blockSizes how large its I/Os are
 * @param depth how many it keeps in flight
 * @param numjobs how many threads do the same, 1 or more
 * @param files which drives it uses
 * @param cpus where its threads run
 * @param rate how fast it may go
 * @param thinkTime how it pauses
 * @param flushEvery after how many writes it flushes the drive and waits ({@code fsync}, {@code fdatasync}); 0 for never
 * @param extent how long it goes on
 * @param direct whether the file says so; the model has no page cache, so that its I/O is always direct
 * @param places where all this was written
 */
public record JobSpec(
        String name,
        IoEngine engine,
        boolean polled,
        IoPattern pattern,
        int readPercent,
        BlockSizes blockSizes,
        QueueDepth depth,
        int numjobs,
        FileSet files,
        CpuAffinity cpus,
        RateLimit rate,
        ThinkTime thinkTime,
        int flushEvery,
        Extent extent,
        boolean direct,
        Places places) {

    /** Checks the ranges. */
    public JobSpec {
        checkArgument(!polled || engine.pollable(), "%s cannot poll", engine);
        checkArgument(readPercent >= 0 && readPercent <= 100, "readPercent must be 0 to 100, was %s", readPercent);
        checkArgument(numjobs >= 1, "numjobs must be 1 or more, was %s", numjobs);
        checkArgument(flushEvery >= 0, "flushEvery must not be negative, was %s", flushEvery);
        checkArgument(engine.asynchronous() || depth.iodepth() == 1, "%s has an iodepth of 1", engine);
    }

    /**
     * Says that an option of this job cannot be followed, for whoever knows more than the job file: that there is no such
     * drive or CPU, for example.
     *
     * @param option fio's main name for it
     * @param problem what is wrong and what would be right, without a full stop
     * @return the exception to throw
     */
    public FioSyntaxException fault(String option, String problem) {
        return new FioSyntaxException(places.of(option), option, problem);
    }
}
