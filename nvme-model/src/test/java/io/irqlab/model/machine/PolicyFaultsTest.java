package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DeliveryPolicy;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.PlatformPolicy;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.spi.QueuePolicy;
import io.irqlab.core.spi.QueuePolicy.Next;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A run that cannot go on ends with what is wrong, and no policy is left out in silence. */
final class PolicyFaultsTest {
    private static final String FILE = "filename=/dev/nvme0n1";

    private final TestMachine machine = new TestMachine();

    @Test
    void aLineThatIsNeverEnabledAgainEndsTheRun() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(driver(source -> (cpu, reaped) -> {
                    if (reaped < 0) {
                        return Next.REAP_ALL;
                    }
                    source.line().disable(cpu);
                    return Next.RETURN;
                })))
                .withMessageContaining("the run is stuck: nvme0q1: completions have waited for ")
                .withMessageContaining("has a disable depth of 1, cpu 0 is idle, and 8 commands are in flight");
    }

    @Test
    void aHandlerThatNeverReapsEndsTheRun() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(driver(source -> (cpu, reaped) -> Next.RETURN)))
                .withMessageContaining("the run is stuck: nvme0q1")
                .withMessageContaining("has a disable depth of 0");
    }

    @Test
    void aHandlerThatReapsAnEmptyQueueForEverStopsTheClock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(driver(source -> (cpu, reaped) -> Next.REAP_ALL)))
                .withMessageMatching(
                        "policy broken failed on cpu 0 at (\\d+) ns, seed 1: cpu0 stopped the clock: the handler of nvme0q1"
                                + " took 1000000 steps at \\1 ns without any time");
    }

    @Test
    void aThreadThatReapsAnEmptyQueueForEverStopsTheClock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(driver(source -> new QueuePolicy() {
                    @Override
                    public Next inHardirq(PolicyCpu cpu, int reaped) {
                        return Next.WAKE_THREAD;
                    }

                    @Override
                    public Next inThread(PolicyCpu cpu, int reaped) {
                        return Next.REAP_ALL;
                    }
                })))
                .withMessageStartingWith("policy broken failed on cpu 0 at ")
                .withMessageContaining("cpu0 stopped the clock: task irq/64-nvme0q1");
    }

    @Test
    void aBudgetOfNothingIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(driver(source -> new QueuePolicy() {
                    @Override
                    public Next inHardirq(PolicyCpu cpu, int reaped) {
                        return Next.REAP_BUDGET;
                    }

                    @Override
                    public int budget() {
                        return 0;
                    }
                })))
                .withMessageMatching(
                        "policy broken failed on cpu 0 at \\d+ ns, seed 1: its budget for nvme0q1 must be 1 or"
                                + " more, was 0");
    }

    @Test
    void aPolicyOfAnotherKindThanItsLayersIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(stack(PolicyLayer.DRIVER, (FlowPolicy) (line, cpu) -> false)))
                .withMessageStartingWith("policy broken is of the DRIVER layer, but its provider created ");
        assertThatIllegalStateException()
                .isThrownBy(() -> run(stack(PolicyLayer.PLATFORM, new Policy() {})))
                .withMessageStartingWith("policy broken is of the PLATFORM layer, but its provider created ");
    }

    /** Posts nothing, and raises or fails. */
    private static PlatformPolicy raising(Runnable onMessage, Runnable inNotification) {
        return cpu -> new DeliveryPolicy() {
            @Override
            public Delivery onMessage(int vector) {
                onMessage.run();
                return Delivery.NOTIFY;
            }

            @Override
            public int inNotification(PolicyCpu running, boolean entry) {
                inNotification.run();
                return DONE;
            }

            @Override
            public boolean withdraw(int vector) {
                return false;
            }
        };
    }

    @Test
    void aPlatformPolicyThatFailsIsNamed() {
        Runnable fails = () -> {
            throw new ArithmeticException("by zero");
        };
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(stack(PolicyLayer.PLATFORM, raising(fails, () -> {}))))
                .withMessageMatching(
                        "policy broken failed on cpu 0 at \\d+ ns, seed 1: ArithmeticException: by zero .*");
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(stack(PolicyLayer.PLATFORM, raising(() -> {}, fails))))
                .withMessageMatching(
                        "policy broken failed on cpu 0 at \\d+ ns, seed 1: ArithmeticException: by zero .*");
    }

    @Test
    void aPlatformPolicyThatForgetsItsMessagesLeavesTheRunStuck() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(stack(PolicyLayer.PLATFORM, raising(() -> {}, () -> {}))))
                .withMessageMatching("policy broken failed on cpu 0 at .* completions have waited .*");
    }

    @Test
    void aPlatformPolicyThatNamesAVectorOfNobodyIsNamed() {
        PlatformPolicy wrong = cpu -> new DeliveryPolicy() {
            @Override
            public Delivery onMessage(int vector) {
                return Delivery.NOTIFY;
            }

            @Override
            public int inNotification(PolicyCpu running, boolean entry) {
                return 300;
            }

            @Override
            public boolean withdraw(int vector) {
                return false;
            }
        };
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(stack(PolicyLayer.PLATFORM, wrong)))
                .withMessageMatching("policy broken failed on cpu 0 at \\d+ ns, seed 1: it answered 300 to the"
                        + " notification's handler, a vector that nobody owns");
    }

    @Test
    void whateverAPolicyThrowsEndsTheRunWithItsNameCpuTimeAndSeed() {
        PolicyStack stack = driver(source -> (cpu, reaped) -> {
            throw new ArithmeticException("by zero");
        });

        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(stack))
                .withMessageMatching(
                        "policy broken failed on cpu 0 at \\d+ ns, seed 1: ArithmeticException: by zero \\(at .*")
                .withCauseInstanceOf(ArithmeticException.class)
                .satisfies(e -> assertThat(e.atNs()).isPositive());
    }

    @Test
    void aPolicyThatThrowsAtSetUpIsNamedWithoutACpu() {
        PolicyStack creates = TestMachine.stack(new FakeProvider("broken", PolicyLayer.DEVICE, context -> {
            throw new StackOverflowError();
        }));
        PolicyStack starts = stack(PolicyLayer.DEVICE, new Policy() {
            @Override
            public void start() {
                throw new LinkageError("no such class");
            }
        });
        PolicyStack parts = driver(source -> null);

        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(creates))
                .withMessageStartingWith("policy broken failed at 0 ns, seed 1: StackOverflowError (at ");
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(starts))
                .withMessageStartingWith("policy broken failed at 0 ns, seed 1: LinkageError: no such class (at ");
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(parts))
                .withMessageStartingWith(
                        "policy broken failed at 0 ns, seed 1: NullPointerException: forQueue returned null");
    }

    @Test
    void anAnswerThatFitsNoHandlerIsRefused() {
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(driver(source -> (cpu, reaped) -> Next.SLEEP)))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("it answered SLEEP to the hard handler of nvme0q1"));
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(driver(source -> (cpu, reaped) -> null)))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("it answered null to the hard handler of nvme0q1"));
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(driver(source -> new InThread(Next.WAKE_THREAD))))
                .satisfies(e -> assertThat(e.reason()).isEqualTo("it answered WAKE_THREAD to the thread of nvme0q1"));
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(driver(source -> new InThread(Next.SLEEP) {
                    @Override
                    public long sleepMinNs() {
                        return 5;
                    }
                })))
                .satisfies(e -> assertThat(e.reason())
                        .isEqualTo("its sleep for nvme0q1 must be a range of 0 ns or more, was 5 to 0 ns"));
    }

    /** Wakes the thread, which answers always the same. */
    private static class InThread implements QueuePolicy {
        private final Next answer;

        InThread(Next answer) {
            this.answer = answer;
        }

        @Override
        public Next inHardirq(PolicyCpu cpu, int reaped) {
            return Next.WAKE_THREAD;
        }

        @Override
        public Next inThread(PolicyCpu cpu, int reaped) {
            return answer;
        }
    }

    @Test
    void aWindowThatIsNeverClosedIsTheFlowPolicysFault() {
        FlowPolicy neverCloses = (line, cpu) -> {
            line.moderate(cpu);
            return true;
        };
        DriverPolicy stock = source -> (cpu, reaped) -> reaped < 0 ? Next.REAP_ALL : Next.RETURN;
        PolicyStack both = TestMachine.stack(
                new FakeProvider("stock", PolicyLayer.DRIVER, context -> stock),
                new FakeProvider("broken", PolicyLayer.FLOW, context -> neverCloses));

        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(both))
                .satisfies(e -> assertThat(e.policy()).isEqualTo("broken"))
                .satisfies(
                        e -> assertThat(e.reason()).startsWith("the run is stuck: nvme0q1: completions have waited"));
    }

    @Test
    void aPolicyThatOnlyDelaysIsNotStuck() {
        RunStatistics run = run(driver(source -> new QueuePolicy() {
            @Override
            public Next inHardirq(PolicyCpu cpu, int reaped) {
                source.line().disable(cpu);
                return Next.WAKE_THREAD;
            }

            @Override
            public Next inThread(PolicyCpu cpu, int reaped) {
                if (reaped < 0) {
                    return Next.SLEEP;
                }
                if (source.pending()) {
                    return Next.REAP_ALL;
                }
                source.line().enable(cpu);
                return Next.RETURN;
            }

            @Override
            public long sleepMaxNs() {
                return 20_000_000;
            }
        }));

        assertThat(run.completed()).isPositive();
    }

    private RunStatistics run(PolicyStack stack) {
        machine.cpus = 1;
        return machine.assemble(stack, 1, FILE, "iodepth=8").run(1_000_000, 50_000_000);
    }

    private static PolicyStack driver(Function<CompletionSource, QueuePolicy> forQueue) {
        DriverPolicy policy = forQueue::apply;
        return stack(PolicyLayer.DRIVER, policy);
    }

    private static PolicyStack stack(PolicyLayer layer, Policy policy) {
        return TestMachine.stack(new FakeProvider("broken", layer, context -> policy));
    }
}
