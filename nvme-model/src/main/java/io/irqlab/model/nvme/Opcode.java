package io.irqlab.model.nvme;

/**
 * A command of the NVM Command Set (NVM Express NVM Command Set Specification 1.0, section 3.2), as far as interrupts and
 * links care what it does.
 */
public enum Opcode {
    /** Moves data from the drive to memory. */
    READ,
    /** Moves data from memory to the drive. */
    WRITE,
    /** Makes what was written non-volatile; moves no data. */
    FLUSH,
    /** Dataset Management with the Deallocate attribute: what fio and the block layer call a trim. */
    TRIM
}
