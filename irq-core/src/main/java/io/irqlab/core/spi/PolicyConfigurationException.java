package io.irqlab.core.spi;

import java.util.List;

/** A policy string, name or parameter that the user must correct; the message lists every fault and is printable as is. */
public final class PolicyConfigurationException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    /**
     * Creates the exception.
     *
     * @param faults what is wrong, one sentence each, at least one
     */
    public PolicyConfigurationException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = List.copyOf(faults);
    }

    /**
     * Returns every fault found, not the first alone.
     *
     * @return the sentences, policy by policy; of one policy first what is no setting at all, then wrong names and values in
     *     the order in which the user wrote them
     */
    public List<String> faults() {
        return faults;
    }
}
