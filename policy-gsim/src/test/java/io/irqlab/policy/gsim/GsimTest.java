package io.irqlab.policy.gsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.core.spi.PolicyTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The windows of GSIM v5 with a fixed delay, one interrupt at a time. */
final class GsimTest {
    private final List<FakeTimer> timers = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private long nowNs;
    private int clockReads;

    @Test
    void aHandledInterruptOpensAWindowAndItsLineIsModerated() {
        FlowPolicy gsim = gsim(100);

        assertThat(gsim.onHandled(line("a"), cpu(0))).isTrue();

        assertThat(log).containsExactly("timer 0: 100000", "moderate a");
        assertThat(gsim.counters()).containsExactlyInAnyOrderEntriesOf(Map.of("timer_set", 1L, "enqueue", 1L));
    }

    @Test
    void aLineThatIsHandledInsideTheWindowJoinsItWithoutAnotherTimer() {
        FlowPolicy gsim = gsim(100);

        gsim.onHandled(line("a"), cpu(0));
        assertThat(gsim.onHandled(line("b"), cpu(0))).isTrue();

        assertThat(log).containsExactly("timer 0: 100000", "moderate a", "moderate b");
        assertThat(gsim.counters()).containsEntry("timer_set", 1L).containsEntry("enqueue", 2L);
    }

    @Test
    void theTimerClosesTheWindowForAllItsLinesAndTheNextInterruptOpensAnother() {
        FlowPolicy gsim = gsim(100);
        gsim.onHandled(line("a"), cpu(0));
        gsim.onHandled(line("b"), cpu(0));
        log.clear();

        timers.get(0).expire(cpu(0));
        assertThat(log).containsExactly("unmoderate a", "unmoderate b");

        log.clear();
        gsim.onHandled(line("b"), cpu(0));
        assertThat(log).containsExactly("timer 0: 100000", "moderate b");
    }

    @Test
    void delaysBelowTenMicrosecondsAddUpUntilTheyAreWorthATimer() {
        FlowPolicy gsim = gsim(2);

        for (int round = 0; round < 3; round++) {
            for (int i = 1; i <= 4; i++) {
                assertThat(gsim.onHandled(line("a"), cpu(0)))
                        .as("interrupt %d", i)
                        .isFalse();
            }
            assertThat(gsim.onHandled(line("b"), cpu(0))).isTrue();
            assertThat(log).containsExactly("timer 0: 10000", "moderate b");
            timers.get(0).expire(cpu(0));
            log.clear();
        }
    }

    @Test
    void everyCpuHasAWindowOfItsOwn() {
        FlowPolicy gsim = gsim(50);

        gsim.onHandled(line("a"), cpu(0));
        gsim.onHandled(line("b"), cpu(1));
        timers.get(1).expire(cpu(1));

        assertThat(log).containsExactly("timer 0: 50000", "moderate a", "timer 1: 50000", "moderate b", "unmoderate b");
    }

    @Test
    void aDelayOfZeroDoesNothing() {
        FlowPolicy gsim = gsim(0);

        assertThat(gsim.onHandled(line("a"), cpu(0))).isFalse();

        assertThat(log).isEmpty();
    }

    // ---- changes in the middle of a run

    /** Handles interrupts of a line that nothing moderates, 16 of them, the last at a time. */
    private void sixteenInterrupts(FlowPolicy gsim, int cpu, long lastAtNs) {
        nowNs = lastAtNs;
        for (int i = 0; i < 16; i++) {
            gsim.onHandled(line("x"), cpu(cpu));
            if (timers.get(cpu).queued()) {
                timers.get(cpu).expire(cpu(cpu));
            }
        }
        log.clear();
    }

    private void change(FlowPolicy gsim, long delayUs) {
        gsim.settingsChanged(settings(delayUs), cpu(0));
    }

    @Test
    void theClockIsReadAtEverySixteenthInterrupt() {
        FlowPolicy gsim = gsim(100);

        for (int i = 1; i <= 33; i++) {
            gsim.onHandled(line("a"), cpu(0));
            assertThat(clockReads).as("after %d interrupts", i).isEqualTo(i / 16);
        }
    }

    @Test
    void aChangedDelayHoldsFromTheEndOfEachCpusEpoch() {
        FlowPolicy gsim = gsim(100);
        // 5 ms less the 5 us by which an epoch may end early: CPU 0's first epoch ends here.
        sixteenInterrupts(gsim, 0, 4_995_000);

        change(gsim, 50);
        gsim.onHandled(line("a"), cpu(0));
        timers.get(0).expire(cpu(0));
        assertThat(log).as("the old delay").containsExactly("timer 0: 100000", "moderate a", "unmoderate a");

        sixteenInterrupts(gsim, 0, 9_989_999);
        gsim.onHandled(line("a"), cpu(0));
        timers.get(0).expire(cpu(0));
        assertThat(log).as("the epoch has 1 ns to go").contains("timer 0: 100000");

        sixteenInterrupts(gsim, 0, 9_990_000);
        gsim.onHandled(line("a"), cpu(0));
        gsim.onHandled(line("b"), cpu(1));
        assertThat(log)
                .as("CPU 1 had no epoch yet")
                .containsExactly("timer 0: 50000", "moderate a", "timer 1: 100000", "moderate b");
    }

    @Test
    void aDelayOfZeroSwitchesOffAtOnceAndOpenWindowsRunOut() {
        FlowPolicy gsim = gsim(100);
        gsim.onHandled(line("a"), cpu(0));

        change(gsim, 0);
        assertThat(gsim.onHandled(line("b"), cpu(0))).isFalse();
        assertThat(gsim.onHandled(line("b"), cpu(1))).isFalse();
        timers.get(0).expire(cpu(0));

        assertThat(log).containsExactly("timer 0: 100000", "moderate a", "unmoderate a");
    }

