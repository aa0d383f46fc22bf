package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

final class AllocationTest {
    /** What the JIT compiler and the measurement itself may take: nothing next to one byte for each event. */
    private static final long TOLERANCE_BYTES = 20_000;

    private static final int EVENTS = 300_000;
    private static final int ENTITIES = 1_000;

    private final EventQueue queue = new EventQueue(4, 1 << 10);
    private final RandomStream random = RandomStream.of(3, "allocation");
    private final DelayDistribution delay =
            DelayDistribution.logNormal(2_000, 0.5).withTail(0.1, 100_000, 200_000);
    private int left;

    @Test
    void schedulingCancellingAndRunningAllocateNothing() throws ReflectiveOperationException {
        for (int i = 0; i < ENTITIES; i++) {
            queue.schedule(queue.register(this::churn, i), delay.sampleNs(random));
        }
        run();

        long before = allocatedBytes();
        run();
        long allocated = allocatedBytes() - before;

        assertThat(queue.processed()).isEqualTo(2 * EVENTS);
        assertThat(allocated).isLessThan(TOLERANCE_BYTES);
    }

    @Test
    void theMeasurementSeesAnObjectForEachEvent() throws ReflectiveOperationException {
        Object[] kept = new Object[1];
        int[] event = new int[1];
        event[0] = queue.register(
                code -> {
                    kept[0] = new Object[1];
                    queue.schedule(event[0], queue.nowNs() + 1);
                },
                0);
        queue.schedule(event[0], 0);

        long before = allocatedBytes();
        queue.runUntil(EVENTS);

        assertThat(allocatedBytes() - before).isGreaterThan(EVENTS);
        assertThat(kept).doesNotContainNull();
    }

    private void run() {
        left = EVENTS;
        queue.runUntil(Long.MAX_VALUE);
    }

    /** Schedules itself again, moves one other event, and takes another back and puts it in again. */
    private void churn(int event) {
        queue.schedule(event, queue.nowNs() + delay.sampleNs(random));
        int other = random.nextInt(ENTITIES);
        if (queue.pending(other)) {
            queue.reschedule(other, queue.nowNs() + delay.sampleNs(random));
        }
        int another = random.nextInt(ENTITIES);
        if (queue.pending(another)) {
            long timeNs = queue.timeNs(another);
            queue.cancel(another);
            queue.schedule(another, timeNs);
        }
        if (--left == 0) {
            queue.stop();
        }
    }

    /** By reflection, because the module does not read jdk.management, and need not for this alone. */
    private static long allocatedBytes() throws ReflectiveOperationException {
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        Method allocated =
                Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
        return (long) allocated.invoke(bean, Thread.currentThread().getId());
    }
}
