package io.irqlab.core.irq;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Vector;
import java.util.List;

/**
 * An interrupt that every CPU has for itself, such as that of its timer or performance counters ({@code handle_percpu_irq}):
 * the handler may run on all CPUs at once, each CPU enables it for itself, and there is no affinity, no depth and no thread.
 */
public final class PercpuIrq {
    private final int irq;
    private final String name;
    private final Routine handler;
    private final Vector[] vectors;
    private final long[] handled;
    private final boolean[] running;
    private final boolean[] enabled;
    private final boolean[] pending;

    PercpuIrq(int irq, String name, Routine handler, List<Cpu> cpus) {
        this.irq = irq;
        this.name = name;
        this.handler = handler;
        this.vectors =
                cpus.stream().map(cpu -> cpu.allocateVector(name, this::step)).toArray(Vector[]::new);
        this.handled = new long[vectors.length];
        this.running = new boolean[vectors.length];
        this.enabled = new boolean[vectors.length];
        this.pending = new boolean[vectors.length];
    }

    private long step(Cpu cpu) {
        int here = cpu.number();
        if (!running[here]) {
            if (!enabled[here]) {
                pending[here] = true; // it was disabled while the vector waited
                return Routine.DONE;
            }
            running[here] = true;
            handled[here]++;
        }
        long durationNs = handler.step(cpu);
        running[here] = durationNs != Routine.DONE;
        return durationNs;
    }

    /** A CPU goes: what waits there waits until it is back. */
    void leave(Cpu dying) {
        pending[dying.number()] |= dying.withdraw(vectors[dying.number()]);
    }

    /** A CPU is back, and the interrupt as enabled there as it was. */
    void returnTo(Cpu back) {
        if (enabled[back.number()]) {
            takePending(back);
        }
    }

    private void takePending(Cpu cpu) {
        if (pending[cpu.number()]) {
            pending[cpu.number()] = false;
            cpu.raise(vectors[cpu.number()]);
        }
    }

    /**
     * Enables it on the running CPU ({@code enable_percpu_irq}); an event that came while it was disabled is taken now.
     *
     * @param running the CPU that executes the call
     */
    public void enable(Cpu running) {
        checkState(running.online(), "irq %s (%s) is enabled on cpu %s, which is offline", irq, name, running.number());
        int cpu = running.number();
        checkState(!enabled[cpu], "irq %s (%s) is enabled on cpu %s already", irq, name, cpu);
        enabled[cpu] = true;
        takePending(running);
    }

    /**
     * Disables it on the running CPU ({@code disable_percpu_irq}). A handler that runs there goes on.
     *
     * @param running the CPU that executes the call
     */
    public void disable(Cpu running) {
        enabled[running.number()] = false;
    }

    /**
     * Raises it on a CPU; while it is disabled there, or the CPU is offline, the event is kept, once.
     *
     * @param cpu the CPU
     */
    public void raise(Cpu cpu) {
        if (enabled[cpu.number()] && cpu.online()) {
            cpu.raise(vectors[cpu.number()]);
        } else {
            pending[cpu.number()] = true;
        }
    }

    /**
     * Returns the interrupt's number.
     *
     * @return the Linux irq number
     */
    public int irq() {
        return irq;
    }

    /**
     * Returns the interrupt's name.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns how often it was handled on one CPU.
     *
     * @param cpu the CPU's number
     * @return a count since the run began
     */
    public long handled(int cpu) {
        return handled[cpu];
    }

    /**
     * Returns whether an event waits on one CPU until the interrupt is enabled there, or the CPU is online.
     *
     * @param cpu the CPU's number
     * @return true if so
     */
    public boolean pending(int cpu) {
        return pending[cpu];
    }

    /**
     * Returns whether it is enabled on one CPU.
     *
     * @param cpu the CPU's number
     * @return true if so
     */
    public boolean enabled(int cpu) {
        return enabled[cpu];
    }
}
