package io.irqlab.core.spi;

/**
 * A policy of the platform layer: it decides how an interrupt message reaches a CPU, as hardware between the root complex
 * and the CPU does (posted delivery).
 *
 * <p>It sees messages alone: inter-processor interrupts, timers, and interrupts that software triggers again go to their
 * vectors as ever.
 */
public interface PlatformPolicy extends Policy {

    /**
     * Creates the policy's part for one CPU. Called once for each CPU, when the machine is assembled.
     *
     * @param cpu the CPU's number
     * @return what delivers messages to it
     */
    DeliveryPolicy forCpu(int cpu);
}
