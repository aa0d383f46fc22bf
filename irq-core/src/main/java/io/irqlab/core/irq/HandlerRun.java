package io.irqlab.core.irq;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;

/**
 * One walk over the handlers of a line ({@code handle_irq_event}): each is called, and those that ask for it have their thread
 * woken. There is at most one walk of a line at a time.
 */
final class HandlerRun {
    private InstalledAction[] actions = {};
    private int next;
    private boolean begun;
    private IrqReturn result = IrqReturn.NONE;
    private boolean wokeThread;

    void begin(InstalledAction[] installed) {
        actions = installed;
        next = 0;
        begun = false;
        result = IrqReturn.NONE;
        wokeThread = false;
    }

    /** Runs the next step of the walk; DONE at its end. A handler that is freed before its turn is left out. */
    long step(Cpu cpu) {
        while (next < actions.length) {
            InstalledAction installed = actions[next];
            if (begun || !installed.removed) {
                begun = true;
                long durationNs = installed.action.handlerStep(cpu);
                if (durationNs != Routine.DONE) {
                    return durationNs;
                }
                begun = false;
                next++;
                if (take(installed, cpu)) {
                    return 0; // waking takes its time before the walk goes on or ends
                }
            } else {
                next++;
            }
        }
        return Routine.DONE;
    }

    /** Takes a handler's answer; returns whether that woke its thread. */
    private boolean take(InstalledAction installed, Cpu cpu) {
        switch (installed.action.result()) {
            case WAKE_THREAD -> {
                installed.wakeThread(cpu);
                wokeThread = true;
                if (result == IrqReturn.NONE) {
                    result = IrqReturn.WAKE_THREAD;
                }
                return true;
            }
            case HANDLED -> result = IrqReturn.HANDLED;
            case NONE -> {}
        }
        return false;
    }

    /** What the handlers said together: HANDLED if one did, else WAKE_THREAD if one left it to its thread. */
    IrqReturn result() {
        return result;
    }

    /** Whether one of them at least left it to its thread. */
    boolean wokeThread() {
        return wokeThread;
    }
}
