package io.irqlab.model.host;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.IrqAction;
import io.irqlab.core.irq.IrqDescriptor;
import io.irqlab.core.irq.IrqFlag;
import io.irqlab.core.irq.IrqReturn;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.QueuePolicy;
import io.irqlab.core.spi.QueuePolicy.Next;
import io.irqlab.model.nvme.CompletionQueue;
import io.irqlab.model.nvme.NvmeController;
import io.irqlab.model.nvme.SubmissionQueue;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One I/O queue as the driver uses it: tags and submissions, and the handlers of its interrupt. The stock handler reaps
 * until the queue is empty, writes the head doorbell once, and then completes the batch ({@code nvme_irq}); a driver policy
 * may decide otherwise.
 */
public final class NvmeQueue implements IrqAction, CompletionSource {
    private final NvmeController controller;
    private final int index;
    private final IrqDescriptor descriptor;
    private final EventQueue clock;
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final Reaper hardirqReaper;
    private final Reaper threadReaper;
    private final QueuePolicy policy;
    private final QueuePoll poll;
    private IrqReturn result = IrqReturn.NONE;
    private boolean handlerRuns;
    private boolean threadRuns;
    private int reapedByHandler;

    private final @Nullable BlockRequest[] requests;
    private final int[] freeTags;
    private int freeTagCount;
    private final ArrayDeque<BlockRequest.Submitter> tagWaiters = new ArrayDeque<>();

    NvmeQueue(
            NvmeController controller,
            int index,
            IrqDescriptor descriptor,
            EventQueue clock,
            DriverCosts costs,
            IrqPoll irqPoll,
            @Nullable DriverPolicy driverPolicy) {
        this.controller = controller;
        this.index = index;
        this.descriptor = descriptor;
        this.clock = clock;
        this.submissions = controller.queues().get(index).submissions();
        this.completions = controller.queues().get(index).completions();
        this.hardirqReaper = new Reaper(this, costs);
        this.threadReaper = new Reaper(this, costs);
        // blk-mq keeps one entry of the ring free.
        int tags = submissions.depth() - 1;
        this.requests = new BlockRequest[tags];
        this.freeTags = new int[tags];
        for (int tag = tags - 1; tag >= 0; tag--) {
            freeTags[freeTagCount++] = tag;
        }
        this.policy = driverPolicy == null ? NvmeQueue::stockHandler : driverPolicy.forQueue(this);
        this.poll = new QueuePoll(irqPoll, descriptor.name(), new Reaper(this, costs), policy);
        if (driverPolicy == null) {
            descriptor.requestIrq(this, descriptor.cpu());
        } else {
            descriptor.requestIrq(this, descriptor.cpu(), IrqFlag.THREADED);
        }
    }

    private static Next stockHandler(PolicyCpu cpu, int reaped) {
        return reaped < 0 ? Next.REAP_ALL : Next.RETURN;
    }

    // ---- submission

    /**
     * Takes a tag for a request that is about to be submitted. If all are in use, its submitter is told when one is free.
     *
     * @param request the request
     * @return false if it must wait
     */
    public boolean takeTag(BlockRequest request) {
        if (freeTagCount == 0) {
            tagWaiters.add(request.submitter);
            return false;
        }
        request.tag = freeTags[--freeTagCount];
        return true;
    }

    /**
     * Returns whether {@link #takeTag} would find one.
     *
     * @return false if all are in use
     */
    public boolean hasFreeTag() {
        return freeTagCount > 0;
    }

    /**
     * Writes a request into the submission queue; the drive sees it at the next {@link #ringDoorbell}.
     *
     * @param request the request, with a tag of this queue
     */
    public void submit(BlockRequest request) {
        requests[request.tag] = request;
        submissions.push(request.tag, request.opcode(), request.bytes());
    }

    /** Writes the tail doorbell. */
    public void ringDoorbell() {
        controller.ringSubmission(index);
    }

    // ---- reaping, in steps: see Reaper

    /** Takes the completion at the head, if there is one. */
    @Nullable
    BlockRequest reapOne() {
        if (!completions.pending(clock.nowNs())) {
            return null;
        }
        BlockRequest request = requests[completions.headCommandId()];
        submissions.headReported(completions.headSqHead());
        completions.advance();
        return request;
    }

    void ringHeadDoorbell() {
        controller.ringCompletion(index);
    }

    void complete(BlockRequest request, Cpu cpu) {
        requests[request.tag] = null;
        freeTags[freeTagCount++] = request.tag;
        request.submitter.onCompletion(request, cpu);
        BlockRequest.Submitter waiter = tagWaiters.poll();
        if (waiter != null) {
            waiter.onTagFree(cpu);
        }
    }

