package io.irqlab.model.nvme;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.model.pcie.MsixVector;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.pcie.RootComplex;
import io.irqlab.model.pcie.UpstreamWriter;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An NVMe controller at work: it fetches commands from its submission queues in turn, serves as many at once as it has
 * slots, and writes data, completion entry and interrupt message up through its link and root port.
 *
 * <p>A slot is taken when a command is fetched and freed when its completion has passed the root complex, so a controller
 * behind a saturated root complex stops fetching, and its submission queues fill. Commands pass a front end that serves
 * them one by one at the drive's greatest rate, then the media, all in parallel.
 */
public final class NvmeController implements EventHandler, UpstreamWriter, NvmeDrive {
    private static final int APPLY_FEATURE = -1;
    private static final long PICOS_PER_SECOND = 1_000_000_000_000L;

    private final String name;
    private final EventQueue queue;
    private final NvmeTiming timing;
    private final PcieLink link;
    private final DelayDistribution media;
    private final RandomStream random;
    private final RootComplex.Port port;
    private final ImmutableList<IoQueue> queues;
    private final MsiSink sink;
    private final long commandPs;

    private final int[] mediaEvents;
    private final int[] slotQueue;
    private final int[] slotCommandId;
    private final long[] slotBytes;
    private final int[] slotSqHead;
    private final int[] freeSlots;
    private int freeSlotCount;
    private final ReadyQueues ready;
    private int turn;
    private int burst;
    private long frontEndFreePs;
    private long linkFreeNs;
    private int heldCompletions;

    private final int featureEvent;
    private InterruptCoalescing coalescing = InterruptCoalescing.OFF;
    private @Nullable InterruptCoalescing nextCoalescing;
    private final ArrayDeque<InterruptCoalescing> laterCoalescing = new ArrayDeque<>(1);
    private long msis;
    private long completed;

    /**
     * Creates a controller with its I/O queues.
     *
     * @param name its name
     * @param queue the run's events
     * @param timing what it can do and how fast
     * @param link its link
     * @param rootComplex the root complex that it sits below
     * @param queueCount its I/O queues, each with a vector of its own
     * @param queueDepth entries of each ring
     * @param mmioWriteNs CPU time of a register write
     * @param mmioReadNs CPU time of a register read
     * @param seed the run's seed
     * @param sink where its interrupt messages go
     */
    public NvmeController(
            String name,
            EventQueue queue,
            NvmeTiming timing,
            PcieLink link,
            RootComplex rootComplex,
            int queueCount,
            int queueDepth,
            long mmioWriteNs,
            long mmioReadNs,
            long seed,
            MsiSink sink) {
        this.name = name;
        this.queue = queue;
        this.timing = timing;
        this.link = link;
        this.media = timing.media();
        this.random = RandomStream.of(seed, name + "/media");
        this.port = rootComplex.port(this);
        this.sink = sink;
        this.commandPs = (PICOS_PER_SECOND + timing.maxIops() - 1) / timing.maxIops();
        int slots = timing.commandSlots();
        this.mediaEvents = new int[slots];
        this.slotQueue = new int[slots];
        this.slotCommandId = new int[slots];
        this.slotBytes = new long[slots];
        this.slotSqHead = new int[slots];
        this.freeSlots = new int[slots];
        for (int slot = 0; slot < slots; slot++) {
            mediaEvents[slot] = queue.register(this, slot);
            freeSlots[freeSlotCount++] = slots - 1 - slot;
        }
        this.ready = new ReadyQueues(queueCount);
        this.featureEvent = queue.register(this, APPLY_FEATURE);
        ImmutableList.Builder<IoQueue> builder = ImmutableList.builder();
        for (int index = 0; index < queueCount; index++) {
            var vector = new MsixVector(index, port, mmioWriteNs, mmioReadNs, this::sendBareMsi);
            builder.add(new IoQueue(queueDepth, vector, new VectorCoalescer(queue, index, this::coalescingTimeIsOver)));
        }
        this.queues = builder.build();
    }

    /**
     * Returns the I/O queues.
     *
     * @return by index, from 0
     */
    public List<IoQueue> queues() {
        return queues;
    }

    // ---- doorbells

    /**
     * The host writes a submission queue's tail doorbell.
     *
     * @param queueIndex the I/O queue
     */
    public void ringSubmission(int queueIndex) {
        SubmissionQueue submissions = queues.get(queueIndex).submissions();
        submissions.ringDoorbell(submissions.tail());
        if (submissions.hasEntry()) {
            ready.add(queueIndex);
            fetch();
        }
    }

    /**
     * The host writes a completion queue's head doorbell.
     *
     * @param queueIndex the I/O queue
     */
    public void ringCompletion(int queueIndex) {
        CompletionQueue completions = queues.get(queueIndex).completions();
        completions.ringDoorbell(completions.head());
        if (heldCompletions > 0) {
            releaseHeld(queues.get(queueIndex));
        }
    }

    // ---- fetching

