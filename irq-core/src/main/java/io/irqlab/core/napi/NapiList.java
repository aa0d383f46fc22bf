package io.irqlab.core.napi;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;
import org.jspecify.annotations.Nullable;

/** The scheduled instances of one CPU; as a routine, one run of the softirq ({@code net_rx_action}). */
final class NapiList implements Routine {
    private final Cpu cpu;
    private final EventQueue queue;
    private @Nullable NapiInstance first;
    private @Nullable NapiInstance last;
    /** Off the list while its poll function runs. */
    private @Nullable NapiInstance polled;

    private boolean runs;
    private int budget;
    private long startedNs;
    private long squeezed;

    NapiList(Cpu cpu, EventQueue queue) {
        this.cpu = cpu;
        this.queue = queue;
    }

    void append(NapiInstance instance) {
        NapiInstance tail = last;
        if (tail == null) {
            first = instance;
        } else {
            tail.next = instance;
        }
        last = instance;
    }

    private @Nullable NapiInstance takeFirst() {
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

    /** Moves what is scheduled here to another CPU's list; false if there is nothing. */
    boolean moveAllTo(NapiList other) {
        boolean any = first != null;
        for (NapiInstance instance = takeFirst(); instance != null; instance = takeFirst()) {
            other.append(instance);
        }
        return any;
    }

    @Override
    public long step(Cpu running) {
        if (!runs) {
            runs = true;
            budget = Napi.BUDGET;
            startedNs = queue.nowNs();
        }
        NapiInstance instance = polled;
        if (instance == null) {
            instance = next();
            if (instance == null) {
                runs = false;
                return DONE;
            }
            polled = instance;
            instance.completed = false;
        }
        long durationNs = instance.function.step(cpu, NapiInstance.WEIGHT);
        if (durationNs != DONE) {
            return durationNs;
        }
        polled = null;
        finish(instance, instance.function.work());
        return 0;
    }

    /** The instance to poll next; null if there is none, or if the run is used up and the softirq raised again. */
    private @Nullable NapiInstance next() {
        if (first == null) {
            return null;
        }
        if (budget <= 0 || queue.nowNs() - startedNs >= Napi.BUDGET_NS) {
            squeezed++;
            cpu.raiseSoftirq(Softirq.NET_RX);
            return null;
        }
        return takeFirst();
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
            instance.scheduled = false;
        } else {
            append(instance);
        }
    }

    long squeezed() {
        return squeezed;
    }
}
