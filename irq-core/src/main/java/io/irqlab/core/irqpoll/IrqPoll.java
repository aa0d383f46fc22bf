package io.irqlab.core.irqpoll;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.engine.EventQueue;

/** The irq_poll core of a machine: a list of scheduled instances on each CPU, and the softirq that polls them. */
public final class IrqPoll implements CpuHotplug.Listener {
    /** The most completions of one run of the softirq, over all instances ({@code irq_poll_budget}). */
    public static final int BUDGET = 256;

    private final ImmutableList<PollList> lists;

    /**
     * Creates the core and opens its softirq on every CPU.
     *
     * @param machine the CPUs; the lists of one that goes offline move to another
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
        if (lists.get(dying.number()).moveAllTo(lists.get(survivor.number()))) {
            survivor.raiseSoftirq(Softirq.IRQ_POLL);
        }
    }

    @Override
    public void online(Cpu cpu) {
        // Its list is empty; what is scheduled there from now on is polled there.
    }
}
