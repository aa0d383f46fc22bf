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
    /** Its handler; the CPU tells apart what is whose. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Runs the next step on one CPU.
         *
         * @param cpu the CPU
         * @return nanoseconds until the next step, or {@link Routine#DONE} when the handler returns
         */
        long step(Cpu cpu);
    }

    private final int irq;
    private final String name;
    private final Vector[] vectors;
    private final boolean[] enabled;
    private final boolean[] pending;

    PercpuIrq(int irq, String name, Handler handler, List<Cpu> cpus) {
        this.irq = irq;
        this.name = name;
        this.vectors = cpus.stream()
                .map(cpu -> cpu.allocateVector(name, handler::step))
                .toArray(Vector[]::new);
        this.enabled = new boolean[vectors.length];
        this.pending = new boolean[vectors.length];
    }

    /**
     * Enables it on the running CPU ({@code enable_percpu_irq}); an event that came while it was disabled is taken now.
     *
     * @param running the CPU that executes the call
     */
    public void enable(Cpu running) {
        int cpu = running.number();
        checkState(!enabled[cpu], "irq %s (%s) is enabled on cpu %s already", irq, name, cpu);
        enabled[cpu] = true;
        takePending(running);
    }

    private void takePending(Cpu cpu) {
        if (pending[cpu.number()]) {
            pending[cpu.number()] = false;
            cpu.raise(vectors[cpu.number()]);
        }
    }

    /** A CPU is back, and has it enabled as it had before. */
    void online(Cpu cpu) {
        if (enabled[cpu.number()]) {
            takePending(cpu);
        }
    }

    /**
     * Disables it on the running CPU ({@code disable_percpu_irq}).
     *
     * @param running the CPU that executes the call
     */
    public void disable(Cpu running) {
        enabled[running.number()] = false;
    }

    /**
     * Raises it on a CPU; while it is disabled there or the CPU is offline, the event is kept, once.
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
        return vectors[cpu].count();
    }
}
