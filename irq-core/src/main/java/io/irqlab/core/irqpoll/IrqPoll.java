package io.irqlab.core.irqpoll;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;

/** The irq_poll core of a machine: a list of scheduled instances on each CPU, and the softirq that polls them. */
public final class IrqPoll implements CpuHotplug.Listener {
    /** The most completions of one run of the softirq, over all instances ({@code irq_poll_budget}). */
    public static final int BUDGET = 256;

    private final ImmutableList<PollList> lists;
    /** Makes the survivor of a CPU that went offline take over; as a timer it moves on if the survivor goes too. */
    private final HrTimer takeOver = HrTimer.unpinned(this::takeOver);

    /**
     * Creates the core and opens its softirq on every CPU.
     *
     * @param machine the CPUs; another takes over the list of one that goes offline, in an interrupt of its own
     * @param queue the run's events
     */
    public IrqPoll(CpuHotplug machine, EventQueue queue) {
        this.lists =
                machine.cpus().stream().map(cpu -> new PollList(cpu, queue)).collect(toImmutableList());
        machine.cpus().forEach(cpu -> cpu.openSoftirq(Softirq.IRQ_POLL, lists.get(cpu.number())));
        machine.add(this);
    }

    void add(PollInstance instance, Cpu running) {
        lists.get(running.number()).append(instance);
        running.raiseSoftirq(Softirq.IRQ_POLL);
    }

    @Override
    public void offline(Cpu dying, Cpu survivor) {
        if (!lists.get(dying.number()).isEmpty()) {
            takeOver.arm(survivor, 0, 0);
        }
    }

    private void takeOver(Cpu running) {
        PollList own = lists.get(running.number());
        for (PollList list : lists) {
            if (!list.cpu.online()) {
                list.moveAllTo(own);
            }
        }
        running.raiseSoftirq(Softirq.IRQ_POLL);
    }

    @Override
    public void online(Cpu cpu) {
        // What it had is with another CPU, or is polled here if that did not come to it.
    }
}
