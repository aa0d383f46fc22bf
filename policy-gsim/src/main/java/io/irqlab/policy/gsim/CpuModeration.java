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
 *
 * <p>A changed parameter reaches the CPU at the end of its epoch: at its next 16th interrupt that is 5 ms or more after the
 * last such end, when it starts from the greatest delay. So an idle CPU keeps the old delay.
 */
final class CpuModeration {
    /** The shortest window, and the slack of its timer (constants of GSIM v5). */
    static final long MIN_SLEEP_NS = 10_000;

    static final long SLACK_NS = 2_000;

    /** Every so many interrupts the clock is read, and an epoch that is nearly over is over (constants of GSIM v5). */
    private static final int COUNT_MASK = 16 - 1;

    private static final long EARLY_NS = 5_000;

    private final GsimParameters parameters;
    private final PolicyTimer timer;
    private final List<IrqLine> moderated = new ArrayList<>();
    private boolean allowed = true;
    private int sequence;
    private long delayNs;
    private long interrupts;
    private long epochStartNs;
    private long sleepNs;
    private long timerSet;
    private long enqueue;

    CpuModeration(PolicyContext context, int cpu, GsimParameters parameters) {
        this.parameters = parameters;
        this.sequence = parameters.sequence();
        this.delayNs = parameters.delayNs();
        this.timer = context.timer(cpu, SLACK_NS, this::closeWindow);
    }

    /** After a handled interrupt: opens the window if it is due, and puts the line into an open one. */
    boolean onHandled(IrqLine line, PolicyCpu cpu) {
        if (!allowed) {
            return false;
        }
        interrupts++;
        if ((interrupts & COUNT_MASK) == 0) {
            endEpochIfDue(cpu);
        }
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

    private void endEpochIfDue(PolicyCpu cpu) {
        long now = cpu.readClockNs();
        if (now - epochStartNs < GsimParameters.UPDATE_NS - EARLY_NS) {
            return;
        }
        epochStartNs = now;
        if (sequence != parameters.sequence()) {
            sequence = parameters.sequence();
            delayNs = parameters.delayNs();
            interrupts = 0;
        }
    }

    /** Closes the window now and opens none until {@link #allow}: the CPU goes, or the machine suspends. */
    void disallow(PolicyCpu running) {
        allowed = false;
        closeWindow(running);
        timer.cancel();
    }

    void allow() {
        allowed = true;
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
