package io.irqlab.core.irq;

/** What a driver says of its handler when it requests an interrupt ({@code IRQF_*}). */
public enum IrqFlag {
    /** The handler has a thread, which its primary handler may ask to be woken. */
    THREADED,
    /** Other handlers may share the line ({@code IRQF_SHARED}); all of them must say so. */
    SHARED,
    /**
     * The line stays masked until the threads of its handlers have ended ({@code IRQF_ONESHOT}); of handlers that share a
     * line all say so or none. Level and fasteoi lines only: an edge that comes meanwhile asks for one more run of the thread.
     * A chip that is {@link IrqChip#oneshotSafe} takes the flag away.
     */
    ONESHOT,
    /** The line stays enabled while the machine is suspended ({@code IRQF_NO_SUSPEND}). */
    NO_SUSPEND
}
