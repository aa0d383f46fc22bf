package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableMap;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.spi.PolicyTimer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The policies of one run, created from a stack, and what each may use. */
final class RunPolicies {
    private final Map<String, Policy> policies = new LinkedHashMap<>();

    /** Creates every policy of the stack; the devices that they see are those in the list when they ask for them. */
    RunPolicies(PolicyStack stack, List<Cpu> cpus, List<?> devices, long seed) {
        for (PolicyStack.Entry entry : stack.entries()) {
            String name = entry.provider().name();
            var context = new Context(name, entry.settings(), cpus, devices, seed);
            Policy policy = entry.provider().create(context);
            checkKind(entry.provider(), policy);
            policies.put(name, policy);
        }
    }

    /** A policy of another kind than its layer's would never be called. */
    private static void checkKind(PolicyProvider provider, Policy policy) {
        boolean fits = switch (provider.layer()) {
            case FLOW -> policy instanceof FlowPolicy;
            case DRIVER -> policy instanceof DriverPolicy;
            case DEVICE -> policy != null;
            case PLATFORM -> false;
        };
        checkState(
                fits,
                provider.layer() == PolicyLayer.PLATFORM
                        ? "policy %s is of the %s layer, which this machine does not model yet (created %s)"
                        : "policy %s is of the %s layer, but its provider created %s, which is not of that layer's kind",
                provider.name(),
                provider.layer(),
                policy == null ? null : policy.getClass().getName());
    }

    /** Returns the policy of a kind, or null if the stack has none. */
    <T extends Policy> @Nullable T of(Class<T> kind) {
        return policies.values().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElse(null);
    }

    void start() {
        policies.values().forEach(Policy::start);
    }

    Map<String, Map<String, Long>> counters() {
        var counters = ImmutableMap.<String, Map<String, Long>>builder();
        policies.forEach((name, policy) -> counters.put(name, policy.counters()));
        return counters.buildOrThrow();
    }

    private record Context(String policy, PolicySettings settings, List<Cpu> cpuList, List<?> machineDevices, long seed)
            implements PolicyContext {

        @Override
        public int cpus() {
            return cpuList.size();
        }

        @Override
        public PolicyTimer timer(int cpu, long slackNs, PolicyTimer.Callback callback) {
            return new PinnedTimer(cpuList.get(cpu), slackNs, callback);
        }

        @Override
        public RandomStream random(String name) {
            return RandomStream.of(seed, policy + "/" + name);
        }

        @Override
        public <T> List<T> devices(Class<T> type) {
            return machineDevices.stream()
                    .filter(type::isInstance)
                    .map(type::cast)
                    .collect(toImmutableList());
        }
    }

    private static final class PinnedTimer implements PolicyTimer {
        private final Cpu owner;
        private final long slackNs;
        private final HrTimer timer;

        PinnedTimer(Cpu owner, long slackNs, Callback callback) {
            this.owner = owner;
            this.slackNs = slackNs;
            this.timer = new HrTimer(owner, callback::onExpiry);
        }

        @Override
        public void arm(PolicyCpu cpu, long delayNs) {
            checkState(cpu == owner, "a timer pinned to %s was armed on %s", owner, cpu);
            timer.arm(owner, delayNs, slackNs);
        }

        @Override
        public void cancel() {
            timer.cancel();
        }

        @Override
        public boolean queued() {
            return timer.queued();
        }
    }
}
