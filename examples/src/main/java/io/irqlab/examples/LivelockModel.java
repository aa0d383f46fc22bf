package io.irqlab.examples;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.napi.Napi;
import io.irqlab.core.napi.NapiInstance;
import io.irqlab.core.napi.NapiPoll;

/** A network card whose packets come whether or not anybody has time for them, its driver, and a task that wants them. */
final class LivelockModel implements NapiPoll {
    /** How the driver receives. */
    enum Driver {
        /** In its hard handler, until the ring is empty. */
        HARDIRQ,
        /** In a NAPI poll with a budget. */
        POLL,
        /** In such a poll, which stops while the socket is three quarters full and goes on when a quarter is left. */
        POLL_WITH_FEEDBACK
    }

    /** Time of the driver and the protocol for a packet. */
    static final long RECEIVE_NS = 3_000;
    /** Time of the task for a packet. */
    static final long CONSUME_NS = 4_000;

    private static final int RING = 256;
    private static final int SOCKET = 256;

    private final EventQueue queue;
    private final DelayDistribution gap;
    private final RandomStream random;
    private final int arrival;
    private final Vector vector;
    private final Task consumer;
    private final NapiInstance napi;
    private final Driver driver;
    private boolean masked;
    private boolean held;
    private boolean receiving;
    private boolean consuming;
    private int work;
    private long ring;
    private long socket;
    private long arrived;
    private long dropped;
    private long delivered;

    LivelockModel(Cpu cpu, Napi core, EventQueue queue, Driver driver, long meanGapNs) {
        this.queue = queue;
        this.driver = driver;
        this.gap = DelayDistribution.exponential(meanGapNs);
        this.random = RandomStream.of(1, "nic/arrival");
        this.arrival = queue.register(code -> arrive(), 0);
        this.vector = cpu.allocateVector("nic", driver == Driver.HARDIRQ ? this::drain : this::schedule);
        this.consumer = Task.fair(cpu, "consumer", this::consume);
        this.napi = new NapiInstance(core, "nic", this);
        queue.schedule(arrival, gap.sampleNs(random));
    }

    private void arrive() {
        queue.schedule(arrival, queue.nowNs() + gap.sampleNs(random));
        arrived++;
        if (ring == RING) {
            dropped++;
        } else {
            ring++;
        }
        interrupt();
    }

    private void interrupt() {
        if (!masked) {
            vector.cpu().raise(vector);
        }
    }

    /** The hard handler that does it all: it returns when the ring is empty. */
    private long drain(Cpu cpu) {
        return receive(cpu) ? RECEIVE_NS : Routine.DONE;
    }

    /** The hard handler that leaves it to a poll. */
    private long schedule(Cpu cpu) {
        masked = true;
        napi.schedule(cpu);
        return Routine.DONE;
    }

    @Override
    public long step(Cpu cpu, int budget) {
        if (!receiving) {
            receiving = true;
            work = 0;
        }
        boolean full = driver == Driver.POLL_WITH_FEEDBACK && socket >= SOCKET * 3 / 4;
        if (work < budget && !full && receive(cpu)) {
            work++;
            return RECEIVE_NS;
        }
        receiving = false;
        if (work < budget && napi.completeDone(work, cpu)) {
            masked = full;
            held = full;
        }
        return Routine.DONE;
    }

    @Override
    public int work() {
        return work;
    }

    /** Moves a packet from the ring to the socket, if there is one; a full socket drops it, after all that work. */
    private boolean receive(Cpu cpu) {
        if (ring == 0) {
            return false;
        }
        ring--;
        if (socket == SOCKET) {
            dropped++;
        } else {
            socket++;
            consumer.wake(cpu);
        }
        return true;
    }

    private long consume(Cpu cpu) {
        if (consuming) {
            delivered++;
        }
        consuming = socket > 0;
        if (!consuming) {
            return Routine.DONE;
        }
        socket--;
        if (held && socket <= SOCKET / 4) {
            held = false;
            masked = false;
            if (ring > 0) {
                interrupt();
            }
        }
        cpu.spendInUser(CONSUME_NS);
        return 0;
    }

    long arrived() {
        return arrived;
    }

    long delivered() {
        return delivered;
    }

    long dropped() {
        return dropped;
    }

    /** Packets on their way: in the ring, in the socket, and with the task. */
    long queued() {
        return ring + socket + (consuming ? 1 : 0);
    }
}
