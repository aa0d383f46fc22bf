package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.spi.CompletionSource;
import io.irqlab.core.spi.DeliveryPolicy;
import io.irqlab.core.spi.DriverPolicy;
import io.irqlab.core.spi.PlatformPolicy;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.spi.QueuePolicy;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** What policies can make of the softirq, of threads that give way, and of posted messages, on a whole machine. */
final class PollingPoliciesTest {
    private static final String[] LOAD = {"filename=/dev/nvme0n1", "iodepth=64", "numjobs=2"};
    private static final long DURATION_NS = 20_000_000;

    private final TestMachine machine = new TestMachine();

    private RunStatistics run(PolicyStack stack) {
        return machine.assemble(stack, 1, LOAD).run(2_000_000, DURATION_NS);
    }

    private static PolicyStack driver(DriverPolicy policy) {
        return TestMachine.stack(new FakeProvider("polls", PolicyLayer.DRIVER, context -> policy));
    }

    private static long softirqNs(RunStatistics run) {
        return run.cpus().stream().mapToLong(RunStatistics.Cpu::softirqNs).sum();
    }

    /** The hard handler only disables the line; the softirq reaps, and enables it when the queue is empty. */
    private static class Softirq implements QueuePolicy {
        final CompletionSource source;

        Softirq(CompletionSource source) {
            this.source = source;
        }

        @Override
        public Next inHardirq(PolicyCpu cpu, int reaped) {
            source.line().disable(cpu);
            source.schedulePoll(cpu);
            return Next.RETURN;
        }

        @Override
        public Next inPoll(PolicyCpu cpu, int reaped) {
            if (reaped < 0) {
                return Next.REAP_ALL;
            }
            source.line().enable(cpu);
            return Next.RETURN;
        }

        @Override
        public int pollWeight() {
            return 8;
        }
    }

    @Test
    void aQueueIsReapedInSoftirqsWithinItsWeight() {
        RunStatistics none = run(PolicyStack.none());
        RunStatistics polled = run(driver(Softirq::new));

        assertThat(softirqNs(none)).isZero();
        // Reaping and completing a read takes 600 ns.
        assertThat(softirqNs(polled)).isGreaterThan(600 * polled.completed());
        assertThat((double) polled.completed()).isCloseTo(none.completed(), within(0.2 * none.completed()));
        assertThat(polled.interrupts().deviceHardirqs())
                .isLessThan(none.interrupts().deviceHardirqs());
    }

    @Test
    void aWeightThatIrqPollDoesNotTakeIsNamed() {
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(driver(source -> new Softirq(source) {
                    @Override
                    public int pollWeight() {
                        return 257;
                    }
                })))
                .withMessageContaining("its poll weight for nvme0q1 must be 1 to 256, was 257");
    }

    @Test
    void aPollFunctionCannotSleep() {
        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> run(driver(source -> new Softirq(source) {
                    @Override
                    public Next inPoll(PolicyCpu cpu, int reaped) {
                        return Next.SLEEP;
                    }
                })))
                .withMessageContaining("it answered SLEEP to the poll function of nvme0q");
    }

    @Test
    void aThreadThatGivesWayStillReapsEverything() {
        RunStatistics yielding = run(driver(source -> new QueuePolicy() {
            private boolean yielded;

            @Override
            public Next inHardirq(PolicyCpu cpu, int reaped) {
                source.line().disable(cpu);
                return Next.WAKE_THREAD;
            }

            @Override
            public Next inThread(PolicyCpu cpu, int reaped) {
                if (source.pending()) {
                    yielded = !yielded;
                    return yielded ? Next.YIELD : Next.REAP_BUDGET;
                }
                source.line().enable(cpu);
                return Next.RETURN;
            }

            @Override
            public int budget() {
                return 4;
            }
        }));

        assertThat(yielding.completed()).isGreaterThan(DURATION_NS / 5_000);
    }

    /** Posted delivery with one look more than there are handlers to run. */
    private static final class Posted implements DeliveryPolicy {
        private final BitSet vectors = new BitSet();
        private boolean outstanding;

        @Override
        public Delivery onMessage(int vector) {
            vectors.set(vector);
            boolean notify = !outstanding;
            outstanding = true;
            return notify ? Delivery.NOTIFY : Delivery.NOTHING;
        }

        @Override
        public int inNotification(PolicyCpu cpu, boolean entry) {
            int vector = vectors.nextSetBit(0);
            if (vector < 0) {
                outstanding = false;
                return DONE;
            }
            vectors.clear(vector);
            return vector;
        }

        @Override
        public boolean withdraw(int vector) {
            boolean was = vectors.get(vector);
            vectors.clear(vector);
            return was;
        }
    }

    @Test
    void postedMessagesOfTwoDrivesShareHardirqs() {
        machine.drives = 2;
        machine.cpus = 1;
        PlatformPolicy posted = cpu -> new Posted();
        String files = machine.allFiles();
        RunStatistics none =
                machine.assemble(PolicyStack.none(), 1, files, "iodepth=64").run(2_000_000, DURATION_NS);
        RunStatistics delivered = machine.assemble(
                        TestMachine.stack(new FakeProvider("posted", PolicyLayer.PLATFORM, context -> posted)),
                        1,
                        files,
                        "iodepth=64")
                .run(2_000_000, DURATION_NS);

        assertThat(delivered.completed()).isGreaterThanOrEqualTo(none.completed());
        double perIo = (double) delivered.interrupts().deviceHardirqs() / delivered.completed();
        assertThat(perIo).isLessThan((double) none.interrupts().deviceHardirqs() / none.completed());
    }
}
