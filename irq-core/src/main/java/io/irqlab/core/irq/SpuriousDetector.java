package io.irqlab.core.irq;

/**
 * Judges whether a line's interrupts are anybody's ({@code note_interrupt}, kernel/irq/spurious.c): of every 100 000, more
 * than 99 900 unhandled mean that the line is stuck. Unhandled ones that are further apart than a tenth of a second do not
 * add up.
 */
final class SpuriousDetector {
    private static final int WINDOW = 100_000;
    private static final int MOST_UNHANDLED = 99_900;
    private static final long QUIET_NS = 100_000_000;

    private int interrupts;
    private int unhandled;
    private long lastUnhandledNs;
    private long unhandledEver;
    /** How often threads have handled something, when last looked at; -1 if the last interrupt was not left to a thread. */
    private long threadsHandledSeen = -1;

    /**
     * Takes what the handlers of one interrupt said.
     *
     * @param result their answers together
     * @param threadsHandled how often threads of the line have handled something
     * @param nowNs the time
     * @return true if the line is to be switched off
     */
    boolean note(IrqReturn result, long threadsHandled, long nowNs) {
        if (!handled(result, threadsHandled)) {
            unhandledEver++;
            unhandled = unhandled > 0 && nowNs - lastUnhandledNs > QUIET_NS ? 1 : unhandled + 1;
            lastUnhandledNs = nowNs;
        }
        interrupts++;
        if (interrupts < WINDOW) {
            return false;
        }
        boolean stuck = unhandled > MOST_UNHANDLED;
        interrupts = 0;
        unhandled = 0;
        return stuck;
    }

    /** Begins anew, since a handler was added that may know what to do. */
    void restart() {
        interrupts = 0;
        unhandled = 0;
    }

    /** Whether an interrupt that was left to a thread was handled is known only at the next one. */
    private boolean handled(IrqReturn result, long threadsHandled) {
        if (result != IrqReturn.WAKE_THREAD) {
            threadsHandledSeen = -1;
            return result == IrqReturn.HANDLED;
        }
        boolean handled = threadsHandledSeen < 0 || threadsHandled != threadsHandledSeen;
        threadsHandledSeen = threadsHandled;
        return handled;
    }

    long unhandledEver() {
        return unhandledEver;
    }
}
