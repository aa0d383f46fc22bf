package io.irqlab.core.irq;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import org.jspecify.annotations.Nullable;

/**
 * The state of one interrupt ({@code irq_desc}). It starts without a handler, disabled and masked. Belongs to its run's
 * thread, which also stands for {@code desc->lock}: each call is atomic.
 */
public final class IrqDescriptor implements IrqLine {
    /** Real-time priority of irq threads ({@code MAX_RT_PRIO / 2}). */
    public static final int THREAD_PRIORITY = 50;

    final @Nullable FlowPolicy policy;
    private final int irq;
    private final String name;
    private final Cpu cpu;
    private final IrqChip chip;
    private final Vector vector;
    private @Nullable IrqAction action;
    private @Nullable Task thread;
    private boolean threadWanted;
    private boolean threadRuns;
    private int depth = 1;
    private boolean masked = true;
    private boolean pending;
    private boolean inProgress;
    private boolean moderated;
    private long handled;
    private long refused;
    private long unhandled;

    /**
     * Creates a descriptor and allocates its vector.
     *
     * @param irq the interrupt's number
     * @param name its name
     * @param cpu its effective CPU
     * @param chip the hardware behind it
     * @param policy the flow policy of the run, or null for none
     */
    public IrqDescriptor(int irq, String name, Cpu cpu, IrqChip chip, @Nullable FlowPolicy policy) {
        this.irq = irq;
        this.name = name;
        this.cpu = cpu;
        this.chip = chip;
        this.policy = policy;
        this.vector = cpu.allocateVector(name, new EdgeFlow(this));
    }

    /**
     * Installs the handler, with a thread for it, and enables the line ({@code request_threaded_irq}).
     *
     * @param newAction the handler
     * @param running the CPU that executes the call
     */
    public void requestIrq(IrqAction newAction, Cpu running) {
        checkState(action == null, "irq %s (%s) has a handler already and is not shared", irq, name);
        action = newAction;
        thread = Task.fifo(cpu, "irq/" + irq + "-" + name, THREAD_PRIORITY, this::threadStep);
        enable(running);
    }

    @Override
    public void disable(PolicyCpu running) {
        depth++;
    }

    @Override
    public void enable(PolicyCpu running) {
        checkState(depth > 0, "unbalanced enable of irq %s (%s)", irq, name);
        depth--;
        if (depth > 0) {
            return;
        }
        if (masked) {
            unmask((Cpu) running);
        }
        if (pending) {
            pending = false;
            cpu.raise(vector);
        }
    }

    @Override
    public boolean moderatable() {
        return true;
    }

    @Override
    public void moderate(PolicyCpu running) {
        checkState(!moderated, "irq %s (%s) is moderated already", irq, name);
        inProgress = true;
        moderated = true;
        disable(running);
    }

    @Override
    public void unmoderate(PolicyCpu running) {
        checkState(moderated, "irq %s (%s) is not moderated", irq, name);
        inProgress = false;
        moderated = false;
        if (action != null) {
            enable(running);
        }
    }

    // ---- what the flow handler does

    boolean canHandle() {
        return action != null && depth == 0 && !inProgress;
    }

    /** Remembers an event that cannot be handled now, and stops the source. */
    void refuse(Cpu running) {
        refused++;
        pending = true;
        chip.ack(running);
        if (!masked) {
            masked = true;
            chip.mask(running);
        }
    }

    void acknowledge(Cpu running) {
        handled++;
        chip.ack(running);
    }

    void beginHandling() {
        pending = false;
        inProgress = true;
    }

    long handlerStep(Cpu running) {
        IrqAction installed = action;
        checkState(installed != null, "irq %s (%s) lost its handler while it was in progress", irq, name);
        return installed.handlerStep(running);
    }

    void endHandling(Cpu running) {
        inProgress = false;
        IrqAction installed = action;
        Task irqThread = thread;
        if (installed == null || irqThread == null) {
            return;
        }
        switch (installed.result()) {
            case WAKE_THREAD -> {
                threadWanted = true;
                irqThread.wake(running);
            }
            case NONE -> unhandled++;
            case HANDLED -> {}
        }
    }

    /** The thread's loop: one call of the thread function for each time it was wanted ({@code IRQTF_RUNTHREAD}). */
    private long threadStep(Cpu running) {
        IrqAction installed = action;
        if (installed == null || !(threadRuns || threadWanted)) {
            return Routine.DONE;
        }
        if (!threadRuns) {
            threadRuns = true;
            threadWanted = false;
        }
        long durationNs = installed.threadStep(running);
        if (durationNs != Routine.DONE || thread().sleeping()) {
            return durationNs;
        }
        threadRuns = false;
        return threadWanted ? 0 : Routine.DONE;
    }

    /** Whether an event arrived while the handler ran, and can be handled now. */
    boolean mustHandleAgain() {
        return pending && depth == 0;
    }

    void unmaskForReplay(Cpu running) {
        if (masked) {
            unmask(running);
        }
    }

    private void unmask(Cpu running) {
        masked = false;
        chip.unmask(running);
    }

    // ---- what is known of it

    @Override
    public int irq() {
        return irq;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the CPU that takes the interrupt.
     *
     * @return the effective CPU
     */
    public Cpu cpu() {
        return cpu;
    }

    /**
     * Returns the vector to raise on that CPU.
     *
     * @return the vector
     */
    public Vector vector() {
        return vector;
    }

    /**
     * Returns the irq thread.
     *
     * @return the thread
     * @throws IllegalStateException before {@link #requestIrq}
     */
    public Task thread() {
        Task irqThread = thread;
        checkState(irqThread != null, "irq %s (%s) has no handler", irq, name);
        return irqThread;
    }

    /**
     * Returns how many more disables than enables there were.
     *
     * @return zero if the line is enabled
     */
    public int depth() {
        return depth;
    }

    /**
     * Returns whether the chip keeps the source from sending.
     *
     * @return true if masked
     */
    public boolean masked() {
        return masked;
    }

    /**
     * Returns whether an event waits for the line to be enabled.
     *
     * @return true if pending
     */
    public boolean pending() {
        return pending;
    }

    /**
     * Returns whether a handler runs, or the line is inside a window.
     *
     * @return true if in progress
     */
    public boolean inProgress() {
        return inProgress;
    }

    /**
     * Returns how often handlers were called for it; what {@code /proc/interrupts} counts.
     *
     * @return a count since the run began
     */
    public long handled() {
        return handled;
    }

    /**
     * Returns how often it came while it could not be handled (disabled, or inside a window).
     *
     * @return a count since the run began; {@code /proc/interrupts} does not show these
     */
    public long refused() {
        return refused;
    }

    /**
     * Returns how often its handler said that there was nothing to do.
     *
     * @return a count since the run began
     */
    public long unhandled() {
        return unhandled;
    }

    @Override
    public String toString() {
        return irq + ":" + name;
    }
}
