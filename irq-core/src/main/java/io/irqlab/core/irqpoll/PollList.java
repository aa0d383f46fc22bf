package io.irqlab.core.irqpoll;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;
import org.jspecify.annotations.Nullable;

/** The scheduled instances of one CPU; as a routine, one run of the softirq. */
final class PollList implements Routine {
    final Cpu cpu;
    private final EventQueue queue;
    private @Nullable PollInstance first;
    private @Nullable PollInstance last;
    private @Nullable PollInstance polled;
    private boolean runs;
    private int budget;
    /** A run leaves off when the jiffy in which it began has passed. */
    private long startJiffy;

    PollList(Cpu cpu, EventQueue queue) {
        this.cpu = cpu;
        this.queue = queue;
    }

    void append(PollInstance instance) {
        PollInstance tail = last;
        if (tail == null) {
            first = instance;
        } else {
            tail.next = instance;
        }
        last = instance;
        instance.list = this;
    }

    void remove(PollInstance instance) {
        PollInstance before = null;
        for (PollInstance at = first; at != instance && at != null; at = at.next) {
            before = at;
        }
        if (before == null) {
            first = instance.next;
        } else {
            before.next = instance.next;
        }
        if (last == instance) {
            last = before;
        }
        instance.next = null;
        instance.list = null;
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Moves what is scheduled here to another CPU's list. */
    void moveAllTo(PollList other) {
        for (PollInstance instance = first; instance != null; instance = first) {
            remove(instance);
            other.append(instance);
        }
    }

    @Override
    public long step(Cpu running) {
        if (!runs) {
            runs = true;
            budget = IrqPoll.BUDGET;
            startJiffy = jiffy();
        }
        PollInstance instance = polled;
        if (instance == null) {
            instance = next();
            if (instance == null) {
                runs = false;
                return DONE;
            }
            polled = instance;
            instance.begin(cpu);
        }
        long durationNs = instance.function.step(cpu, instance.weight);
        if (durationNs != DONE) {
            return durationNs;
        }
        polled = null;
        instance.end();
        finish(instance, instance.function.work());
        return 0;
    }

    /** The instance to poll next; null if there is none, or if the run's budget is used up and the softirq raised again. */
    private @Nullable PollInstance next() {
        if (first != null && (budget <= 0 || jiffy() > startJiffy)) {
            cpu.raiseSoftirq(Softirq.IRQ_POLL);
            return null;
        }
        return first;
    }

    private long jiffy() {
        return queue.nowNs() / Cpu.JIFFY_NS;
    }

    private void finish(PollInstance instance, int work) {
        checkState(
                work >= 0 && work <= instance.weight,
                "driver bug: the poll function of %s returned %s, which is not within its weight of %s",
                instance,
                work,
                instance.weight);
        budget -= work;
        if (work < instance.weight) {
            checkState(
                    instance.completed,
                    "driver bug: the poll function of %s returned %s, less than its weight of %s, without calling"
                            + " irq_poll_complete",
                    instance,
                    work,
                    instance.weight);
            return;
        }
        checkState(
                !instance.completed,
                "driver bug: the poll function of %s called irq_poll_complete and returned its full weight of %s; the"
                        + " core would move an entry that is no longer on its list",
                instance,
                instance.weight);
        if (instance.disabled) {
            instance.complete();
        } else {
            remove(instance);
            append(instance);
        }
    }
}
