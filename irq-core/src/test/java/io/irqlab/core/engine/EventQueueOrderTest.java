package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random sequences of operations, on the queue and at the same time on a plain one that is obviously right: a sorted
 * set by time and a sequence number. Every event that runs must be the first of that set, at its time.
 */
final class EventQueueOrderTest {

    /** An event of the oracle. */
    private record Entry(long timeNs, long sequence, int event) {
        static final Comparator<Entry> ORDER =
                Comparator.comparingLong(Entry::timeNs).thenComparingLong(Entry::sequence);
    }

    /** The queue that is obviously right. */
    private static final class Oracle {
        private final TreeMap<Entry, Integer> order = new TreeMap<>(Entry.ORDER);
        private final List<Entry> pending = new ArrayList<>();
        private long sequence;

        Oracle(int events) {
            for (int i = 0; i < events; i++) {
                pending.add(null);
            }
        }

        boolean pending(int event) {
            return pending.get(event) != null;
        }

        long timeNs(int event) {
            return pending.get(event).timeNs();
        }

        void put(int event, long timeNs) {
            cancel(event);
            Entry entry = new Entry(timeNs, sequence++, event);
            pending.set(event, entry);
            order.put(entry, event);
        }

        void cancel(int event) {
            Entry entry = pending.set(event, null);
            if (entry != null) {
                order.remove(entry);
            }
        }

        boolean isEmpty() {
            return order.isEmpty();
        }

        Entry first() {
            return order.firstKey();
        }
    }

    /** One run of both queues. */
    private static final class Run {
        private final String label;
        private final RandomStream random;
        private final long slotNs;
        private final long horizonNs;
        private final EventQueue queue;
        private final Oracle oracle;
        private final int events;
        private boolean winding;
        private boolean stopped;
        private long ran;

        Run(long seed, int slotNs, int slots) {
            label = "seed " + seed + ", " + slots + " slots of " + slotNs + " ns";
            random = RandomStream.of(seed, "order");
            this.slotNs = slotNs;
            horizonNs = (long) slotNs * slots;
            queue = new EventQueue(slotNs, slots);
            events = 1 + random.nextInt(random.nextInt(4) == 0 ? 300 : 30);
            oracle = new Oracle(events);
            for (int i = 0; i < events; i++) {
                assertThat(queue.register(this::onEvent, i)).as(label).isEqualTo(i);
            }
        }

        void run(int rounds) {
            for (int i = 0; i < rounds; i++) {
                operate(random.nextInt(8));
                runUntil(queue.nowNs() + delayNs());
            }
            winding = true;
            while (!oracle.isEmpty()) {
                runUntil(Long.MAX_VALUE);
            }
            assertThat(queue.processed()).as(label).isEqualTo(ran);
        }

        private void runUntil(long untilNs) {
            long before = ran;
            stopped = false;

            long count = queue.runUntil(untilNs);

            assertThat(count).as(label).isEqualTo(ran - before);
            if (!stopped) {
                assertThat(queue.nowNs()).as(label).isEqualTo(untilNs);
                assertThat(oracle.isEmpty() || oracle.first().timeNs() > untilNs)
                        .as("%s: nothing due by %d ns is left", label, untilNs)
                        .isTrue();
            }
        }

        private void onEvent(int event) {
            if (oracle.isEmpty()
                    || oracle.first().event() != event
                    || oracle.first().timeNs() != queue.nowNs()) {
                throw new AssertionError(label + ": event " + event + " ran at " + queue.nowNs() + " ns as number "
                        + ran + ", should be " + (oracle.isEmpty() ? "none" : oracle.first()));
            }
            assertThat(stopped).as("%s: an event ran after stop", label).isFalse();
            oracle.cancel(event);
            ran++;
            if (!winding) {
                operate(random.nextInt(3));
            }
            if (random.nextInt(64) == 0) {
                stopped = true;
                queue.stop();
            }
        }

        private void operate(int count) {
            for (int i = 0; i < count; i++) {
                int event = random.nextInt(events);
                assertThat(queue.pending(event)).as(label).isEqualTo(oracle.pending(event));
                if (oracle.pending(event)) {
                    assertThat(queue.timeNs(event)).as(label).isEqualTo(oracle.timeNs(event));
                }
                long timeNs = Math.max(queue.nowNs(), queue.nowNs() + delayNs()); // the sum may overflow
                if (random.nextInt(5) == 0) {
                    queue.cancel(event);
                    oracle.cancel(event);
                } else if (random.nextInt(2) == 0) {
                    queue.reschedule(event, timeNs);
                    oracle.put(event, timeNs);
                } else if (!oracle.pending(event)) {
                    queue.schedule(event, timeNs);
                    oracle.put(event, timeNs);
                }
            }
        }

        /** A delay of one of the kinds that have something to get wrong. */
        private long delayNs() {
            return switch (random.nextInt(10)) {
                case 0 -> 0;
                case 1, 2 -> random.nextLong(4 * slotNs);
                case 3, 4 -> tieNs();
                case 5, 6 -> random.nextLong(horizonNs);
                case 7 -> Math.max(0, horizonNs - 2 * slotNs + random.nextLong(4 * slotNs));
                case 8 -> random.nextLong(3 * horizonNs) / horizonNs * horizonNs;
                default -> random.nextInt(8) == 0 ? 1L << random.nextInt(50) : random.nextLong(4 * horizonNs);
            };
        }

        /** The delay to the time of another event, wherever that is kept. */
        private long tieNs() {
            int other = random.nextInt(events);
            return oracle.pending(other) ? oracle.timeNs(other) - queue.nowNs() : 0;
        }
    }

    @ParameterizedTest(name = "{1} slots of {0} ns")
    @CsvSource({"1, 64", "4, 64", "64, 64", "2, 4096", "4, 65536", "1024, 128", "1, 524288"})
    void theOrderIsThatOfTimeAndInsertion(int slotNs, int slots) {
        int seeds = slots > 10_000 ? 30 : 300;
        for (long seed = 0; seed < seeds; seed++) {
            new Run(seed, slotNs, slots).run(100);
        }
    }

    @ParameterizedTest(name = "{1} slots of {0} ns")
    @CsvSource({"1, 64", "8, 1024", "4, 65536"})
    void theOrderDoesNotDependOnTheShapeOfTheWheel(int slotNs, int slots) {
        List<Integer> reference = new ArrayList<>();
        List<Integer> order = new ArrayList<>();

        scatter(new EventQueue(16, 256), reference);
        scatter(new EventQueue(slotNs, slots), order);

        assertThat(order).hasSize(20_000).isEqualTo(reference);
    }

    private static void scatter(EventQueue queue, List<Integer> order) {
        RandomStream random = RandomStream.of(11, "scatter");
        EventHandler handler = code -> {
            order.add(code);
            if (order.size() == 20_000) {
                queue.stop();
            }
            queue.schedule(code, queue.nowNs() + random.nextLong(1L << random.nextInt(20)) / 8 * 8);
        };
        for (int i = 0; i < 200; i++) {
            queue.schedule(queue.register(handler, i), random.nextInt(1_000));
        }
        queue.runUntil(Long.MAX_VALUE);
    }
}
