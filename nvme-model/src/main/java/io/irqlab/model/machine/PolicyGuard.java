package io.irqlab.model.machine;

import com.google.common.collect.Sets;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irqpoll.IrqPoll;
import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DeliveryPolicy;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PlatformPolicy;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyTimer;
import io.irqlab.core.spi.QueuePolicy;
import io.irqlab.core.spi.QueuePolicy.Next;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the machine and one policy: whatever the policy throws, and every answer that it must not give, ends the
 * run with the policy's name. Counts how often it is asked at one instant, so that a clock that stands still can be laid at
 * its door.
 */
final class PolicyGuard {
    private final String name;
    private final EventQueue clock;
    private final long seed;
    private int lastCpu;
    private long lastAskedNs = -1;
    private int asksAtInstant;

    PolicyGuard(String name, EventQueue clock, long seed) {
        this.name = name;
        this.clock = clock;
        this.seed = seed;
    }

    private void asked(PolicyCpu cpu) {
        long now = clock.nowNs();
        asksAtInstant = now == lastAskedNs ? asksAtInstant + 1 : 1;
        lastAskedNs = now;
        lastCpu = cpu.number();
    }

    /** Returns how often the policy was asked at the present instant. */
    int asksAtThisInstant() {
        return lastAskedNs == clock.nowNs() ? asksAtInstant : 0;
    }

    /** Says that the policy did what no exception told, on the CPU that asked it last. */
    PolicyFailedException failure(@Nullable String reason) {
        return failure(lastCpu, reason == null ? "no reason is known" : reason);
    }

    PolicyFailedException failure(int cpu, String reason) {
        return new PolicyFailedException(name, cpu, clock.nowNs(), seed, reason);
    }

    private PolicyFailedException thrown(PolicyCpu cpu, Throwable cause) {
        return thrown(OptionalInt.of(cpu.number()), cause);
    }

    private PolicyFailedException thrown(OptionalInt cpu, Throwable cause) {
        return cause instanceof PolicyFailedException failed
                ? failed
                : new PolicyFailedException(name, cpu, clock.nowNs(), seed, cause);
    }

