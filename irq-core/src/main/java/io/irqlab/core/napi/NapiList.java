package io.irqlab.core.napi;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;
import org.jspecify.annotations.Nullable;

/**
 * The scheduled instances of one CPU; as a routine, one run of the softirq ({@code net_rx_action}): it polls each of those
 * that were scheduled when it began, and those that are scheduled while it runs and find it at its end. One that uses up its
 * weight waits for the next run.
 */
final class NapiList implements Routine {
    final Cpu cpu;
    private final EventQueue queue;
    /** Scheduled. */
    private final Chain waiting = new Chain();
    /** Those of this run that have not been polled. */
    private final Chain round = new Chain();
    /** Those of this run that have used up their weight. */
    private final Chain again = new Chain();
    /** On none of them while its poll function runs. */
    private @Nullable NapiInstance polled;

    private boolean runs;
    private int budget;
    private long lastJiffy;
    private long squeezed;

    NapiList(Cpu cpu, EventQueue queue) {
        this.cpu = cpu;
        this.queue = queue;
    }

    void append(NapiInstance instance) {
        waiting.append(instance);
    }

    boolean isEmpty() {
        return waiting.first == null;
    }

    /** Moves what is scheduled here to another CPU's list. */
    void moveAllTo(NapiList other) {
        other.waiting.take(waiting);
    }

    @Override
    public long step(Cpu running) {
        if (!runs) {
            runs = true;
            budget = Napi.BUDGET;
            lastJiffy = jiffy() + Napi.BUDGET_NS / Cpu.JIFFY_NS;
            round.take(waiting);
        }
        NapiInstance instance = polled;
        if (instance == null) {
            instance = next();
            if (instance == null) {
                runs = false;
                return DONE;
            }
            polled = instance;
            instance.begin(cpu);
        }
        long durationNs = instance.function.step(cpu, NapiInstance.WEIGHT);
        if (durationNs != DONE) {
            return durationNs;
        }
        polled = null;
        instance.end();
        finish(instance, instance.function.work());
        if (budget > 0 && jiffy() < lastJiffy) {
            return 0;
        }
        squeezed++;
        leaveOff();
        return DONE;
    }

    /** The instance to poll next; null if the run ends. */
    private @Nullable NapiInstance next() {
        if (round.first == null && again.first == null) {
            round.take(waiting);
        }
        NapiInstance instance = round.takeFirst();
        if (instance == null) {
            leaveOff();
        }
        return instance;
    }

    /** Ends the run; what is left waits for the next one, those that have used up their weight last. */
    private void leaveOff() {
        runs = false;
        round.take(waiting);
        round.take(again);
        waiting.take(round);
        if (waiting.first != null) {
            cpu.raiseSoftirq(Softirq.NET_RX);
        }
    }

    private long jiffy() {
        return queue.nowNs() / Cpu.JIFFY_NS;
    }

    private void finish(NapiInstance instance, int work) {
        checkState(
                work >= 0 && work <= NapiInstance.WEIGHT,
                "driver bug: the poll function of %s returned %s, which is not within its budget of %s",
                instance,
                work,
                NapiInstance.WEIGHT);
        budget -= work;
        if (work < NapiInstance.WEIGHT) {
            checkState(
                    instance.completed,
                    "driver bug: the poll function of %s returned %s, less than its budget of %s, without calling"
                            + " napi_complete_done",
                    instance,
                    work,
                    NapiInstance.WEIGHT);
            return;
        }
        checkState(
                !instance.completed,
                "driver bug: the poll function of %s called napi_complete_done and returned its full budget of %s; it"
                        + " would be polled and unmasked at once",
                instance,
                NapiInstance.WEIGHT);
        if (instance.disabled) {
            instance.completeDone(0, cpu);
        } else {
            again.append(instance);
        }
    }

    long squeezed() {
        return squeezed;
    }

    /** Instances in a row. */
    private static final class Chain {
        private @Nullable NapiInstance first;
        private @Nullable NapiInstance last;

        void append(NapiInstance instance) {
            NapiInstance tail = last;
            if (tail == null) {
                first = instance;
            } else {
                tail.next = instance;
            }
            last = instance;
        }

        @Nullable
        NapiInstance takeFirst() {
            NapiInstance instance = first;
            if (instance != null) {
                first = instance.next;
                if (first == null) {
                    last = null;
                }
                instance.next = null;
            }
            return instance;
        }

        /** Appends all of another chain, which is empty then. */
        void take(Chain other) {
            NapiInstance head = other.first;
            if (head == null) {
                return;
            }
            append(head);
            last = other.last;
            other.first = null;
            other.last = null;
        }
    }
}
