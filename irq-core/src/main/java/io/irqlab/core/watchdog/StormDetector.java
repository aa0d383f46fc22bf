package io.irqlab.core.watchdog;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuTimes;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The interrupt-storm part of the soft-lockup watchdog ({@code CONFIG_SOFTLOCKUP_DETECTOR_INTR_STORM}): it notes what the
 * CPU did in each period and, once hardirqs have taken more than half of one, counts the CPU's interrupts.
 */
final class StormDetector {
    /** How many periods a report shows. */
    private static final int PERIODS = 5;
    /** The share of hardirqs above which interrupts are counted. */
    private static final int HARDIRQ_PERCENT = 50;

    private final Cpu cpu;
    private final IrqTally tally;
    private final ArrayDeque<Lockup.Load> periods = new ArrayDeque<>();
    private CpuTimes before;
    private boolean counting;

    StormDetector(Cpu cpu) {
        this.cpu = cpu;
        this.tally = new IrqTally(cpu);
        this.before = cpu.times();
    }

    /** Ends a period. */
    void sample() {
        CpuTimes now = cpu.times();
        Lockup.Load load = load(now.since(before));
        before = now;
        if (periods.size() == PERIODS) {
            periods.removeFirst();
        }
        periods.addLast(load);
        if (load.hardirqPercent() > HARDIRQ_PERCENT && !counting) {
            counting = true;
            tally.mark();
        }
    }

    private static Lockup.Load load(CpuTimes period) {
        long systemNs = period.systemNs() + period.userNs();
        long allNs = systemNs + period.softirqNs() + period.hardirqNs() + period.idleNs();
        return new Lockup.Load(
                percent(systemNs, allNs),
                percent(period.softirqNs(), allNs),
                percent(period.hardirqNs(), allNs),
                percent(period.idleNs(), allNs));
    }

    private static int percent(long partNs, long allNs) {
        return allNs == 0 ? 0 : (int) ((partNs * 200 + allNs) / (2 * allNs));
    }

    /** The CPU has got on: what was counted is of no use. */
    void reset() {
        counting = false;
    }

    List<Lockup.Load> periods() {
        return List.copyOf(periods);
    }

    List<Lockup.IrqCount> mostFrequent() {
        return counting ? tally.byCount() : List.of();
    }
}
