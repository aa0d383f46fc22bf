package io.irqlab.core.spi;

/**
 * A policy of the flow layer: it sees every handled interrupt of every CPU and may open a window for its line.
 *
 * <p>The hooks for CPUs that go and come and for suspend are called by {@code io.irqlab.core.irq.Interrupts}; no scenario asks for
 * either so far.
 */
public interface FlowPolicy extends Policy {

    /**
     * Called in hardirq context when the handlers of an edge or fasteoi interrupt have run, before the flow handler looks
     * at events that arrived meanwhile. Lines that are not {@linkplain IrqLine#moderatable moderatable} are left out.
     *
     * @param line the interrupt
     * @param cpu the CPU on which it was handled
     * @return true if the policy has called {@link IrqLine#moderate}, so that the flow handler leaves a pending event
     *     alone until the window is closed
     */
    boolean onHandled(IrqLine line, PolicyCpu cpu);

    /**
     * Called when a CPU has run its last task and goes offline. Its timers will not expire any more: close its windows,
     * cancel its timers, and open none for it until {@link #onCpuOnline}.
     *
     * @param cpu the CPU that goes
     * @param running the CPU that executes this call and pays, in task context
     */
    default void onCpuOffline(int cpu, PolicyCpu running) {}

    /**
     * Called when a CPU comes online, again or for the first time after the run began; those that are online when it
     * begins are not announced.
     *
     * @param cpu the CPU that comes
     * @param running the CPU that executes this call and pays, in task context
     */
    default void onCpuOnline(int cpu, PolicyCpu running) {}

    /**
     * Called before the machine suspends. No line may stay off because of the policy: close every window, cancel every
     * timer, and open none until {@link #onResume}.
     *
     * @param running the CPU that executes this call and pays, in task context
     */
    default void onSuspend(PolicyCpu running) {}

    /**
     * Called when the machine has resumed.
     *
     * @param running the CPU that executes this call and pays, in task context
     */
    default void onResume(PolicyCpu running) {}
}