    /** Fetches commands while slots are free, up to a burst from each submission queue in turn. */
    private void fetch() {
        while (freeSlotCount > 0) {
            int next = ready.firstFrom(turn);
            if (next < 0) {
                return;
            }
            if (next != turn) {
                turn = next;
                burst = 0;
            }
            SubmissionQueue submissions = queues.get(next).submissions();
            begin(next, submissions);
            burst++;
            if (!submissions.hasEntry()) {
                ready.remove(next);
            }
            if (burst == timing.fetchBurst()) {
                turn = next + 1 == queues.size() ? 0 : next + 1;
                burst = 0;
            }
        }
    }

    private void begin(int queueIndex, SubmissionQueue submissions) {
        int slot = freeSlots[--freeSlotCount];
        slotQueue[slot] = queueIndex;
        slotCommandId[slot] = submissions.headCommandId();
        slotBytes[slot] = submissions.headBytes();
        submissions.fetched();
        long arrivalPs = (queue.nowNs() + timing.fetchNs()) * 1_000;
        long startPs = Math.max(arrivalPs, frontEndFreePs);
        frontEndFreePs = startPs + commandPs;
        queue.schedule(mediaEvents[slot], (frontEndFreePs + 999) / 1_000 + media.sampleNs(random));
    }

    // ---- completing

    @Override
    public void onEvent(int code) {
        if (code == APPLY_FEATURE) {
            applyFeature();
            return;
        }
        if (queues.get(slotQueue[code]).completions().reserve()) {
            sendUp(code);
        } else {
            heldCompletions++;
            queues.get(slotQueue[code]).hold(code);
        }
    }

    private void releaseHeld(IoQueue ioQueue) {
        while (ioQueue.holds() && ioQueue.completions().reserve()) {
            heldCompletions--;
            sendUp(ioQueue.release());
        }
    }

    private void sendUp(int slot) {
        linkFreeNs = Math.max(linkFreeNs, queue.nowNs()) + link.transferNs(link.upstreamBytesOfRead(slotBytes[slot]));
        port.write(slot, slotBytes[slot], linkFreeNs);
    }

    @Override
    public void onAdmitted(int write) {
        if (write >= 0) {
            slotSqHead[write] = queues.get(slotQueue[write]).submissions().head();
        }
    }

    @Override
    public boolean onServing(int write, long visibleNs) {
        if (write < 0) {
            return queues.get(queueOfBareMsi(write)).vector().signal();
        }
        IoQueue ioQueue = queues.get(slotQueue[write]);
        ioQueue.completions().post(slotCommandId[write], slotSqHead[write], visibleNs);
        completed++;
        return ioQueue.coalescer().onCompletion(coalescing) && ioQueue.vector().signal();
    }

    @Override
    public void onServed(int write, boolean withMsi) {
        int queueIndex = write < 0 ? queueOfBareMsi(write) : slotQueue[write];
        if (write >= 0) {
            freeSlots[freeSlotCount++] = write;
            fetch();
        }
        if (withMsi) {
            msis++;
            sink.deliver(queueIndex);
        }
    }

    // ---- interrupts without a completion of their own

    private void coalescingTimeIsOver(int queueIndex) {
        sendBareMsi(queueIndex);
    }

    private void sendBareMsi(int queueIndex) {
        linkFreeNs = Math.max(linkFreeNs, queue.nowNs()) + link.transferNs(PcieLink.TLP_OVERHEAD_BYTES);
        port.write(-1 - queueIndex, 0, linkFreeNs);
    }

    private static int queueOfBareMsi(int write) {
        return -1 - write;
    }

    // ---- features

    @Override
    public void setInterruptCoalescing(InterruptCoalescing value) {
        if (nextCoalescing != null) {
            laterCoalescing.add(value);
            return;
        }
        beginFeature(value);
    }

    private void beginFeature(InterruptCoalescing value) {
        nextCoalescing = value;
        queue.schedule(featureEvent, queue.nowNs() + timing.setFeaturesNs());
    }

    private void applyFeature() {
        InterruptCoalescing value = nextCoalescing;
        nextCoalescing = null;
        InterruptCoalescing later = laterCoalescing.poll();
        if (later != null) {
            beginFeature(later);
        }
        if (value == null || value.equals(coalescing)) {
            return;
        }
        coalescing = value;
        long stalledUntilPs = (queue.nowNs() + timing.featureStallNs()) * 1_000;
        frontEndFreePs = Math.max(frontEndFreePs, stalledUntilPs);
        for (int index = 0; index < queues.size(); index++) {
            if (queues.get(index).coalescer().flush()) {
                sendBareMsi(index);
            }
        }
    }

    @Override
    public InterruptCoalescing interruptCoalescing() {
        return coalescing;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns how many interrupt messages it sent.
     *
     * @return a count since the run began
     */
    public long msis() {
        return msis;
    }

    /**
     * Returns how many completion entries it wrote.
     *
     * @return a count since the run began
     */
    public long completed() {
        return completed;
    }
}
