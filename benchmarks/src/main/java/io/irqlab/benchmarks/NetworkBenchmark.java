package io.irqlab.benchmarks;

import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A closed network of the shape of an I/O load, in I/Os per second: 16 devices with 64 commands in flight each, and 16
 * CPUs. A command passes the doorbell, the media, the data transfer and the interrupt message by an event each; then a
 * CPU takes all completions that wait for it as one batch, and submits the commands again when it is done with them.
 *
 * <p>It is the engine that is measured: the model is as thin as can be.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class NetworkBenchmark {
    private static final int IOS = 20_000;
    private static final int DEVICES = 16;
    private static final int DEPTH = 64;
    private static final int COMMANDS = DEVICES * DEPTH;
    private static final int CPUS = 16;

    private static final long DOORBELL_NS = 400;
    private static final long TRANSFER_NS = 700;
    private static final long MESSAGE_NS = 500;
    private static final long ENTRY_NS = 800;
    private static final long COMPLETION_NS = 300;

    private final DelayDistribution media = DelayDistribution.logNormal(80_000, 0.3);
    private final RandomStream[] random = new RandomStream[DEVICES];
    private final Cpu[] cpus = new Cpu[CPUS];
    private final int[] events = new int[COMMANDS];
    private final Stage[] stages = new Stage[COMMANDS];
    private EventQueue queue = new EventQueue();
    private int left;

    private enum Stage {
        DOORBELL,
        MEDIA,
        TRANSFER,
        MESSAGE
    }

    /** How many events ran, beside the I/Os. */
    @State(Scope.Thread)
    @AuxCounters
    public static class Events {
        /** The count of this iteration. */
        public long events;

        /** Begins an iteration. */
        @Setup(Level.Iteration)
        public void clear() {
            events = 0;
        }
    }

    private final class Cpu implements EventHandler {
        private final int event = queue.register(this, 0);
        private int[] waiting = new int[COMMANDS];
        private int[] batch = new int[COMMANDS];
        private int waits;
        private int batchSize;

        void complete(int command) {
            waiting[waits++] = command;
            if (batchSize == 0) {
                begin();
            }
        }

        private void begin() {
            int[] taken = waiting;
            waiting = batch;
            batch = taken;
            batchSize = waits;
            waits = 0;
            if (batchSize > 0) {
                queue.schedule(event, queue.nowNs() + ENTRY_NS + batchSize * COMPLETION_NS);
            }
        }

        @Override
        public void onEvent(int code) {
            for (int i = 0; i < batchSize; i++) {
                submit(batch[i]);
            }
            left -= batchSize;
            if (left <= 0) {
                queue.stop();
            }
            begin();
        }
    }

    /** Builds the network and fills it. */
    @Setup
    public void build() {
        queue = new EventQueue();
        for (int cpu = 0; cpu < CPUS; cpu++) {
            cpus[cpu] = new Cpu();
        }
        for (int device = 0; device < DEVICES; device++) {
            random[device] = RandomStream.of(7, "device-" + device + "/media");
        }
        for (int command = 0; command < COMMANDS; command++) {
            events[command] = queue.register(this::advance, command);
            submit(command);
        }
    }

    private void submit(int command) {
        move(command, Stage.DOORBELL, DOORBELL_NS);
    }

    private void advance(int command) {
        switch (stages[command]) {
            case DOORBELL -> move(command, Stage.MEDIA, media.sampleNs(random[command / DEPTH]));
            case MEDIA -> move(command, Stage.TRANSFER, TRANSFER_NS);
            case TRANSFER -> move(command, Stage.MESSAGE, MESSAGE_NS);
            case MESSAGE -> cpus[command % CPUS].complete(command);
        }
    }

    private void move(int command, Stage stage, long delayNs) {
        stages[command] = stage;
        queue.schedule(events[command], queue.nowNs() + delayNs);
    }

    /**
     * Runs a batch of I/Os.
     *
     * @param counter counts the events
     * @return how many events ran
     */
    @Benchmark
    @OperationsPerInvocation(IOS)
    public long run(Events counter) {
        left += IOS;
        long ran = queue.runUntil(Long.MAX_VALUE);
        counter.events += ran;
        return ran;
    }
}
