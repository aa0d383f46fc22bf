package io.irqlab.model.host;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.model.nvme.Opcode;
import java.util.ArrayList;
import java.util.List;

/** Somebody who submits reads without a thread or a CPU, and notes what happens to them. */
final class FakeSubmitter implements BlockRequest.Submitter {
    /** A completion as it was told. */
    record Completion(BlockRequest request, int cpu, long atNs) {}

    final List<Completion> completions = new ArrayList<>();
    final List<Long> freeTags = new ArrayList<>();
    private final HostRig rig;

    FakeSubmitter(HostRig rig) {
        this.rig = rig;
    }

    BlockRequest request() {
        var request = new BlockRequest(this, rig.driver());
        request.prepare(rig.driver(), Opcode.READ, 4096);
        return request;
    }

    /** Submits so many reads to one queue, with one doorbell. */
    List<BlockRequest> submit(int queueIndex, int reads) {
        NvmeQueue queue = rig.queue(queueIndex);
        var requests = new ArrayList<BlockRequest>();
        for (int i = 0; i < reads; i++) {
            BlockRequest request = request();
            if (!queue.takeTag(request)) {
                throw new IllegalStateException("out of tags");
            }
            queue.submit(request);
            rig.driver().issued(request);
            requests.add(request);
        }
        queue.ringDoorbell();
        return requests;
    }

    List<BlockRequest> completed() {
        return completions.stream().map(Completion::request).toList();
    }

    @Override
    public void onCompletion(BlockRequest request, Cpu cpu) {
        completions.add(new Completion(request, cpu.number(), rig.queue.nowNs()));
    }

    @Override
    public void onTagFree(Cpu cpu) {
        freeTags.add(rig.queue.nowNs());
    }
}
