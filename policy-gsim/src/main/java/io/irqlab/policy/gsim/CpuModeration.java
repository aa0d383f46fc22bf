package io.irqlab.policy.gsim;

import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyTimer;
import java.util.ArrayList;
import java.util.List;

/**
 * One CPU's part of GSIM: the window, its timer, and the lines inside it.
 *
 * <p>Delays add up until they are worth a timer: below {@value #MIN_SLEEP_NS} ns no window opens and the sum is kept, so a
 * delay of 2 µs makes a window of 10 µs after every fifth interrupt.
 */
final class CpuModeration {
    /** The shortest window, and the slack of its timer (constants of GSIM v5). */
    static final long MIN_SLEEP_NS = 10_000;

    static final long SLACK_NS = 2_000;

    private final PolicyTimer timer;
    private final long delayNs;
    private final List<IrqLine> moderated = new ArrayList<>();
    private long sleepNs;
    private long timerSet;
    private long enqueue;

    CpuModeration(PolicyContext context, int cpu, long delayNs) {
        this.delayNs = delayNs;
        this.timer = context.timer(cpu, SLACK_NS, this::closeWindow);
    }

    /** After a handled interrupt: opens the window if it is due, and puts the line into an open one. */
    boolean onHandled(IrqLine line, PolicyCpu cpu) {
        if (!timer.queued()) {
            sleepNs += delayNs;
            if (sleepNs < MIN_SLEEP_NS) {
                return false;
            }
            timerSet++;
            timer.arm(cpu, sleepNs);
        }
        enqueue++;
        moderated.add(line);
        line.moderate(cpu);
        return true;
    }

    private void closeWindow(PolicyCpu cpu) {
        for (int i = 0; i < moderated.size(); i++) {
            moderated.get(i).unmoderate(cpu);
        }
        moderated.clear();
        sleepNs = 0;
    }

    long timerSet() {
        return timerSet;
    }

    long enqueue() {
        return enqueue;
    }
}
