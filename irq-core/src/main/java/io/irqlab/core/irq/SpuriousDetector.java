package io.irqlab.core.irq;

/**
 * Judges whether a line's interrupts are anybody's ({@code note_interrupt}, kernel/irq/spurious.c): of every 100 000, more
 * than 99 900 unhandled mean that the line is stuck, counted from the first unhandled one. Unhandled ones that are further
 * apart than a tenth of a second do not add up.
 */
final class SpuriousDetector {
    private static final int WINDOW = 100_000;
    private static final int MOST_UNHANDLED = 99_900;
    private static final long QUIET_NS = 100_000_000;

    private int interrupts;
    private int unhandled;
    private long lastUnhandledNs;
    private long unhandledEver;
    /** How often threads had handled something when that was last looked at. */
    private long threadsHandledSeen;
    /** The interrupt before was left to a thread. */
    private boolean deferred;

    /**
     * Takes what the handlers of one interrupt said.
     *
     * @param result their answers together
     * @param wokeThread whether one of them at least left it to its thread
     * @param threadsHandled how often threads of the line have handled something
     * @param nowNs the time
     * @return true if the line is to be switched off
     */
    boolean note(IrqReturn result, boolean wokeThread, long threadsHandled, long nowNs) {
        boolean handled = result == IrqReturn.HANDLED;
        if (result == IrqReturn.WAKE_THREAD) {
            // Whether the thread handles it is known only at the next interrupt.
            if (!deferred) {
                deferred = true;
                return false;
            }
            handled = threadsHandled != threadsHandledSeen;
            threadsHandledSeen = threadsHandled;
        } else if (wokeThread) {
            deferred = false;
        }
        if (!handled) {
            unhandledEver++;
            unhandled = nowNs - lastUnhandledNs > QUIET_NS ? 1 : unhandled + 1;
            lastUnhandledNs = nowNs;
        }
        if (unhandled == 0) {
            return false;
        }
        interrupts++;
        if (interrupts < WINDOW) {
            return false;
        }
        boolean stuck = unhandled > MOST_UNHANDLED;
        reset();
        return stuck;
    }

    /** Counts afresh. */
    void reset() {
        interrupts = 0;
        unhandled = 0;
    }

    long unhandledEver() {
        return unhandledEver;
    }
}
