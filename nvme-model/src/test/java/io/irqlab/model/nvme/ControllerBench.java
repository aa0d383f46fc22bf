package io.irqlab.model.nvme;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.pcie.RootComplex;
import java.util.ArrayList;
import java.util.List;

/**
 * A controller on a bench: below a root complex of its own, with a host that does nothing but submit reads, and reap in no
 * time what it is told of. Values may be changed until the controller is built by its first use.
 */
final class ControllerBench implements MsiSink {
    static final int BLOCK_BYTES = 4096;

    /** A completion entry as the host read it. */
    record Completion(int queue, int commandId, int sqHead, long atNs) {}

    /** An interrupt message as it reached the host. */
    record Message(int queue, long atNs) {}

    final EventQueue queue = new EventQueue();
    final Cpu cpu = new Cpu(0, queue, new CpuCosts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, VirtualizationCosts.BARE_METAL));
    final PcieLink link;
    final List<Completion> completions = new ArrayList<>();
    final List<Message> messages = new ArrayList<>();

    DelayDistribution media = DelayDistribution.constant(10_000);
    long maxIops = 1_000_000;
    int commandSlots = 64;
    long fetchNs = 500;
    int fetchBurst = 1;
    long setFeaturesNs = 1_000;
    long featureStallNs;
    long dmaNs = 40;
    long msiNs = 150;
    int credits = 8;
    int queues = 1;
    int depth = 64;
    long seed = 1;

    /** Whether the host reaps when an interrupt comes, and whether it then writes the head doorbell. */
    boolean reaps = true;

    boolean ringsHead = true;

    private NvmeController controller;

    ControllerBench() {
        this(new PcieLink(5, 4, 256));
    }

    ControllerBench(PcieLink link) {
        this.link = link;
    }

    NvmeController controller() {
        if (controller == null) {
            var timing =
                    new NvmeTiming(media, maxIops, commandSlots, fetchNs, fetchBurst, setFeaturesNs, featureStallNs);
            var complex = new RootComplex("rc0", queue, dmaNs, msiNs, credits);
            controller = new NvmeController("nvme0", queue, timing, link, complex, queues, depth, 0, 0, seed, this);
            controller.queues().forEach(ioQueue -> ioQueue.vector().unmask(cpu));
        }
        return controller;
    }

    SubmissionQueue submissions(int queueIndex) {
        return controller().queues().get(queueIndex).submissions();
    }

    /** Writes reads of a block into a submission queue, with command identifiers from one number up to another. */
    void push(int queueIndex, int from, int to) {
        for (int commandId = from; commandId < to; commandId++) {
            submissions(queueIndex).push(commandId, Opcode.READ, BLOCK_BYTES);
        }
    }

    /** Writes reads of a block and rings the doorbell once. */
    void submit(int queueIndex, int from, int to) {
        push(queueIndex, from, to);
        controller().ringSubmission(queueIndex);
    }

    @Override
    public void deliver(int queueIndex) {
        messages.add(new Message(queueIndex, queue.nowNs()));
        if (reaps) {
            reap(queueIndex);
        }
    }

    /** Reads every entry that can be seen; returns how many there were. */
    int reap(int queueIndex) {
        CompletionQueue ring = controller().queues().get(queueIndex).completions();
        int reaped = 0;
        while (ring.pending(queue.nowNs())) {
            completions.add(new Completion(queueIndex, ring.headCommandId(), ring.headSqHead(), queue.nowNs()));
            submissions(queueIndex).headReported(ring.headSqHead());
            ring.advance();
            reaped++;
        }
        if (ringsHead && reaped > 0) {
            controller().ringCompletion(queueIndex);
        }
        return reaped;
    }

    List<Integer> commandIds() {
        return completions.stream().map(Completion::commandId).toList();
    }

    List<Integer> queuesOfCompletions() {
        return completions.stream().map(Completion::queue).toList();
    }

    List<Long> timesOfCompletions() {
        return completions.stream().map(Completion::atNs).toList();
    }

    List<Long> timesOfMessages() {
        return messages.stream().map(Message::atNs).toList();
    }

    long linkNs() {
        return link.transferNs(link.upstreamBytesOfRead(BLOCK_BYTES));
    }

    /** The time from a doorbell to the interrupt for a single read of a block, with constant media. */
    long unloadedNs() {
        return fetchNs + 1_000_000_000 / maxIops + (long) media.meanNs() + linkNs() + dmaNs + msiNs;
    }
}