    @Test
    void switchedOnItWaitsForTheFirstEpoch() {
        FlowPolicy gsim = gsim(0);
        change(gsim, 20);

        nowNs = 4_994_999;
        for (int i = 0; i < 16; i++) {
            assertThat(gsim.onHandled(line("a"), cpu(0))).isFalse();
        }
        nowNs = 4_995_000;
        for (int i = 0; i < 15; i++) {
            assertThat(gsim.onHandled(line("a"), cpu(0))).isFalse();
        }
        assertThat(gsim.onHandled(line("a"), cpu(0))).isTrue();
        assertThat(log).containsExactly("timer 0: 20000", "moderate a");
    }

    // ---- CPUs that go, and suspend

    @Test
    void aCpuThatGoesClosesItsWindowAndOpensNoneUntilItIsBack() {
        FlowPolicy gsim = gsim(100);
        gsim.onHandled(line("a"), cpu(1));
        gsim.onHandled(line("b"), cpu(1));
        gsim.onHandled(line("c"), cpu(0));
        log.clear();

        gsim.onCpuOffline(1, cpu(0));
        assertThat(log).containsExactly("unmoderate a", "unmoderate b");
        assertThat(timers.get(1).queued()).isFalse();
        assertThat(timers.get(0).queued())
                .as("the other CPU's window stays open")
                .isTrue();
        assertThat(gsim.onHandled(line("a"), cpu(1))).isFalse();

        log.clear();
        gsim.onCpuOnline(1, cpu(0));
        assertThat(gsim.onHandled(line("a"), cpu(1))).isTrue();
        assertThat(log).containsExactly("timer 1: 100000", "moderate a");
    }

    @Test
    void suspendClosesAllWindowsAndResumeAllowsThemAgain() {
        FlowPolicy gsim = gsim(100);
        gsim.onHandled(line("a"), cpu(0));
        gsim.onHandled(line("b"), cpu(1));
        log.clear();

        gsim.onSuspend(cpu(0));
        assertThat(log).containsExactly("unmoderate a", "unmoderate b");
        assertThat(timers).noneMatch(FakeTimer::queued);
        assertThat(gsim.onHandled(line("a"), cpu(0))).isFalse();

        gsim.onResume(cpu(0));
        assertThat(gsim.onHandled(line("a"), cpu(0))).isTrue();
        assertThat(gsim.onHandled(line("b"), cpu(1))).isTrue();
    }

    @Test
    void theTimersHaveTwoMicrosecondsOfSlack() {
        gsim(100);

        assertThat(timers).hasSize(2).allMatch(timer -> timer.slackNs == 2_000);
    }

    @Test
    void aDelayOutOfRangeIsRefused() {
        PolicyRegistry registry = PolicyRegistry.of(List.of(new GsimProvider()));

        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse("gsim:delay_us=501", registry))
                .withMessage("gsim: delay_us=501 is out of range; expected 0 to 500 us");
    }

    private FlowPolicy gsim(long delayUs) {
        return (FlowPolicy) new GsimProvider().create(new FakeContext(settings(delayUs)));
    }

    private static PolicySettings settings(long delayUs) {
        return PolicySettings.check(
                "gsim", new GsimProvider().parameters(), Map.of("delay_us", Long.toString(delayUs)));
    }

    private PolicyCpu cpu(int number) {
        return new PolicyCpu() {
            @Override
            public int number() {
                return number;
            }

            @Override
            public long readClockNs() {
                clockReads++;
                return nowNs;
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
        };
    }

    private IrqLine line(String name) {
        return new FakeLine(name);
    }

    private final class FakeTimer implements PolicyTimer {
        private final int cpu;
        private final long slackNs;
        private final Callback callback;
        private boolean queued;

        FakeTimer(int cpu, long slackNs, Callback callback) {
            this.cpu = cpu;
            this.slackNs = slackNs;
            this.callback = callback;
        }

        void expire(PolicyCpu running) {
            queued = false;
            callback.onExpiry(running);
        }

        @Override
        public void arm(PolicyCpu running, long delayNs) {
            queued = true;
            log.add("timer " + cpu + ": " + delayNs);
        }

        @Override
        public void cancel() {
            queued = false;
        }

        @Override
        public boolean queued() {
            return queued;
        }
    }

    private final class FakeContext implements PolicyContext {
        private final PolicySettings settings;

        FakeContext(PolicySettings settings) {
            this.settings = settings;
        }

        @Override
        public PolicySettings settings() {
            return settings;
        }

        @Override
        public int cpus() {
            return 2;
        }

        @Override
        public PolicyTimer timer(int cpu, long slackNs, PolicyTimer.Callback callback) {
            var timer = new FakeTimer(cpu, slackNs, callback);
            timers.add(timer);
            return timer;
        }

        @Override
        public RandomStream random(String name) {
            return RandomStream.of(1, name);
        }

        @Override
        public <T> List<T> devices(Class<T> type) {
            return List.of();
        }
    }

    private final class FakeLine implements IrqLine {
        private final String name;

        FakeLine(String name) {
            this.name = name;
        }

        @Override
        public int irq() {
            return 64;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean moderatable() {
            return true;
        }

        @Override
        public void moderate(PolicyCpu cpu) {
            log.add("moderate " + name);
        }

        @Override
        public void unmoderate(PolicyCpu cpu) {
            log.add("unmoderate " + name);
        }

        @Override
        public void disable(PolicyCpu cpu) {
            log.add("disable " + name);
        }

        @Override
        public void enable(PolicyCpu cpu) {
            log.add("enable " + name);
        }
    }
}
