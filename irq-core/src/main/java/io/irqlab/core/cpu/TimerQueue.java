package io.irqlab.core.cpu;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Queued timers by the end of their windows, the first first. */
final class TimerQueue {
    private HrTimer[] timers = new HrTimer[8];
    private int size;

    void add(HrTimer timer) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, size * 2);
        }
        int i = size++;
        while (i > 0 && timers[i - 1].hardExpiryNs > timer.hardExpiryNs) {
            timers[i] = timers[i - 1];
            i--;
        }
        timers[i] = timer;
    }

    void remove(HrTimer timer) {
        int i = 0;
        while (timers[i] != timer) {
            i++;
        }
        size--;
        System.arraycopy(timers, i + 1, timers, i, size - i);
    }

    /** The first timer that is pinned to a CPU. */
    @Nullable
    HrTimer firstOf(Cpu cpu) {
        for (int i = 0; i < size; i++) {
            if (timers[i].pinnedTo == cpu) {
                return timers[i];
            }
        }
        return null;
    }

    @Nullable
    HrTimer first() {
        return size == 0 ? null : timers[0];
    }

    /** The first timer, if its window has begun. */
    @Nullable
    HrTimer expired(long nowNs) {
        return size > 0 && timers[0].softExpiryNs <= nowNs ? timers[0] : null;
    }

    /** When the first timer's window ends; never if there is none. */
    long deadlineNs() {
        return size == 0 ? Long.MAX_VALUE : timers[0].hardExpiryNs;
    }
}
