package io.irqlab.core.cpu;

/** The softirqs that the model uses, in the kernel's order: the lower one runs first. */
public enum Softirq {
    /** Completions of block requests on the submitter's CPU ({@code BLOCK_SOFTIRQ}). */
    BLOCK(4),
    /** Polling of block devices ({@code IRQ_POLL_SOFTIRQ}). */
    IRQ_POLL(5);

    /** One more than the greatest number. */
    static final int NUMBERS = 10;

    private final int number;

    Softirq(int number) {
        this.number = number;
    }

    /**
     * Returns its place in the kernel's order; of several pending ones the lowest number runs first.
     *
     * @return 0 to 9
     */
    public int number() {
        return number;
    }
}
