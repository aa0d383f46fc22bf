package io.irqlab.core.irq;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.spi.FlowPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The interrupt layer of one machine: its lines, the CPUs on which they fire, and what happens to all of them when a CPU goes
 * or comes, or the machine suspends. Belongs to its run's thread.
 */
public final class Interrupts implements CpuHotplug.Listener {
    /** How often lines that were switched off as spurious are looked at ({@code POLL_SPURIOUS_IRQ_INTERVAL}). */
    private static final long POLL_SPURIOUS_NS = 100_000_000;

    private final CpuHotplug machine;
    private final EventQueue queue;
    private final @Nullable FlowPolicy policy;
    private final Consumer<SpuriousIrq> reports;
    private final TreeMap<Integer, IrqDescriptor> descriptors = new TreeMap<>();
    private final TreeMap<Integer, PercpuIrq> percpu = new TreeMap<>();
    private final List<IrqDescriptor> wakeUps = new ArrayList<>();
    private final HrTimer spuriousPoll = HrTimer.unpinned(this::pollSpurious);
    private boolean suspended;

    /**
     * Creates the layer of a machine, without lines.
     *
     * @param machine the CPUs; the layer takes part in their coming and going
     * @param queue the run's events
     * @param policy the flow policy of the run, or null for none
     * @param reports takes a report of each line that is switched off because nobody cared for its interrupts
     */
    public Interrupts(
            CpuHotplug machine, EventQueue queue, @Nullable FlowPolicy policy, Consumer<SpuriousIrq> reports) {
        this.machine = machine;
        this.queue = queue;
        this.policy = policy;
        this.reports = reports;
        machine.add(this);
    }

    /**
     * Makes a line, disabled and masked. It fires on one CPU: of those allowed and online, the one with the fewest vectors.
     *
     * @param irq its Linux number, not used before
     * @param name its name
     * @param flow how its interrupts flow
     * @param chip the hardware behind it
     * @param affinity where it may fire
     * @return the descriptor
     * @throws IllegalArgumentException if none of the CPUs is online
     * @throws IllegalStateException if none of them has a free vector
     */
    public IrqDescriptor allocate(int irq, String name, FlowType flow, IrqChip chip, CpuMask affinity) {
        checkUnused(irq);
        checkArgument(anyOnline(affinity), "none of the CPUs %s for irq %s (%s) is online", affinity, irq, name);
        checkState(
                target(affinity, false) != null,
                "none of the CPUs %s has a free vector for irq %s (%s)",
                affinity,
                irq,
                name);
        return add(irq, new IrqDescriptor(this, irq, name, flow, chip, affinity, false));
    }

    /**
     * Makes a line whose affinity the kernel manages ({@code PCI_IRQ_AFFINITY}): it fires on the first CPU of its group that is
     * online, nobody can change that, and it is shut down while all of them are offline.
     *
     * @param irq its Linux number, not used before
     * @param name its name
     * @param flow how its interrupts flow
     * @param chip the hardware behind it
     * @param group its CPUs, see {@link ManagedAffinity}
     * @return the descriptor
     * @throws IllegalStateException if some of its CPUs are online and none of those has a free vector
     */
    public IrqDescriptor allocateManaged(int irq, String name, FlowType flow, IrqChip chip, CpuMask group) {
        checkUnused(irq);
        checkArgument(!group.isEmpty(), "the group of irq %s (%s) is empty", irq, name);
        checkState(
                target(group, true) != null || !anyOnline(group),
                "none of the CPUs %s has a free vector for irq %s (%s)",
                group,
                irq,
                name);
        return add(irq, new IrqDescriptor(this, irq, name, flow, chip, group, true));
    }

    private IrqDescriptor add(int irq, IrqDescriptor descriptor) {
        descriptors.put(irq, descriptor);
        return descriptor;
    }

    private void checkUnused(int irq) {
        checkState(!descriptors.containsKey(irq) && !percpu.containsKey(irq), "irq %s is in use", irq);
    }

    /**
     * Makes an interrupt that every CPU has for itself, disabled on all of them.
     *
     * @param irq its Linux number, not used before
     * @param name its name
     * @param handler its code in hardirq context, on each CPU; the CPU that it gets tells apart what is whose
     * @return the interrupt
     */
    public PercpuIrq allocatePercpu(int irq, String name, Routine handler) {
        checkUnused(irq);
        var made = new PercpuIrq(irq, name, handler, cpus());
        percpu.put(irq, made);
        return made;
    }

