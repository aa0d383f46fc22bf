package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.spi.DeliveryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The handler of the vector by which posted messages are announced ({@code sysvec_posted_msi_notification}): it runs the
 * handlers of the vectors that the policy names, one after another, within its own hardirq.
 */
final class NotificationHandler implements Routine {
    private final DeliveryPolicy policy;
    private final LocalApic apic;
    private @Nullable Vector handled;
    private boolean begun;
    private boolean entered;

    NotificationHandler(DeliveryPolicy policy, LocalApic apic) {
        this.policy = policy;
        this.apic = apic;
    }

    @Override
    public long step(Cpu cpu) {
        Vector vector = handled;
        if (vector == null) {
            return ask(cpu);
        }
        if (!begun) {
            begun = true;
            cpu.chargeHardirqTo(vector);
        }
        long durationNs = vector.handler.step(cpu);
        if (durationNs != DONE) {
            return durationNs;
        }
        handled = null;
        cpu.chargeHardirqToItself();
        return 0;
    }

    private long ask(Cpu cpu) {
        int next = policy.inNotification(cpu, !entered);
        entered = next != DeliveryPolicy.DONE;
        if (!entered) {
            return DONE;
        }
        Vector vector = apic.vector(next);
        checkState(vector != null, "%s was told to run the handler of vector %s, which nobody owns", cpu, next);
        handled = vector;
        begun = false;
        return 0;
    }
}
