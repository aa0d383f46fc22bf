package io.irqlab.model.workload;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.model.host.BlockRequest;
import io.irqlab.model.host.NvmeDriver;
import io.irqlab.model.host.NvmeQueue;
import io.irqlab.model.nvme.Opcode;
import java.util.List;

/**
 * One thread of a fio job, closed loop: it keeps its depth in flight, submits in batches, and when the depth is reached
 * waits for completions and takes them, as fio's {@code do_io} does. By fio's defaults it takes one completion and submits
 * one I/O at a time, however many are complete.
 *
 * <p>Latency counts as fio's clat does: from the end of the submitting system call to the taking of the completion.
 */
public final class JobThread implements Routine, BlockRequest.Submitter {
    private final JobSpec spec;
    private final IoEngineCosts costs;
    private final List<NvmeDriver> drives;
    private final RandomStream random;
    private final BlockSize blockSize;
    private final Task task;
    private final QueueDepth depth;

    private final BlockRequest[] free;
    private int freeCount;
    private final BlockRequest[] prepared;
    private int preparedCount;
    private final BlockRequest[] completed;
    private int completedHead;
    private int completedCount;
    private int inFlight;
    private int drive;
    private int ioOfFile;
    private boolean submitting;
    private boolean filling = true;
    private boolean waiting;

    /**
     * Creates the thread, asleep.
     *
     * @param spec its job
     * @param name its name
     * @param cpu where it runs
     * @param costs what an I/O costs it
     * @param drives the drives that the job's files stand for, in their order
     * @param seed the run's seed
     */
    public JobThread(JobSpec spec, String name, Cpu cpu, IoEngineCosts costs, List<NvmeDriver> drives, long seed) {
        this.spec = spec;
        this.costs = costs;
        this.drives = drives;
        this.random = RandomStream.of(seed, name);
        this.blockSize = spec.blockSizes().read();
        this.depth = spec.depth();
        int iodepth = depth.iodepth();
        this.free = new BlockRequest[iodepth];
        this.prepared = new BlockRequest[iodepth];
        this.completed = new BlockRequest[iodepth];
        for (int i = 0; i < iodepth; i++) {
            free[freeCount++] = new BlockRequest(this, drives.get(0));
        }
        this.task = Task.fair(cpu, name, this);
    }

    /** Starts the thread. */
    public void start() {
        task.start();
    }

    @Override
    public long step(Cpu cpu) {
        if (submitting) {
            submitting = false;
            submitPrepared(cpu);
        }
        waiting = false;
        if (!filling && !reap(cpu)) {
            return DONE;
        }
        return prepareOne(cpu);
    }

    // ---- submission

    /** The next I/O: user time to prepare it, and the system call if the batch is complete or the depth reached. */
    private long prepareOne(Cpu cpu) {
        NvmeDriver target = drives.get(drive);
        NvmeQueue queue = target.queueOf(cpu);
        if (preparedCount > 0 && !queue.hasFreeTag()) {
            // What is prepared may hold the last tags: it goes out first, as the kernel flushes a plug before it
            // sleeps.
            return beginSubmission();
        }
        BlockRequest request = free[freeCount - 1];
        if (!queue.takeTag(request)) {
            waiting = true;
            cpu.spend(costs.waitNs());
            return DONE;
        }
        freeCount--;
        request.prepare(target, Opcode.READ, blockSize.bytes(random.nextLong()));
        prepared[preparedCount++] = request;
        nextFile();
        cpu.spendInUser(costs.userNs());
        boolean full = inFlight + preparedCount == depth.iodepth();
        if (full) {
            filling = false;
        }
        if (!full && preparedCount < depth.batchSubmit()) {
            return 0;
        }
        return beginSubmission();
    }

    private long beginSubmission() {
        submitting = true;
        return preparedCount * costs.submitNs();
    }

    /** Chooses the file of the next I/O, after as many as the job's file service gives to one file. */
    private void nextFile() {
        ioOfFile++;
        if (drives.size() == 1 || ioOfFile < spec.files().every()) {
            return;
        }
        ioOfFile = 0;
        switch (spec.files().service()) {
            case ROUNDROBIN -> drive = drive + 1 == drives.size() ? 0 : drive + 1;
            case RANDOM -> drive = random.nextInt(drives.size());
            case SEQUENTIAL ->
                throw new IllegalStateException("sequential file service is refused when jobs are placed");
        }
    }

    private void submitPrepared(Cpu cpu) {
        for (int i = 0; i < preparedCount; i++) {
            BlockRequest request = prepared[i];
            NvmeQueue queue = request.drive().queueOf(cpu);
            queue.submit(request);
            if (i + 1 == preparedCount || prepared[i + 1].drive() != request.drive()) {
                queue.ringDoorbell();
            }
            request.drive().issued(request);
            inFlight++;
        }
        preparedCount = 0;
    }

    // ---- completion

    /**
     * Takes completions as fio does when the depth is reached: at least the batch's minimum, or one, and on until no more
     * than {@code iodepth_low} are in flight. False if the thread must wait for them.
     */
    private boolean reap(Cpu cpu) {
        do {
            if (completedCount < wanted()) {
                waiting = true;
                cpu.spend(costs.waitNs());
                return false;
            }
            int taken = Math.min(completedCount, Math.max(1, depth.completeMax()));
            for (int i = 0; i < taken; i++) {
                takeOne();
            }
            cpu.spend(taken * costs.reapNs());
        } while (inFlight > depth.low());
        filling = true;
        return true;
    }

    private int wanted() {
        return Math.max(1, Math.min(depth.completeMin(), inFlight));
    }

    private void takeOne() {
        BlockRequest request = completed[completedHead];
        completedHead = completedHead + 1 == completed.length ? 0 : completedHead + 1;
        completedCount--;
        inFlight--;
        request.drive().reaped(request);
        free[freeCount++] = request;
    }

    @Override
    public void onCompletion(BlockRequest request, Cpu cpu) {
        int tail = completedHead + completedCount;
        completed[tail < completed.length ? tail : tail - completed.length] = request;
        completedCount++;
        if (waiting && !filling && completedCount >= wanted()) {
            task.wake(cpu);
        }
    }

    @Override
    public void onTagFree(Cpu cpu) {
        task.wake(cpu);
    }
}
