package io.irqlab.examples;

import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.QueuePolicy;
import java.util.List;

/** A policy of one's own: after an interrupt that found several completions, nap and poll until a poll finds few. */
public final class NapPolicy implements PolicyProvider {
    private static final Parameter NAP_US =
            new Parameter("nap_us", "us", 1, 1_000, 25, false, "How long the thread sleeps between two polls.");

    @Override
    public String name() {
        return "nap";
    }

    @Override
    public PolicyLayer layer() {
        return PolicyLayer.DRIVER;
    }

    @Override
    public String summary() {
        return "Polls a queue from its irq thread as long as polls find more than one completion.";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(NAP_US);
    }

    @Override
    public Policy create(PolicyContext context) {
        long napNs = context.settings().get(NAP_US) * 1_000;
        DriverPolicy policy = source -> new Nap(source, napNs);
        return policy;
    }

    /** One completion queue. The driver asks what to do next, and does it; sleepMaxNs is how long a SLEEP lasts. */
    private record Nap(CompletionSource source, long sleepMaxNs) implements QueuePolicy {
        @Override
        public Next inHardirq(PolicyCpu cpu, int reaped) {
            if (reaped < 0) {
                return Next.REAP_ALL;
            }
            if (reaped < 2) {
                return Next.RETURN;
            }
            source.line().disable(cpu);
            return Next.WAKE_THREAD;
        }

        @Override
        public Next inThread(PolicyCpu cpu, int reaped) {
            if (reaped < 0 || reaped > 1) {
                return Next.SLEEP;
            }
            if (source.pending()) {
                return Next.REAP_ALL;
            }
            source.line().enable(cpu);
            return Next.RETURN;
        }
    }
}
