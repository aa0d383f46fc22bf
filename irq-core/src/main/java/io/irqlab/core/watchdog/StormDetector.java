package io.irqlab.core.watchdog;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuTimes;
import java.util.ArrayList;
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
    /** System, softirq, hardirq and idle percent of each of the last periods; a ring, so that noting one allocates nothing. */
    private final int[][] percents = new int[PERIODS][4];

    private int periods;
    private long systemNs;
    private long softirqNs;
    private long hardirqNs;
    private long idleNs;
    private boolean counting;

    StormDetector(Cpu cpu) {
        this.cpu = cpu;
        this.tally = new IrqTally(cpu);
        begin(cpu.times());
    }

    private void begin(CpuTimes times) {
        systemNs = times.systemNs() + times.userNs();
        softirqNs = times.softirqNs();
        hardirqNs = times.hardirqNs();
        idleNs = times.idleNs();
    }

    /** Ends a period. */
    void sample() {
        CpuTimes now = cpu.times();
        long system = now.systemNs() + now.userNs() - systemNs;
        long softirq = now.softirqNs() - softirqNs;
        long hardirq = now.hardirqNs() - hardirqNs;
        long idle = now.idleNs() - idleNs;
        long all = system + softirq + hardirq + idle;
        begin(now);
        int[] period = percents[periods % PERIODS];
        periods++;
        period[0] = percent(system, all);
        period[1] = percent(softirq, all);
        period[2] = percent(hardirq, all);
        period[3] = percent(idle, all);
        if (period[2] > HARDIRQ_PERCENT && !counting) {
            counting = true;
            tally.mark();
        }
    }

    private static int percent(long partNs, long allNs) {
        return allNs == 0 ? 0 : (int) ((partNs * 200 + allNs) / (2 * allNs));
    }

    /** The CPU has got on: what was counted is of no use. */
    void reset() {
        counting = false;
    }

    List<Lockup.Load> periods() {
        List<Lockup.Load> loads = new ArrayList<>();
        for (int i = Math.max(0, periods - PERIODS); i < periods; i++) {
            int[] period = percents[i % PERIODS];
            loads.add(new Lockup.Load(period[0], period[1], period[2], period[3]));
        }
        return loads;
    }

    List<Lockup.IrqCount> mostFrequent() {
        return counting ? tally.byCount() : List.of();
    }
}
