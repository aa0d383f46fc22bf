package io.irqlab.model.host;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import java.util.Arrays;

/**
 * Reaps one completion queue in one context: looks at the queue, reads what is there, looks again, until it is empty or
 * the budget is used; then writes the head doorbell once and completes the batch.
 */
final class Reaper implements Routine {
    private enum Phase {
        LOOK,
        COMPLETE,
        FINISHED
    }

    private final NvmeQueue queue;
    private final DriverCosts costs;
    private BlockRequest[] batch = new BlockRequest[64];
    private int size;
    private int budget;
    private int reaped;
    private Phase phase = Phase.FINISHED;

    Reaper(NvmeQueue queue, DriverCosts costs) {
        this.queue = queue;
        this.costs = costs;
    }

    /** Starts anew with a budget of completions. */
    void begin(int newBudget) {
        budget = newBudget;
        size = 0;
        reaped = 0;
        phase = Phase.LOOK;
    }

    /** Has nothing to do: the next step is done at once, with nothing reaped. */
    void idle() {
        reaped = 0;
        phase = Phase.FINISHED;
    }

    /** Returns what the last turn completed. */
    int reaped() {
        return reaped;
    }

    @Override
    public long step(Cpu cpu) {
        switch (phase) {
            case LOOK -> {
                int found = look();
                if (found > 0) {
                    return found * costs.reapNs();
                }
                if (size == 0) {
                    phase = Phase.FINISHED;
                    return DONE;
                }
                queue.ringHeadDoorbell();
                phase = Phase.COMPLETE;
                return costs.mmioWriteNs() + size * costs.completeNs();
            }
            case COMPLETE -> {
                for (int i = 0; i < size; i++) {
                    queue.complete(batch[i], cpu);
                }
                reaped = size;
                phase = Phase.FINISHED;
                return DONE;
            }
            case FINISHED -> {
                return DONE;
            }
        }
        throw new AssertionError(phase);
    }

    /** Takes every completion that can be seen now, within the budget. */
    private int look() {
        int found = 0;
        while (size < budget) {
            BlockRequest request = queue.reapOne();
            if (request == null) {
                break;
            }
            if (size == batch.length) {
                batch = Arrays.copyOf(batch, size * 2);
            }
            batch[size++] = request;
            found++;
        }
        return found;
    }
}
