package io.irqlab.model.host;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.model.nvme.Opcode;

/**
 * One I/O from its submission to its completion ({@code struct request}). Made once for each place in a submitter's queue
 * and used again and again.
 */
public final class BlockRequest {
    /** Who is told when a request is complete. */
    public interface Submitter {
        /**
         * Called in the context that completed the request.
         *
         * @param request the request; the submitter owns it again
         * @param cpu the CPU that completed it
         */
        void onCompletion(BlockRequest request, Cpu cpu);

        /**
         * Called when a tag has become free for a submitter that waited for one.
         *
         * @param cpu the CPU that freed it
         */
        void onTagFree(Cpu cpu);
    }

    final Submitter submitter;
    int tag;
    private NvmeDriver drive;
    private Opcode opcode = Opcode.READ;
    private long bytes;
    private long issuedNs;

    /**
     * Creates a request.
     *
     * @param submitter who is told of its completion
     * @param drive where it goes first
     */
    public BlockRequest(Submitter submitter, NvmeDriver drive) {
        this.submitter = submitter;
        this.drive = drive;
    }

    /**
     * Makes it another command.
     *
     * @param newDrive the drive
     * @param newOpcode what it does
     * @param newBytes how much it reads, writes or deallocates
     */
    public void prepare(NvmeDriver newDrive, Opcode newOpcode, long newBytes) {
        drive = newDrive;
        opcode = newOpcode;
        bytes = newBytes;
    }

    /**
     * Notes when it was handed to the kernel.
     *
     * @param nowNs the time
     */
    public void issued(long nowNs) {
        issuedNs = nowNs;
    }

    /**
     * Returns the drive that it goes to.
     *
     * @return the drive
     */
    public NvmeDriver drive() {
        return drive;
    }

    /**
     * Returns what it does.
     *
     * @return the command
     */
    public Opcode opcode() {
        return opcode;
    }

    /**
     * Returns how much it reads, writes or deallocates.
     *
     * @return bytes
     */
    public long bytes() {
        return bytes;
    }

    /**
     * Returns when it was handed to the kernel.
     *
     * @return the time in nanoseconds
     */
    public long issuedNs() {
        return issuedNs;
    }
}
