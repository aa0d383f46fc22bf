package io.irqlab.core.napi;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;

/** NAPI of a machine: a list of scheduled instances on each CPU, and the softirq that polls them. */
public final class Napi implements CpuHotplug.Listener {
    /** The most packets of one run of the softirq, over all instances ({@code net.core.netdev_budget}). */
    public static final int BUDGET = 300;
    /** The longest run of the softirq ({@code net.core.netdev_budget_usecs}), counted in jiffies: 1 to 2 ms. */
    public static final long BUDGET_NS = 2_000_000;

    private final ImmutableList<NapiList> lists;
    /** Makes the survivor of a CPU that went offline take over; as a timer it moves on if the survivor goes too. */
    private final HrTimer takeOver = HrTimer.unpinned(this::takeOver);

    /**
     * Creates the core and opens its softirq on every CPU.
     *
     * @param machine the CPUs; another takes over the list of one that goes offline, in an interrupt of its own
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
     * Returns how often a run of the softirq ended because its budget or time was used up ({@code time_squeeze} of
     * {@code /proc/net/softnet_stat}). As in the kernel, that nothing was left is no excuse, and the end of a run whose
     * instances have all used their weight does not count.
     *
     * @param cpu which CPU
     * @return a count since the run began
     */
    public long squeezed(Cpu cpu) {
        return lists.get(cpu.number()).squeezed();
    }

    @Override
    public void offline(Cpu dying, Cpu survivor) {
        if (!lists.get(dying.number()).isEmpty()) {
            takeOver.arm(survivor, 0, 0);
        }
    }

    private void takeOver(Cpu running) {
        NapiList own = lists.get(running.number());
        for (NapiList list : lists) {
            if (!list.cpu.online()) {
                list.moveAllTo(own);
            }
        }
        running.raiseSoftirq(Softirq.NET_RX);
    }

    @Override
    public void online(Cpu cpu) {
        // What it had is with another CPU, or is polled here if that did not come to it.
    }
}
