package io.irqlab.model.nvme;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

/**
 * A submission queue (NVM Express Base Specification 2.0, 3.3.1): a ring that the host writes at its tail and the
 * controller fetches from its head. It is full when one entry is free.
 */
public final class SubmissionQueue {
    private final int depth;
    private final int[] commandIds;
    private final Opcode[] opcodes;
    private final long[] bytes;
    private int tail;
    private int doorbell;
    private int head;
    private int headKnownToHost;

    SubmissionQueue(int depth) {
        checkArgument(depth >= 2 && depth <= 65_536, "queue depth must be 2 to 65536, was %s", depth);
        this.depth = depth;
        this.commandIds = new int[depth];
        this.opcodes = new Opcode[depth];
        this.bytes = new long[depth];
    }

    // ---- the host's side

    /**
     * Writes an entry at the tail; the controller does not see it before the doorbell.
     *
     * @param commandId the command's identifier
     * @param opcode what it does
     * @param dataBytes what it reads, writes or deallocates
     * @throws IllegalStateException if the queue is full
     */
    public void push(int commandId, Opcode opcode, long dataBytes) {
        int next = next(tail);
        checkState(next != headKnownToHost, "submission queue of %s entries is full", depth);
        commandIds[tail] = commandId;
        opcodes[tail] = opcode;
        bytes[tail] = dataBytes;
        tail = next;
    }

    /**
     * Takes the SQ head that a completion entry reported.
     *
     * @param sqHead 0 to the depth less one
     */
    public void headReported(int sqHead) {
        headKnownToHost = sqHead;
    }

    /**
     * Returns the entries that the host has written and the controller has not reported fetched.
     *
     * @return 0 to the depth less one
     */
    public int backlog() {
        int distance = tail - headKnownToHost;
        return distance >= 0 ? distance : distance + depth;
    }

    /**
     * Returns the tail, which the host writes to the doorbell.
     *
     * @return 0 to the depth less one
     */
    public int tail() {
        return tail;
    }

    // ---- the controller's side

    void ringDoorbell(int newTail) {
        checkArgument(newTail >= 0 && newTail < depth, "doorbell must be 0 to %s, was %s", depth - 1, newTail);
        doorbell = newTail;
    }

    boolean hasEntry() {
        return head != doorbell;
    }

    int headCommandId() {
        return commandIds[head];
    }

    Opcode headOpcode() {
        return opcodes[head];
    }

    long headBytes() {
        return bytes[head];
    }

    void fetched() {
        head = next(head);
    }

    int head() {
        return head;
    }

    /**
     * Returns the ring's size.
     *
     * @return entries
     */
    public int depth() {
        return depth;
    }

    private int next(int index) {
        return index + 1 == depth ? 0 : index + 1;
    }
}
