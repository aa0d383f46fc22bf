package io.irqlab.model.nvme;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

/**
 * A completion queue (NVM Express Base Specification 2.0, 3.3.1 and 4.6): a ring that the controller writes at its tail
 * and the host reads at its head. An entry is new when its phase bit is the one that the host expects, which flips each
 * time around. The controller may have at most depth less one entries beyond the head doorbell.
 */
public final class CompletionQueue {
    private final int depth;
    private final int[] commandIds;
    private final int[] sqHeads;
    private final boolean[] phases;
    private final long[] visibleNs;
    private int tail;
    private boolean tailPhase = true;
    private int reserved;
    private int headDoorbell;
    private int head;
    private boolean expectedPhase = true;

    CompletionQueue(int depth) {
        checkArgument(depth >= 2 && depth <= 65_536, "queue depth must be 2 to 65536, was %s", depth);
        this.depth = depth;
        this.commandIds = new int[depth];
        this.sqHeads = new int[depth];
        this.phases = new boolean[depth];
        this.visibleNs = new long[depth];
    }

    // ---- the controller's side

    /** Claims a free entry for a command that will complete; false if the queue is full. */
    boolean reserve() {
        int used = tail - headDoorbell;
        if (used < 0) {
            used += depth;
        }
        if (used + reserved >= depth - 1) {
            return false;
        }
        reserved++;
        return true;
    }

    /** Writes an entry that was reserved; it can be seen from a time on. */
    void post(int commandId, int sqHead, long fromNs) {
        checkState(reserved > 0, "a completion was posted without a free entry");
        reserved--;
        commandIds[tail] = commandId;
        sqHeads[tail] = sqHead;
        phases[tail] = tailPhase;
        visibleNs[tail] = fromNs;
        tail = next(tail);
        if (tail == 0) {
            tailPhase = !tailPhase;
        }
    }

    void ringDoorbell(int newHead) {
        checkArgument(newHead >= 0 && newHead < depth, "doorbell must be 0 to %s, was %s", depth - 1, newHead);
        headDoorbell = newHead;
    }

    // ---- the host's side

    /**
     * Returns whether the entry at the head is new.
     *
     * @param nowNs the time at which the host looks
     * @return true if its phase bit is the expected one
     */
    public boolean pending(long nowNs) {
        return phases[head] == expectedPhase && visibleNs[head] <= nowNs;
    }

    /**
     * Returns since when the entry at the head can be seen.
     *
     * @return the time; meaningful if the entry is {@link #pending}
     */
    public long headVisibleNs() {
        return visibleNs[head];
    }

    /**
     * Returns the command identifier of the entry at the head.
     *
     * @return the identifier; meaningful if the entry is {@link #pending}
     */
    public int headCommandId() {
        return commandIds[head];
    }

    /**
     * Returns the SQ head that the entry at the head reports: what the controller had fetched when it composed it.
     *
     * @return 0 to the submission queue's depth less one
     */
    public int headSqHead() {
        return sqHeads[head];
    }

    /** Moves the head past an entry, flipping the expected phase at the ring's end. */
    public void advance() {
        head = next(head);
        if (head == 0) {
            expectedPhase = !expectedPhase;
        }
    }

    /**
     * Returns the head, which the host writes to the doorbell.
     *
     * @return 0 to the depth less one
     */
    public int head() {
        return head;
    }

    private int next(int index) {
        return index + 1 == depth ? 0 : index + 1;
    }
}
