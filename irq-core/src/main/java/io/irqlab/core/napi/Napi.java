package io.irqlab.core.napi;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;

/** NAPI of a machine: a list of scheduled instances on each CPU, and the softirq that polls them. */
public final class Napi implements CpuHotplug.Listener {
    /** The most packets of one run of the softirq, over all instances ({@code net.core.netdev_budget}). */
    public static final int BUDGET = 300;
    /** The longest run of the softirq ({@code net.core.netdev_budget_usecs}). */
    public static final long BUDGET_NS = 2_000_000;

    private final ImmutableList<NapiList> lists;

    /**
     * Creates the core and opens its softirq on every CPU.
     *
     * @param machine the CPUs; the lists of one that goes offline move to another
     * @param queue the run's events
     */
    public Napi(CpuHotplug machine, EventQueue queue) {
        this.lists =
                machine.cpus().stream().map(cpu -> new NapiList(cpu, queue)).collect(toImmutableList());
        machine.cpus().forEach(cpu -> cpu.openSoftirq(Softirq.NET_RX, lists.get(cpu.number())));
        machine.add(this);
    }

    void add(NapiInstance instance, Cpu running) {
        lists.get(running.number()).append(instance);
        running.raiseSoftirq(Softirq.NET_RX);
    }

    /**
     * Returns how often a run of the softirq ended with work left, because its budget or time was used up
     * ({@code time_squeeze} of {@code /proc/net/softnet_stat}).
     *
     * @param cpu which CPU
     * @return a count since the run began
     */
    public long squeezed(Cpu cpu) {
        return lists.get(cpu.number()).squeezed();
    }

    @Override
    public void offline(Cpu dying, Cpu survivor) {
        if (lists.get(dying.number()).moveAllTo(lists.get(survivor.number()))) {
            survivor.raiseSoftirq(Softirq.NET_RX);
        }
    }

    @Override
    public void online(Cpu cpu) {
        // Its list is empty; what is scheduled there from now on is polled there.
    }
}
