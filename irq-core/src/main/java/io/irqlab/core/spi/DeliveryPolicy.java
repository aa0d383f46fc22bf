package io.irqlab.core.spi;

/**
 * How interrupt messages reach one CPU. The hardware asks when a message comes, and the handler of the notification vector
 * asks which device's handler to run next; so a policy is a small state machine, and the machine raises, runs and pays.
 *
 * <p>Posted delivery keeps a set of vectors and a flag that a notification is outstanding. A message adds its vector; it
 * answers NOTIFY and sets the flag if that was clear, else NOTHING. The handler takes the set, names its vectors one by
 * one, looks again for as many rounds as it has, clears the flag, and looks a last time.
 */
public interface DeliveryPolicy {
    /** What {@link #inNotification} returns when no handler is left to run. */
    int DONE = -1;

    /** What a message does. */
    enum Delivery {
        /** Raise the message's own vector, as without a policy. */
        RAISE,
        /** Raise the CPU's notification vector instead. */
        NOTIFY,
        /** Raise nothing: a notification is outstanding, and its handler will find the vector. */
        NOTHING
    }

    /**
     * Asked by the hardware when a message comes. No CPU executes this, so none pays.
     *
     * @param vector the message's vector, 0 to 255
     * @return what to raise
     */
    Delivery onMessage(int vector);

    /**
     * Asked in the notification's hardirq, after each handler, which vector's handler to run next. All run within one
     * hardirq entry, which ends with one exit. The policy charges its own reads and exchanges with
     * {@link PolicyCpu#spend}.
     *
     * @param cpu the CPU
     * @param entry true for the first question of this hardirq
     * @return a vector for which a message came, or {@link #DONE}
     */
    int inNotification(PolicyCpu cpu, boolean entry);

    /**
     * Asked for the vector of a line that leaves the CPU, when the CPU goes offline and when the line has moved: takes the
     * vector out of the set of those for which a message came and no handler has run.
     *
     * @param vector the vector, 0 to 255
     * @return true if it was in the set; the line's interrupt is then triggered where the line goes
     */
    boolean withdraw(int vector);
}
