package io.irqlab.model.host;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.LatencyRecorder;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.FlowType;
import io.irqlab.core.irq.Interrupts;
import io.irqlab.core.irq.IrqDescriptor;
import io.irqlab.core.irq.ManagedAffinity;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.model.nvme.NvmeController;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The NVMe driver's view of one drive ({@code nvme-pci}): an I/O queue for each group of CPUs, with an interrupt on the
 * group's first CPU; and the block layer's account of what is in flight.
 */
public final class NvmeDriver {
    private final NvmeController controller;
    private final EventQueue clock;
    private final ManagedAffinity groups;
    private final ImmutableList<NvmeQueue> queues;
    private final LatencyRecorder latencies;
    private boolean measuring;
    private int inFlight;
    private long inFlightSinceNs;
    private long inFlightTimeNs;
    private long completed;
    private long completedBytes;

    /**
     * Creates the driver's part for a drive, and requests its interrupts.
     *
     * @param controller the drive
     * @param clock the run's events
     * @param cpus the machine's CPUs
     * @param interrupts the machine's interrupt layer
     * @param irqPoll the machine's irq_poll
     * @param firstIrq the Linux irq number of its first I/O queue; the others follow
     * @param costs what the driver's actions cost
     * @param policy the driver policy, or null for the stock driver
     * @param latencies takes the latencies of the measured part of the run
     */
    public NvmeDriver(
            NvmeController controller,
            EventQueue clock,
            List<Cpu> cpus,
            Interrupts interrupts,
            IrqPoll irqPoll,
            int firstIrq,
            DriverCosts costs,
            @Nullable DriverPolicy policy,
            LatencyRecorder latencies) {
        this.controller = controller;
        this.clock = clock;
        this.latencies = latencies;
        int count = controller.queues().size();
        this.groups = new ManagedAffinity(cpus.size(), count);
        ImmutableList.Builder<NvmeQueue> builder = ImmutableList.builder();
        for (int index = 0; index < count; index++) {
            // Linux numbers a controller's queues from 1, since 0 is the admin queue.
            String name = controller.name() + "q" + (index + 1);
            IrqDescriptor descriptor = interrupts.allocateManaged(
                    firstIrq + index,
                    name,
                    FlowType.EDGE,
                    controller.queues().get(index).vector(),
                    groups.mask(index));
            builder.add(new NvmeQueue(controller, index, descriptor, clock, costs, irqPoll, policy));
        }
        this.queues = builder.build();
    }

    /**
     * Delivers an interrupt message of the drive.
     *
     * @param queue the I/O queue's index
     */
    public void deliver(int queue) {
        queues.get(queue).descriptor().raise();
    }

    /**
     * Returns the queue to which a CPU submits.
     *
     * @param cpu the CPU
     * @return the queue of its group
     */
    public NvmeQueue queueOf(Cpu cpu) {
        return queues.get(groups.groupOf(cpu.number()));
    }

    /**
     * Counts a request as in flight from now on.
     *
     * @param request it goes to this drive
     */
    public void issued(BlockRequest request) {
        accountInFlight();
        inFlight++;
        request.issued(clock.nowNs());
    }

    /**
     * Counts a request as done: its submitter has taken its completion.
     *
     * @param request it went to this drive
     */
    public void reaped(BlockRequest request) {
        accountInFlight();
        inFlight--;
        completed++;
        completedBytes += request.bytes();
        if (measuring) {
            latencies.record(clock.nowNs() - request.issuedNs());
        }
    }

    private void accountInFlight() {
        long now = clock.nowNs();
        inFlightTimeNs += inFlight * (now - inFlightSinceNs);
        inFlightSinceNs = now;
    }

    /** Begins the measured part of the run: latencies are recorded from now on. */
    public void startMeasuring() {
        measuring = true;
    }

    /**
     * Returns the sum over time of the requests in flight.
     *
     * @return request-nanoseconds since the run began
     */
    public long inFlightTimeNs() {
        accountInFlight();
        return inFlightTimeNs;
    }

    /**
     * Returns how many requests their submitters have reaped.
     *
     * @return a count since the run began
     */
    public long completed() {
        return completed;
    }

    /**
     * Returns how much those read.
     *
     * @return bytes since the run began
     */
    public long completedBytes() {
        return completedBytes;
    }

    /**
     * Returns the drive.
     *
     * @return the controller
     */
    public NvmeController controller() {
        return controller;
    }

    /**
     * Returns the I/O queues.
     *
     * @return by index, from 0
     */
    public List<NvmeQueue> queues() {
        return queues;
    }
}