    /**
     * Returns the machine's lines.
     *
     * @return in the order of their numbers
     */
    public List<IrqDescriptor> lines() {
        return List.copyOf(descriptors.values());
    }

    List<Cpu> cpus() {
        return machine.cpus();
    }

    EventQueue events() {
        return queue;
    }

    CpuMask online() {
        return CpuMask.of(
                cpus().stream().filter(Cpu::online).mapToInt(Cpu::number).toArray());
    }

    boolean anyOnline(CpuMask mask) {
        return machine.firstOnline(mask) != null;
    }

    /**
     * Where a line goes, of the CPUs that are online and have a free vector: a managed one to the first, another to that with
     * the fewest vectors.
     */
    @Nullable
    Cpu target(CpuMask mask, boolean managed) {
        Cpu best = null;
        for (Cpu cpu : cpus()) {
            if (!cpu.online() || !mask.contains(cpu.number()) || !cpu.hasFreeVector()) {
                continue;
            }
            if (managed) {
                return cpu;
            }
            if (best == null
                    || cpu.deviceVectors().size() < best.deviceVectors().size()) {
                best = cpu;
            }
        }
        return best;
    }

    boolean opensWindow(IrqDescriptor descriptor, Cpu running) {
        return policy != null && descriptor.moderatable() && policy.onHandled(descriptor, running);
    }

    void nobodyCared(IrqDescriptor descriptor, Cpu running) {
        reports.accept(new SpuriousIrq(
                descriptor.irq(), descriptor.name(), running.number(), queue.nowNs(), descriptor.handlerNames()));
        if (!spuriousPoll.queued()) {
            spuriousPoll.arm(running, POLL_SPURIOUS_NS, 0);
        }
    }

    private void pollSpurious(Cpu running) {
        boolean any = false;
        for (IrqDescriptor descriptor : descriptors.values()) {
            any |= descriptor.spuriousDisabled();
            descriptor.poll();
        }
        if (any) {
            spuriousPoll.forward(running, POLL_SPURIOUS_NS);
        }
    }

    // ---- CPUs go and come

    @Override
    public void offline(Cpu dying, Cpu survivor) {
        if (policy != null) {
            policy.onCpuOffline(dying.number(), survivor);
        }
        for (IrqDescriptor descriptor : descriptors.values()) {
            descriptor.leave(dying, survivor);
        }
        for (PercpuIrq each : percpu.values()) {
            each.leave(dying);
        }
    }

    @Override
    public void online(Cpu cpu) {
        for (IrqDescriptor descriptor : descriptors.values()) {
            descriptor.returnTo(cpu, cpu);
        }
        for (PercpuIrq each : percpu.values()) {
            each.returnTo(cpu);
        }
        if (policy != null) {
            policy.onCpuOnline(cpu.number(), cpu);
        }
    }

    // ---- suspend and resume

    /**
     * Disables every line for the time in which the machine is suspended ({@code suspend_device_irqs}), but those of handlers
     * that said {@link IrqFlag#NO_SUSPEND}; those that may wake it are armed instead. An event that comes meanwhile is
     * remembered. Handlers that run are not waited for: a caller that needs it asks {@link IrqDescriptor#quiet}.
     *
     * @param running the CPU that executes the call
     */
    public void suspendDeviceIrqs(Cpu running) {
        checkState(!suspended, "the device interrupts are suspended already");
        suspended = true;
        wakeUps.clear();
        if (policy != null) {
            policy.onSuspend(running);
        }
        for (IrqDescriptor descriptor : descriptors.values()) {
            descriptor.suspend(running);
        }
    }

    /**
     * Enables the lines again ({@code resume_device_irqs}); what came meanwhile is replayed.
     *
     * @param running the CPU that executes the call
     */
    public void resumeDeviceIrqs(Cpu running) {
        checkState(suspended, "the device interrupts are not suspended");
        suspended = false;
        for (IrqDescriptor descriptor : descriptors.values()) {
            descriptor.resume(running);
        }
        if (policy != null) {
            policy.onResume(running);
        }
    }

    void wokenUpBy(IrqDescriptor descriptor) {
        wakeUps.add(descriptor);
    }

    /**
     * Returns the lines that would have woken the machine since it was last suspended.
     *
     * @return in the order in which their events came
     */
    public List<IrqDescriptor> wakeUps() {
        return List.copyOf(wakeUps);
    }

    /**
     * Returns the counts of all interrupts in the layout of {@code /proc/interrupts}.
     *
     * @return the lines, each ending in a newline
     */
    public String procInterrupts() {
        return new ProcInterrupts(cpus(), descriptors.values(), percpu.values()).print();
    }
}
