package io.irqlab.core.irq;

import io.irqlab.core.spi.DeliveryPolicy;
import io.irqlab.core.spi.PolicyCpu;
import java.util.BitSet;

/**
 * Posts the messages of one CPU: the notification's handler takes all that was posted, runs those handlers, the greatest
 * vector first, and looks again until nothing is left.
 */
final class PostedMessages implements DeliveryPolicy {
    private final BitSet posted = new BitSet();
    private final BitSet taken = new BitSet();
    private boolean outstanding;

    @Override
    public Delivery onMessage(int vector) {
        posted.set(vector);
        if (outstanding) {
            return Delivery.NOTHING;
        }
        outstanding = true;
        return Delivery.NOTIFY;
    }

    @Override
    public int inNotification(PolicyCpu running, boolean entry) {
        if (taken.isEmpty()) {
            taken.or(posted);
            posted.clear();
        }
        int vector = taken.previousSetBit(255);
        if (vector < 0) {
            outstanding = false;
            return DONE;
        }
        taken.clear(vector);
        return vector;
    }

    @Override
    public boolean withdraw(int vector) {
        boolean was = posted.get(vector) || taken.get(vector);
        posted.clear(vector);
        taken.clear(vector);
        return was;
    }
}
