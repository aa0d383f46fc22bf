package io.irqlab.model.pcie;

/** A device's side of its root port: what it does as its writes make their way up. */
public interface UpstreamWriter {

    /**
     * Called when the root complex has credits for a write, so that the device composes it: what it says (a completion
     * entry's SQ head) is fixed now.
     *
     * @param write the device's own number for the write
     */
    void onAdmitted(int write);

    /**
     * Called when the root complex begins to serve a write.
     *
     * @param write the device's number for the write
     * @param visibleNs when its data and completion entry are in memory
     * @return whether an MSI follows it
     */
    boolean onServing(int write, long visibleNs);

    /**
     * Called when the root complex has served a write, and the MSI that follows it.
     *
     * @param write the device's number for the write
     * @param withMsi whether an MSI followed; it reaches its CPU now
     */
    void onServed(int write, boolean withMsi);
}
