package io.irqlab.lab.run;

import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.scenario.PrintableText;
import io.irqlab.lab.scenario.Scenario;
import java.io.Serial;
import java.util.Arrays;

/**
 * A run that could not finish. The message is one printable line with policy stack, scenario and seed, so that the run can
 * be repeated, and names the policy to blame, if it is one's fault; the cause has the stack trace.
 */
public final class RunFailedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    RunFailedException(Scenario scenario, PolicyStack policy, long seed, Throwable cause) {
        super(
                PrintableText.of("policy %s on %s, seed %d: the run failed: %s"
                        .formatted(policy, scenario.name(), seed, describe(cause))),
                cause);
    }

    private static String describe(Throwable cause) {
        if (cause instanceof PolicyFailedException failed) {
            return "policy %s failed%s at %d ns: %s"
                    .formatted(
                            failed.policy(),
                            failed.cpu().isPresent() ? " on cpu " + failed.cpu().getAsInt() : "",
                            failed.atNs(),
                            failed.reason());
        }
        String name = cause.getClass().getSimpleName();
        String what = cause.getMessage() == null ? name : name + ": " + cause.getMessage();
        return Arrays.stream(cause.getStackTrace())
                .filter(frame -> !frame.getClassName().matches("(java|jdk|com\\.google\\.common)\\..*"))
                .findFirst()
                .map(frame -> what + " (at " + frame + ")")
                .orElse(what);
    }
}