    /** Calls the policy where no CPU executes it. */
    <T> T atSetUp(Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            throw thrown(OptionalInt.empty(), e);
        }
    }

    /** Calls the policy on a CPU. */
    private void on(PolicyCpu cpu, Runnable call) {
        asked(cpu);
        try {
            call.run();
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            throw thrown(cpu, e);
        }
    }

    PolicyTimer.Callback callback(PolicyTimer.Callback callback) {
        return cpu -> {
            asked(cpu);
            try {
                callback.onExpiry(cpu);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(cpu, e);
            }
        };
    }

    /** Returns a policy of the same layer's kind. */
    Policy guard(Policy policy) {
        if (policy instanceof FlowPolicy flow) {
            return new Flow(flow);
        }
        if (policy instanceof PlatformPolicy platform) {
            return new Platform(platform);
        }
        return policy instanceof DriverPolicy driver ? new Driver(driver) : new Any<>(policy);
    }

    private class Any<P extends Policy> implements Policy {
        final P policy;

        Any(P policy) {
            this.policy = policy;
        }

        @Override
        public void start() {
            atSetUp(() -> {
                policy.start();
                return policy;
            });
        }

        @Override
        public void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
            on(cpu, () -> policy.settingsChanged(settings, cpu));
        }

        @Override
        public Map<String, Long> counters() {
            return atSetUp(policy::counters);
        }
    }

    private final class Flow extends Any<FlowPolicy> implements FlowPolicy {
        Flow(FlowPolicy policy) {
            super(policy);
        }

        @Override
        public boolean onHandled(IrqLine line, PolicyCpu cpu) {
            asked(cpu);
            try {
                return policy.onHandled(line, cpu);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(cpu, e);
            }
        }

        @Override
        public void onCpuOffline(int cpu, PolicyCpu running) {
            on(running, () -> policy.onCpuOffline(cpu, running));
        }

        @Override
        public void onCpuOnline(int cpu, PolicyCpu running) {
            on(running, () -> policy.onCpuOnline(cpu, running));
        }

        @Override
        public void onSuspend(PolicyCpu running) {
            on(running, () -> policy.onSuspend(running));
        }

        @Override
        public void onResume(PolicyCpu running) {
            on(running, () -> policy.onResume(running));
        }
    }

    private final class Platform extends Any<PlatformPolicy> implements PlatformPolicy {
        Platform(PlatformPolicy policy) {
            super(policy);
        }

        @Override
        public DeliveryPolicy forCpu(int cpu) {
            DeliveryPolicy part = atSetUp(() -> policy.forCpu(cpu));
            if (part == null) {
                throw thrown(OptionalInt.empty(), new NullPointerException("forCpu returned null"));
            }
            return new Delivery(cpu, part);
        }
    }

    private final class Delivery implements DeliveryPolicy {
        private final OptionalInt cpu;
        private final DeliveryPolicy part;

        Delivery(int cpu, DeliveryPolicy part) {
            this.cpu = OptionalInt.of(cpu);
            this.part = part;
        }

        @Override
        public DeliveryPolicy.Delivery onMessage(int vector) {
            DeliveryPolicy.Delivery answer;
            try {
                answer = part.onMessage(vector);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(cpu, e);
            }
            if (answer == null) {
                throw failure(cpu.getAsInt(), "it answered null to a message for vector " + vector);
            }
            return answer;
        }

        @Override
        public int inNotification(PolicyCpu running, boolean entry) {
            asked(running);
            int vector;
            try {
                vector = part.inNotification(running, entry);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(running, e);
            }
            if (vector != DONE && !((Cpu) running).owns(vector)) {
                throw failure(
                        running.number(),
                        "it answered %d to the notification's handler, a vector that nobody owns".formatted(vector));
            }
            return vector;
        }

        @Override
        public boolean withdraw(int vector) {
            try {
                return part.withdraw(vector);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(cpu, e);
            }
        }
    }

    private final class Driver extends Any<DriverPolicy> implements DriverPolicy {
        Driver(DriverPolicy policy) {
            super(policy);
        }

        @Override
        public QueuePolicy forQueue(CompletionSource source) {
            QueuePolicy part = atSetUp(() -> policy.forQueue(source));
            if (part == null) {
                throw thrown(OptionalInt.empty(), new NullPointerException("forQueue returned null"));
            }
            return new Queue(source, part);
        }
    }

    private final class Queue implements QueuePolicy {
        private static final Set<Next> NOT_IN_HARDIRQ = Sets.immutableEnumSet(Next.SLEEP, Next.YIELD);
        private static final Set<Next> NOT_IN_THREAD = Sets.immutableEnumSet(Next.WAKE_THREAD);
        private static final Set<Next> NOT_IN_POLL = Sets.immutableEnumSet(Next.SLEEP, Next.YIELD, Next.WAKE_THREAD);

        private final CompletionSource source;
        private final QueuePolicy part;
        // Made once, since handlers ask all the time.
        private final Question hardirq;
        private final Question thread;
        private final Question poll;
        private final LongSupplier budget;
        private final LongSupplier sleepMin;
        private final LongSupplier sleepMax;

        Queue(CompletionSource source, QueuePolicy part) {
            this.source = source;
            this.part = part;
            this.hardirq = part::inHardirq;
            this.thread = part::inThread;
            this.poll = part::inPoll;
            this.budget = part::budget;
            this.sleepMin = part::sleepMinNs;
            this.sleepMax = part::sleepMaxNs;
        }

        @Override
        public Next inHardirq(PolicyCpu cpu, int reaped) {
            return ask(hardirq, cpu, reaped, NOT_IN_HARDIRQ, "the hard handler");
        }

        @Override
        public Next inThread(PolicyCpu cpu, int reaped) {
            return ask(thread, cpu, reaped, NOT_IN_THREAD, "the thread");
        }

        @Override
        public Next inPoll(PolicyCpu cpu, int reaped) {
            return ask(poll, cpu, reaped, NOT_IN_POLL, "the poll function");
        }

        private Next ask(Question question, PolicyCpu cpu, int reaped, Set<Next> forbidden, String who) {
            asked(cpu);
            Next next;
            try {
                next = question.ask(cpu, reaped);
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(cpu, e);
            }
            if (next == null || forbidden.contains(next)) {
                throw failure(
                        cpu.number(),
                        "it answered %s to %s of %s"
                                .formatted(next, who, source.line().name()));
            }
            return next;
        }

        @Override
        public int pollWeight() {
            int weight = atSetUp(part::pollWeight);
            if (weight < 1 || weight > IrqPoll.BUDGET) {
                throw new PolicyFailedException(
                        name,
                        OptionalInt.empty(),
                        clock.nowNs(),
                        seed,
                        new IllegalArgumentException("its poll weight for %s must be 1 to %d, was %d"
                                .formatted(source.line().name(), IrqPoll.BUDGET, weight)));
            }
            return weight;
        }

        @Override
        public int budget() {
            int value = (int) valueOf(budget);
            if (value < 1) {
                throw failure("its budget for %s must be 1 or more, was %d"
                        .formatted(source.line().name(), value));
            }
            return value;
        }

        @Override
        public long sleepMinNs() {
            return valueOf(sleepMin);
        }

        @Override
        public long sleepMaxNs() {
            long minNs = sleepMinNs();
            long maxNs = valueOf(sleepMax);
            if (minNs < 0 || maxNs < minNs) {
                throw failure("its sleep for %s must be a range of 0 ns or more, was %d to %d ns"
                        .formatted(source.line().name(), minNs, maxNs));
            }
            return maxNs;
        }

        /** Takes a number that belongs to the policy's last answer. */
        private long valueOf(LongSupplier number) {
            try {
                return number.getAsLong();
            } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
                throw thrown(OptionalInt.of(lastCpu), e);
            }
        }
    }

    /** What a handler asks a queue's policy. */
    private interface Question {
        Next ask(PolicyCpu cpu, int reaped);
    }
}
