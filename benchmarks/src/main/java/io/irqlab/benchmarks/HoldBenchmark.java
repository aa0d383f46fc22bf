package io.irqlab.benchmarks;

import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The hold model, in events per second: the earliest event schedules itself again after an exponential delay, so that
 * the number pending stays as it is. The draw of the delay is part of what is measured.
 *
 * <p>The mean gap between events is 20 ns throughout, as on a busy machine: more pending events mean longer delays. The
 * yardstick is what one would write first, a {@link PriorityQueue} of objects; only the ratio of the two, taken in one
 * run, can be compared between machines.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HoldBenchmark {
    private static final int EVENTS = 100_000;
    private static final int GAP_NS = 20;
    private static final int SLOT_NS = 8;

    /** How many events are pending. */
    @Param({"1000", "100000", "1000000"})
    public int pending;

    private RandomStream random = RandomStream.of(0, "hold");
    private DelayDistribution delay = DelayDistribution.constant(0);

    @Setup
    public void choose() {
        random = RandomStream.of(7, "hold");
        delay = DelayDistribution.exponential((long) GAP_NS * pending);
    }

    /** A wheel with a horizon of three to seven mean delays. */
    @State(Scope.Benchmark)
    public static class Fitted extends Wheel {
        @Setup
        public void fill(HoldBenchmark benchmark) {
            int slots = Integer.highestOneBit(7 * GAP_NS / SLOT_NS * benchmark.pending);
            fill(benchmark, new EventQueue(SLOT_NS, slots));
        }
    }

    /** The wheel of a queue made without arguments, which is too small for the longer delays. */
    @State(Scope.Benchmark)
    public static class AsMade extends Wheel {
        @Setup
        public void fill(HoldBenchmark benchmark) {
            fill(benchmark, new EventQueue());
        }
    }

    /** What the two have in common. */
    public abstract static class Wheel implements EventHandler {
        private EventQueue queue = new EventQueue();
        private RandomStream random = RandomStream.of(0, "hold");
        private DelayDistribution delay = DelayDistribution.constant(0);
        private int left;

        final void fill(HoldBenchmark benchmark, EventQueue empty) {
            queue = empty;
            random = benchmark.random;
            delay = benchmark.delay;
            for (int i = 0; i < benchmark.pending; i++) {
                queue.schedule(queue.register(this, i), delay.sampleNs(random));
            }
        }

        final long run() {
            left = EVENTS;
            return queue.runUntil(Long.MAX_VALUE);
        }

        @Override
        public final void onEvent(int code) {
            queue.schedule(code, queue.nowNs() + delay.sampleNs(random));
            if (--left == 0) {
                queue.stop();
            }
        }
    }

    /** The yardstick. */
    @State(Scope.Benchmark)
    public static class Objects {
        private record Event(long timeNs, long sequence) {}

        private final PriorityQueue<Event> queue =
                new PriorityQueue<>(Comparator.comparingLong(Event::timeNs).thenComparingLong(Event::sequence));
        private long sequence;

        @Setup
        public void fill(HoldBenchmark benchmark) {
            for (int i = 0; i < benchmark.pending; i++) {
                queue.add(new Event(benchmark.delay.sampleNs(benchmark.random), sequence++));
            }
        }
    }

    /**
     * Runs events from a wheel that fits.
     *
     * @param wheel the queue
     * @return how many ran
     */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long fitted(Fitted wheel) {
        return wheel.run();
    }

    /**
     * Runs events from a wheel that was not fitted.
     *
     * @param wheel the queue
     * @return how many ran
     */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long asMade(AsMade wheel) {
        return wheel.run();
    }

    /**
     * Takes events from a heap of objects and puts them in again.
     *
     * @param objects the heap
     * @return the time
     */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long objects(Objects objects) {
        long nowNs = 0;
        for (int i = 0; i < EVENTS; i++) {
            nowNs = objects.queue.remove().timeNs();
            objects.queue.add(new Objects.Event(nowNs + delay.sampleNs(random), objects.sequence++));
        }
        return nowNs;
    }
}
