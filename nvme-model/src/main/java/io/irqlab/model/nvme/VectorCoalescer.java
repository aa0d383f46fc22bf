package io.irqlab.model.nvme;

import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import java.util.function.IntConsumer;

/**
 * The aggregation of one vector under the Interrupt Coalescing feature: it interrupts when the threshold is reached, or
 * the time is over since the first completion that has not been announced.
 *
 * <p>The timer is never cancelled: when it fires too early for the completions that now wait, it is set again. Only if
 * the setting became shorter meanwhile is it brought forward.
 */
final class VectorCoalescer implements EventHandler {
    private final EventQueue queue;
    private final int index;
    private final IntConsumer timeIsOver;
    private final int timer;
    private int gathered;
    private long deadlineNs;

    /** Creates the aggregation of a vector; {@code timeIsOver} takes the vector's index. */
    VectorCoalescer(EventQueue queue, int index, IntConsumer timeIsOver) {
        this.queue = queue;
        this.index = index;
        this.timeIsOver = timeIsOver;
        this.timer = queue.register(this, 0);
    }

    /** Takes a completion; true if it is to be announced now, with all that wait. */
    boolean onCompletion(InterruptCoalescing setting) {
        gathered++;
        if (!setting.on() || gathered >= setting.threshold()) {
            gathered = 0;
            return true;
        }
        if (gathered == 1) {
            deadlineNs = queue.nowNs() + setting.timeNs();
            if (!queue.pending(timer) || queue.timeNs(timer) > deadlineNs) {
                queue.reschedule(timer, deadlineNs);
            }
        }
        return false;
    }

    @Override
    public void onEvent(int code) {
        if (gathered == 0) {
            return;
        }
        if (queue.nowNs() < deadlineNs) {
            queue.schedule(timer, deadlineNs);
            return;
        }
        gathered = 0;
        timeIsOver.accept(index);
    }

    /** Forgets what waits when the setting changes; true if something waited and is to be announced. */
    boolean flush() {
        boolean waited = gathered > 0;
        gathered = 0;
        return waited;
    }
}
