package io.irqlab.core.cpu;

/** The softirqs that the model uses, in the kernel's order: the lower one runs first. */
public enum Softirq {
    /** Sending of network packets ({@code NET_TX_SOFTIRQ}). */
    NET_TX(2),
    /** NAPI polling of network devices ({@code NET_RX_SOFTIRQ}). */
    NET_RX(3),
    /** Completions of block requests on the submitter's CPU ({@code BLOCK_SOFTIRQ}). */
    BLOCK(4),
    /** Polling of block devices ({@code IRQ_POLL_SOFTIRQ}). */
    IRQ_POLL(5),
    /** Timers that expire in softirq context ({@code HRTIMER_SOFTIRQ}). */
    HRTIMER(8);

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
