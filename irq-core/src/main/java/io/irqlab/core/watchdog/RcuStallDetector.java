package io.irqlab.core.watchdog;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.engine.EventQueue;
import java.util.List;
import java.util.function.Consumer;

/**
 * The RCU stall detector of a machine ({@code kernel/rcu/tree_stall.h}): one grace period follows another, and each ends when
 * every CPU has passed a quiescent state; one that lasts too long is a stall of the CPUs that have not.
 *
 * <p>A context switch, idleness, and the end of a service of softirqs in ksoftirqd are quiescent; so is a tick that finds a
 * task, which may be preempted (preemptible RCU, which distributions build). So a train of hardirqs over a task is a soft
 * lockup but no RCU stall, and one that never lets a softirq end is both. Between two hardirqs that interrupt idleness there
 * is idleness, however short. CPUs without a tick are looked at from the ticks of others, three jiffies after the grace
 * period began and every three after that; a machine on which nobody has a tick is not looked at.
 */
public final class RcuStallDetector {
    /** {@code CONFIG_RCU_CPU_STALL_TIMEOUT}. */
    private static final int TIMEOUT_SECONDS = 21;

    private static final long SECOND_NS = 1_000_000_000L;
    private static final long SCAN_NS = 3_000_000;
    /** Others give the stuck CPU two jiffies to report itself. */
    private static final long OTHERS_WAIT_NS = 2_000_000;
    /** From one report to the next, if the grace period still lasts: three timeouts and three jiffies. */
    private static final long AGAIN_NS = 3 * TIMEOUT_SECONDS * SECOND_NS + 3_000_000;

    private static final Vector.Source[] SOURCES = Vector.Source.values();

    private final ImmutableList<State> states;
    private final EventQueue queue;
    private final Consumer<Lockup> reports;
    private long startedNs;
    private long nextScanNs;
    private long stallNs;
    private int waitingFor;

    /** What is known of one CPU in this grace period. */
    private static final class State {
        private final Cpu cpu;
        private final IrqTally tally;
        private long quiescentStates;
        /** Hardirqs at the first look that found it neither idle nor past a quiescent state; -1 before that. */
        private long hardirqs;

        private boolean passed;
        private long reportedStallNs;

        State(Cpu cpu) {
            this.cpu = cpu;
            this.tally = new IrqTally(cpu);
        }
    }

    /**
     * Creates the detector; the first grace period begins now.
     *
     * @param cpus the machine's CPUs
     * @param queue the run's events
     * @param reports takes each report
     */
    public RcuStallDetector(List<Cpu> cpus, EventQueue queue, Consumer<Lockup> reports) {
        this.queue = queue;
        this.reports = reports;
        this.states = cpus.stream().map(State::new).collect(toImmutableList());
        states.forEach(state -> state.cpu.onTick(() -> tick(state)));
        beginGracePeriod();
    }

    private void beginGracePeriod() {
        startedNs = queue.nowNs();
        nextScanNs = startedNs + SCAN_NS;
        stallNs = startedNs + TIMEOUT_SECONDS * SECOND_NS;
        waitingFor = states.size();
        for (int i = 0; i < states.size(); i++) {
            State state = states.get(i);
            state.passed = false;
            state.hardirqs = -1;
            state.reportedStallNs = 0;
            state.quiescentStates = state.cpu.quiescentStates();
        }
    }

    private void tick(State own) {
        if (own.cpu.outsideSoftirqs()) {
            pass(own);
        }
        long now = queue.nowNs();
        if (now >= nextScanNs) {
            nextScanNs = now + SCAN_NS;
            for (int i = 0; i < states.size(); i++) {
                lookAt(states.get(i));
            }
        }
        if (waitingFor == 0) {
            beginGracePeriod();
        } else if (now >= stallNs) {
            reportStall(own, now);
        }
    }

    private void lookAt(State state) {
        Cpu cpu = state.cpu;
        if (state.passed) {
            return;
        }
        if (cpu.idle() || !cpu.online() || cpu.quiescentStates() != state.quiescentStates) {
            pass(state);
        } else if (state.hardirqs < 0) {
            state.hardirqs = hardirqs(cpu);
            state.tally.mark();
        } else if (cpu.outsideSoftirqs() && hardirqs(cpu) != state.hardirqs) {
            pass(state);
        }
    }

    private static long hardirqs(Cpu cpu) {
        long sum = 0;
        for (Vector.Source source : SOURCES) {
            sum += cpu.hardirqs(source);
        }
        return sum;
    }

    private void pass(State state) {
        if (!state.passed) {
            state.passed = true;
            waitingFor--;
        }
    }

    private void reportStall(State own, long now) {
        if (!own.passed) {
            report(own, now);
        }
        if (now >= stallNs + OTHERS_WAIT_NS) {
            for (State state : states) {
                if (!state.passed) {
                    report(state, now);
                }
            }
            stallNs = now + AGAIN_NS;
        }
    }

    private void report(State state, long now) {
        if (state.reportedStallNs == stallNs) {
            return;
        }
        state.reportedStallNs = stallNs;
        reports.accept(new Lockup(
                Lockup.Kind.RCU_STALL,
                state.cpu.number(),
                now,
                (now - startedNs) / SECOND_NS,
                TIMEOUT_SECONDS,
                state.tally.byTime(),
                List.of(),
                List.of()));
    }
}
