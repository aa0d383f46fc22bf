package io.irqlab.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a policy gets that implements only what it must: the stock behaviour. */
final class SpiDefaultsTest {

    @Test
    void aProviderHasNoParametersAndNoRules() {
        PolicyProvider provider = new PolicyProvider() {
            @Override
            public String name() {
                return "minimal";
            }

            @Override
            public PolicyLayer layer() {
                return PolicyLayer.DEVICE;
            }

            @Override
            public String summary() {
                return "Does nothing.";
            }

            @Override
            public Policy create(PolicyContext context) {
                return new Policy() {};
            }
        };

        assertThat(provider.parameters()).isEmpty();
        assertThat(provider.check(PolicySettings.check("minimal", List.of(), Map.of())))
                .isEmpty();
    }

    @Test
    void aProviderClaimsItsLayer() {
        assertThat(new FakeProvider("any", PolicyLayer.PLATFORM).claims()).containsExactly("platform");
    }

    @Test
    void aPolicyThatTakesNoChangesSaysSo() {
        PolicySettings settings = PolicySettings.check("any", List.of(), Map.of());

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> new Unchanging().settingsChanged(settings, new FakePolicyCpu()))
                .withMessage("io.irqlab.core.spi.SpiDefaultsTest$Unchanging declares a parameter that may change in a"
                        + " run, but takes no changes");
    }

    private static final class Unchanging implements Policy {}

    @Test
    void aFlowPolicyKeepsNothingThatCpusOrSuspendCouldDisturb() {
        FlowPolicy policy = (line, cpu) -> false;
        var cpu = new FakePolicyCpu();

        policy.onCpuOffline(1, cpu);
        policy.onCpuOnline(1, cpu);
        policy.onSuspend(cpu);
        policy.onResume(cpu);
    }

    @Test
    void aFailureNamesPolicyCpuTimeAndSeed() {
        var thrown = new PolicyFailedException("gsim", OptionalInt.of(3), 1_500, 7, new ArithmeticException("by zero"));
        var found = new PolicyFailedException("gsim", 3, 1_500, 7, "it sleeps");
        var early = new PolicyFailedException("gsim", OptionalInt.empty(), 0, 7, new IllegalStateException());

        assertThat(thrown)
                .hasMessageMatching("policy gsim failed on cpu 3 at 1500 ns, seed 7: ArithmeticException: by zero \\(at"
                        + " .*io.irqlab.core.spi.SpiDefaultsTest.*\\)");
        assertThat(found)
                .hasMessage("policy gsim failed on cpu 3 at 1500 ns, seed 7: it sleeps")
                .hasNoCause();
        assertThat(found.policy()).isEqualTo("gsim");
        assertThat(found.cpu()).hasValue(3);
        assertThat(found.atNs()).isEqualTo(1_500);
        assertThat(found.seed()).isEqualTo(7);
        assertThat(found.reason()).isEqualTo("it sleeps");
        assertThat(early.cpu()).isEmpty();
        assertThat(early).hasMessageStartingWith("policy gsim failed at 0 ns, seed 7: IllegalStateException (at ");
    }

    @Test
    void aPolicyCountsNothing() {
        Policy policy = new Policy() {};
        policy.start();

        assertThat(policy.counters()).isEmpty();
    }

    @Test
    void aQueuesThreadReturnsAtOnceAndNothingLimitsAReap() {
        QueuePolicy policy = (cpu, reaped) -> QueuePolicy.Next.REAP_ALL;

        assertThat(policy.inThread(new FakePolicyCpu(), -1)).isEqualTo(QueuePolicy.Next.RETURN);
        assertThat(policy.budget()).isEqualTo(Integer.MAX_VALUE);
        assertThat(policy.sleepMinNs()).isZero();
        assertThat(policy.sleepMaxNs()).isZero();
    }

    private static final class FakePolicyCpu implements PolicyCpu {
        @Override
        public int number() {
            return 0;
        }

        @Override
        public long readClockNs() {
            return 0;
        }

        @Override
        public void spend(long ns) {}

        @Override
        public boolean needResched() {
            return false;
        }

        @Override
        public int runnableTasks() {
            return 0;
        }

        @Override
        public long contextSwitches() {
            return 0;
        }

        @Override
        public long hardirqTimeNs() {
            return 0;
        }
    }
}
