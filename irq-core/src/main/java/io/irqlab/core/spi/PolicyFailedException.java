package io.irqlab.core.spi;

import java.io.Serial;
import java.util.OptionalInt;

/**
 * A policy broke its run: it threw, answered what it must not, left a line off for ever, or stopped the clock. With the
 * same scenario, stack and seed the run fails again at the same virtual time.
 */
public final class PolicyFailedException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int NO_CPU = -1;

    private final String policy;
    private final int cpu;
    private final long atNs;
    private final long seed;
    private final String reason;

    private PolicyFailedException(
            String policy,
            int cpu,
            long atNs,
            long seed,
            String reason,
            @org.jspecify.annotations.Nullable Throwable cause) {
        super(
                "policy %s failed%s at %d ns, seed %d: %s"
                        .formatted(policy, cpu == NO_CPU ? "" : " on cpu " + cpu, atNs, seed, reason),
                cause);
        this.policy = policy;
        this.cpu = cpu;
        this.atNs = atNs;
        this.seed = seed;
        this.reason = reason;
    }

    /**
     * Creates the exception for a policy that threw.
     *
     * @param policy the policy's name
     * @param cpu the CPU that executed it; empty if none did, as at set-up
     * @param atNs virtual time since the run began
     * @param seed the run's seed
     * @param cause what it threw
     */
    public PolicyFailedException(String policy, OptionalInt cpu, long atNs, long seed, Throwable cause) {
        this(policy, cpu.orElse(NO_CPU), atNs, seed, describe(cause), cause);
    }

    /**
     * Creates the exception for a policy that did not throw, but broke its run.
     *
     * @param policy the policy's name
     * @param cpu the CPU on which it shows
     * @param atNs virtual time since the run began
     * @param seed the run's seed
     * @param reason what is wrong, one sentence without a full stop
     */
    public PolicyFailedException(String policy, int cpu, long atNs, long seed, String reason) {
        this(policy, cpu, atNs, seed, reason, null);
    }

    private static String describe(Throwable cause) {
        String name = cause.getClass().getSimpleName();
        String what = cause.getMessage() == null ? name : name + ": " + cause.getMessage();
        StackTraceElement[] trace = cause.getStackTrace();
        for (StackTraceElement frame : trace) {
            if (!frame.getClassName().matches("(java|jdk|com\\.google\\.common)\\..*")) {
                return what + " (at " + frame + ")";
            }
        }
        return what;
    }

    /**
     * Returns which policy failed.
     *
     * @return its name
     */
    public String policy() {
        return policy;
    }

    /**
     * Returns the CPU that executed it.
     *
     * @return the number; empty if none did, as at set-up
     */
    public OptionalInt cpu() {
        return cpu == NO_CPU ? OptionalInt.empty() : OptionalInt.of(cpu);
    }

    /**
     * Returns when it failed.
     *
     * @return virtual time in nanoseconds since the run began
     */
    public long atNs() {
        return atNs;
    }

    /**
     * Returns the run's seed.
     *
     * @return the seed with which it fails again
     */
    public long seed() {
        return seed;
    }

    /**
     * Returns what went wrong.
     *
     * @return one sentence without policy, CPU, time and seed
     */
    public String reason() {
        return reason;
    }
}
