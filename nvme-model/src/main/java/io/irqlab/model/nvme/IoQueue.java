package io.irqlab.model.nvme;

import io.irqlab.model.pcie.MsixVector;

/** An I/O queue pair with its vector. */
public final class IoQueue {
    private final SubmissionQueue submissions;
    private final CompletionQueue completions;
    private final MsixVector vector;
    private final VectorCoalescer coalescer;
    private final int[] held;
    private int heldHead;
    private int heldCount;

    IoQueue(int depth, MsixVector vector, VectorCoalescer coalescer) {
        this.submissions = new SubmissionQueue(depth);
        this.completions = new CompletionQueue(depth);
        this.vector = vector;
        this.coalescer = coalescer;
        this.held = new int[depth];
    }

    /**
     * Returns the submission queue.
     *
     * @return the ring
     */
    public SubmissionQueue submissions() {
        return submissions;
    }

    /**
     * Returns the completion queue.
     *
     * @return the ring
     */
    public CompletionQueue completions() {
        return completions;
    }

    /**
     * Returns the entry of the MSI-X table that announces completions.
     *
     * @return the vector
     */
    public MsixVector vector() {
        return vector;
    }

    VectorCoalescer coalescer() {
        return coalescer;
    }

    /** Keeps a finished command's slot until the completion queue has room. */
    void hold(int slot) {
        held[(heldHead + heldCount++) % held.length] = slot;
    }

    boolean holds() {
        return heldCount > 0;
    }

    int release() {
        int slot = held[heldHead];
        heldHead = (heldHead + 1) % held.length;
        heldCount--;
        return slot;
    }
}
