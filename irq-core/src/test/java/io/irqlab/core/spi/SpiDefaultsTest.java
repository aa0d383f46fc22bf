package io.irqlab.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
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
