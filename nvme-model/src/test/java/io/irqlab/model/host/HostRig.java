package io.irqlab.model.host;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.Interrupts;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.model.nvme.NvmeController;
import io.irqlab.model.nvme.NvmeTiming;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.pcie.RootComplex;
import java.util.ArrayList;
import java.util.List;

/**
 * A host with CPUs, one or more drives and the driver, for tests of this package and of the workload. Nothing costs time
 * unless a test says so; the drives serve each read in 10 µs. Values may be changed until {@link #build}.
 */
public final class HostRig {
    public static final CpuCosts FREE = new CpuCosts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, VirtualizationCosts.BARE_METAL);

    public final EventQueue queue = new EventQueue();
    public final List<Cpu> cpus = new ArrayList<>();
    public final List<NvmeDriver> drivers = new ArrayList<>();
    public final List<Long> latencies = new ArrayList<>();

    public int cpuCount = 1;
    public int drives = 1;
    public int queues = 1;
    public int depth = 64;
    public CpuCosts cpuCosts = FREE;
    public DriverCosts driverCosts = new DriverCosts(0, 0, 0, 0);
    public DelayDistribution media = DelayDistribution.constant(10_000);
    public long maxIops = 1_000_000_000;
    public int commandSlots = 1_024;
    public FlowPolicy flow;
    public DriverPolicy policy;

    /** Puts the host together. */
    public HostRig build() {
        for (int number = 0; number < cpuCount; number++) {
            cpus.add(new Cpu(number, queue, cpuCosts));
        }
        var complex = new RootComplex("rc0", queue, 1, 0, 8);
        var timing = new NvmeTiming(media, maxIops, commandSlots, 0, 8, 1_000, 0);
        var machine = new CpuHotplug(cpus);
        var interrupts = new Interrupts(machine, queue, flow, report -> {});
        var irqPoll = new IrqPoll(machine, queue);
        for (int drive = 0; drive < drives; drive++) {
            int index = drive;
            var controller = new NvmeController(
                    "nvme" + drive,
                    queue,
                    timing,
                    new PcieLink(5, 4, 256),
                    complex,
                    queues,
                    depth,
                    driverCosts.mmioWriteNs(),
                    driverCosts.mmioReadNs(),
                    1,
                    queueIndex -> drivers.get(index).deliver(queueIndex));
            drivers.add(new NvmeDriver(
                    controller,
                    queue,
                    cpus,
                    interrupts,
                    irqPoll,
                    64 + drive * queues,
                    driverCosts,
                    policy,
                    latencies::add));
        }
        // The writes that unmasked the vectors were charged to each CPU's next step; let that pass.
        cpus.forEach(cpu -> cpu.raise(cpu.allocateVector("settle", running -> -1)));
        queue.runUntil(1_000_000);
        return this;
    }

    public NvmeDriver driver() {
        return drivers.get(0);
    }

    public NvmeQueue queue(int index) {
        return driver().queues().get(index);
    }

    public Cpu cpu(int number) {
        return cpus.get(number);
    }

    /** Runs for a time from now. */
    public void runFor(long durationNs) {
        queue.runUntil(queue.nowNs() + durationNs);
    }
}