    // ---- the interrupt's handlers

    @Override
    public long handlerStep(Cpu cpu) {
        if (!handlerRuns) {
            handlerRuns = true;
            reapedByHandler = 0;
            return decideInHardirq(cpu, -1) ? 0 : Routine.DONE;
        }
        long durationNs = hardirqReaper.step(cpu);
        if (durationNs != Routine.DONE) {
            return durationNs;
        }
        reapedByHandler += hardirqReaper.reaped();
        return decideInHardirq(cpu, hardirqReaper.reaped()) ? 0 : Routine.DONE;
    }

    /** Asks the policy; true if the handler is to reap. */
    private boolean decideInHardirq(Cpu cpu, int reaped) {
        Next next = policy.inHardirq(cpu, reaped);
        switch (next) {
            case REAP_ALL -> hardirqReaper.begin(Integer.MAX_VALUE);
            case REAP_BUDGET -> hardirqReaper.begin(checkedBudget());
            case WAKE_THREAD -> {
                result = IrqReturn.WAKE_THREAD;
                handlerRuns = false;
            }
            case RETURN -> {
                result = reapedByHandler > 0 ? IrqReturn.HANDLED : IrqReturn.NONE;
                handlerRuns = false;
            }
            case SLEEP, YIELD ->
                throw new IllegalStateException(
                        "the policy asked the hard handler of %s to sleep".formatted(descriptor));
        }
        return handlerRuns;
    }

    private int checkedBudget() {
        int budget = policy.budget();
        checkState(budget >= 1, "the policy's budget for %s must be 1 or more, was %s", descriptor, budget);
        return budget;
    }

    @Override
    public IrqReturn result() {
        return result;
    }

    @Override
    public long threadStep(Cpu cpu) {
        if (!threadRuns) {
            threadRuns = true;
            threadReaper.idle();
            return decideInThread(cpu, -1);
        }
        long durationNs = threadReaper.step(cpu);
        return durationNs == Routine.DONE ? decideInThread(cpu, threadReaper.reaped()) : durationNs;
    }

    /** Asks the policy; returns how long the thread's step takes. */
    private long decideInThread(Cpu cpu, int reaped) {
        switch (policy.inThread(cpu, reaped)) {
            case REAP_ALL -> threadReaper.begin(Integer.MAX_VALUE);
            case REAP_BUDGET -> threadReaper.begin(checkedBudget());
            case SLEEP -> {
                threadReaper.idle();
                descriptor.thread().sleepRange(policy.sleepMinNs(), policy.sleepMaxNs());
                return Routine.DONE;
            }
            case YIELD -> {
                threadReaper.idle();
                descriptor.thread().yieldCpu();
            }
            case RETURN -> {
                threadRuns = false;
                return Routine.DONE;
            }
            case WAKE_THREAD ->
                throw new IllegalStateException(
                        "the policy asked the thread of %s to wake itself".formatted(descriptor));
        }
        return 0;
    }

    /**
     * Says what is wrong if completions wait that it seems nobody will reap: the interrupt's CPU is idle, and they have
     * waited long.
     *
     * @param patienceNs how long they may wait
     * @return one sentence, or empty
     */
    public Optional<String> stuck(long patienceNs) {
        long now = clock.nowNs();
        long waitingNs = now - completions.headVisibleNs();
        if (!completions.pending(now)
                || waitingNs < patienceNs
                || !descriptor.cpu().idle()) {
            return Optional.empty();
        }
        return Optional.of(
                ("%s: completions have waited for %d ms and nobody reaps them; irq %d has a disable depth of %d,"
                                + " cpu %d is idle, and %d commands are in flight")
                        .formatted(
                                descriptor.name(),
                                waitingNs / 1_000_000,
                                descriptor.irq(),
                                descriptor.depth(),
                                descriptor.cpu().number(),
                                requests.length - freeTagCount));
    }

    // ---- what a policy sees

    @Override
    public IrqLine line() {
        return descriptor;
    }

    @Override
    public boolean pending() {
        return completions.pending(clock.nowNs());
    }

    @Override
    public int backlog() {
        return submissions.backlog();
    }

    @Override
    public int depth() {
        return submissions.depth();
    }

    @Override
    public int vectors() {
        return controller.queues().size();
    }

    @Override
    public boolean schedulePoll(PolicyCpu cpu) {
        return poll.schedule((Cpu) cpu);
    }

    /**
     * Returns the queue's interrupt.
     *
     * @return the descriptor
     */
    public IrqDescriptor descriptor() {
        return descriptor;
    }
}
