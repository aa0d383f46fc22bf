package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.irq.IrqDescriptor;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.PlatformPolicy;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
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
    /** Real code takes time; who is asked so often at one instant answers for ever. */
    private static final int MOST_ASKS_AT_AN_INSTANT = 1_000;

    private final Map<String, Policy> policies = new LinkedHashMap<>();
    private final Map<String, PolicyGuard> guards = new LinkedHashMap<>();

    /** Creates every policy of the stack; the devices that they see are those in the list when they ask for them. */
    RunPolicies(PolicyStack stack, List<Cpu> cpus, List<?> devices, EventQueue clock, long seed) {
        for (PolicyStack.Entry entry : stack.entries()) {
            PolicyProvider provider = entry.provider();
            String name = provider.name();
            var guard = new PolicyGuard(name, clock, seed);
            var context = new Context(name, entry.settings(), cpus, devices, seed, guard);
            Policy policy = guard.atSetUp(() -> provider.create(context));
            checkKind(provider, policy);
            policies.put(name, guard.guard(policy));
            guards.put(name, guard);
        }
    }

    /** A policy of another kind than its layer's would never be called. */
    private static void checkKind(PolicyProvider provider, Policy policy) {
        boolean fits = switch (provider.layer()) {
            case FLOW -> policy instanceof FlowPolicy;
            case DRIVER -> policy instanceof DriverPolicy;
            case DEVICE -> policy != null;
            case PLATFORM -> policy instanceof PlatformPolicy;
        };
        checkState(
                fits,
                "policy %s is of the %s layer, but its provider created %s, which is not of that layer's kind",
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

    /** Makes a change of a policy's settings, on the CPU that executes it. */
    void change(SettingsChange change, PolicyCpu cpu) {
        requireNonNull(policies.get(change.policy())).settingsChanged(change.settings(), cpu);
    }

    boolean contains(String policy) {
        return policies.containsKey(policy);
    }

    /** Names the policy that stopped the clock, if one was asked again and again at this instant. */
    IllegalStateException blame(IllegalStateException failure) {
        return guards.values().stream()
                .filter(guard -> guard.asksAtThisInstant() > MOST_ASKS_AT_AN_INSTANT)
                .findFirst()
                .<IllegalStateException>map(guard -> guard.failure(failure.getMessage()))
                .orElse(failure);
    }

    /**
     * Names the policy that left completions to nobody: the flow policy if its window over the line is still open; a platform
     * policy if the line is enabled and has nothing pending, since then its message has got lost; else the driver policy, else
     * a flow policy if the line is disabled. Without any it is the machine's own fault.
     */
    IllegalStateException blame(IrqDescriptor line, String problem) {
        String flow = nameOf(FlowPolicy.class);
        String driver = nameOf(DriverPolicy.class);
        boolean inWindow = line.inProgress() && line.depth() > 0;
        String culprit = driver;
        if (flow != null && (inWindow || (driver == null && line.depth() > 0))) {
            culprit = flow;
        } else if (line.depth() == 0 && !line.pending() && !line.masked()) {
            String platform = nameOf(PlatformPolicy.class);
            culprit = platform == null ? driver : platform;
        }
        String sentence = "the run is stuck: " + problem;
        return culprit == null
                ? new IllegalStateException(sentence)
                : requireNonNull(guards.get(culprit)).failure(line.cpu().number(), sentence);
    }

    private @Nullable String nameOf(Class<? extends Policy> kind) {
        return policies.entrySet().stream()
                .filter(entry -> kind.isInstance(entry.getValue()))
                .map(Map.Entry::getKey)
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

    private record Context(
            String policy,
            PolicySettings settings,
            List<Cpu> cpuList,
            List<?> machineDevices,
            long seed,
            PolicyGuard guard)
            implements PolicyContext {

        @Override
        public int cpus() {
            return cpuList.size();
        }

        @Override
        public PolicyTimer timer(int cpu, long slackNs, PolicyTimer.Callback callback) {
            return new PinnedTimer(cpuList.get(cpu), slackNs, guard.callback(callback));
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
