package io.irqlab.core.irq;

/** What a handler says about its interrupt ({@code irqreturn_t}). */
public enum IrqReturn {
    /** It was not its device's. */
    NONE,
    /** It was handled. */
    HANDLED,
    /** The handler's thread is to be woken. */
    WAKE_THREAD
}
