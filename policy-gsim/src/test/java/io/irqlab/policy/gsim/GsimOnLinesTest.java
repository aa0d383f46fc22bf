package io.irqlab.policy.gsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.irq.FlowType;
import io.irqlab.core.irq.Interrupts;
import io.irqlab.core.irq.IrqAction;
import io.irqlab.core.irq.IrqChip;
import io.irqlab.core.irq.IrqDescriptor;
import io.irqlab.core.irq.IrqReturn;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** GSIM on real interrupt lines and timers, whose own actions cost nothing, so that all times are those of windows. */
final class GsimOnLinesTest {
    private static final long WINDOW_NS = 100_000;
    private static final long SLACK_NS = 2_000;

    private final EventQueue queue = new EventQueue();
    private final Cpu cpu =
            new Cpu(0, queue, new CpuCosts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, VirtualizationCosts.BARE_METAL));

    /** A device with one vector: masked, it keeps one pending bit. */
    private final class Device implements IrqChip, IrqAction {
        private final IrqDescriptor line;
        private final List<Long> handledNs = new ArrayList<>();
        private int waiting;
        private int seen;
        private int masks;
        private boolean masked = true;
        private boolean pendingBit;

        Device(int irq, Gsim policy) {
            line = new Interrupts(new CpuHotplug(List.of(cpu)), queue, policy, report -> {})
                    .allocate(irq, "dev" + irq, FlowType.EDGE, this, CpuMask.of(0));
            line.requestIrq(this, cpu);
        }

        /** Has one more thing to tell, now. */
        void event() {
            waiting++;
            if (masked) {
                pendingBit = true;
            } else {
                line.raise();
            }
        }

        void eventAt(long timeNs) {
            queue.runUntil(timeNs);
            event();
        }

        @Override
        public void ack(Cpu running) {}

        @Override
        public void mask(Cpu running) {
            masks++;
            masked = true;
        }

        @Override
        public void unmask(Cpu running) {
            masked = false;
            if (pendingBit) {
                pendingBit = false;
                line.raise();
            }
        }

        @Override
        public long handlerStep(Cpu running) {
            handledNs.add(queue.nowNs());
            seen += waiting;
            waiting = 0;
            return DONE;
        }

        @Override
        public IrqReturn result() {
            return IrqReturn.HANDLED;
        }

        @Override
        public long threadStep(Cpu running) {
            return DONE;
        }

        private static final long DONE = -1;
    }

    private final class Context implements PolicyContext {
        private final long delayUs;

        Context(long delayUs) {
            this.delayUs = delayUs;
        }

        @Override
        public PolicySettings settings() {
            return PolicySettings.check(
                    "gsim", new GsimProvider().parameters(), Map.of("delay_us", Long.toString(delayUs)));
        }

        @Override
        public int cpus() {
            return 1;
        }

        @Override
        public PolicyTimer timer(int number, long slackNs, PolicyTimer.Callback callback) {
            var timer = new HrTimer(cpu, callback::onExpiry);
            return new PolicyTimer() {
                @Override
                public void arm(PolicyCpu running, long delayNs) {
                    timer.arm(cpu, delayNs, slackNs);
                }

                @Override
                public void cancel() {
                    timer.cancel();
                }

                @Override
                public boolean queued() {
                    return timer.queued();
                }
            };
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

    private Gsim gsim(long delayUs) {
        return new Gsim(new Context(delayUs));
    }

    @Test
    void theFirstInterruptIsServedAtOnceAndItsLineIsNotMaskedYet() {
        var device = new Device(64, gsim(100));
        device.eventAt(5_000);

        assertThat(device.handledNs).containsExactly(5_000L);
        assertThat(device.masked).as("disabling is lazy").isFalse();
        assertThat(device.line.depth()).isEqualTo(1);
        assertThat(device.line.inProgress()).isTrue();
    }

    @Test
    void theFirstInterruptInsideTheWindowIsRefusedAndMasksTheLine() {
        var device = new Device(64, gsim(100));
        device.eventAt(0);
        device.eventAt(10_000);
        assertThat(device.masked).isTrue();
        assertThat(device.line.pending()).isTrue();
        assertThat(device.line.refused()).isEqualTo(1);

        device.eventAt(20_000);
        device.eventAt(30_000);
        assertThat(device.line.refused())
                .as("what is masked does not come to the CPU")
                .isEqualTo(1);
        assertThat(device.handledNs).hasSize(1);
    }

    @Test
    void whatWasRefusedIsReplayedOnceAtTheWindowsEnd() {
        var device = new Device(64, gsim(100));
        device.eventAt(0);
        device.eventAt(10_000);
        device.eventAt(20_000);
        queue.runUntil(WINDOW_NS + SLACK_NS - 1);
        assertThat(device.handledNs).hasSize(1);

        queue.runUntil(1_000_000);
        assertThat(device.handledNs).containsExactly(0L, WINDOW_NS + SLACK_NS);
        assertThat(device.seen).as("events").isEqualTo(3);
        assertThat(device.masked).isFalse();
        assertThat(device.masks).isEqualTo(1);
    }

    @Test
    void aReplayOpensTheNextWindow() {
        var device = new Device(64, gsim(100));
        device.eventAt(0);
        device.eventAt(10_000);
        queue.runUntil(WINDOW_NS + SLACK_NS);
        device.eventAt(WINDOW_NS + SLACK_NS + 10_000);
        queue.runUntil(1_000_000);

        assertThat(device.handledNs).containsExactly(0L, 102_000L, 204_000L);
    }

    @Test
    void aWindowInWhichNothingComesCostsNoMask() {
        var device = new Device(64, gsim(100));
        device.eventAt(0);
        device.eventAt(150_000);
        queue.runUntil(1_000_000);

        assertThat(device.handledNs).containsExactly(0L, 150_000L);
        assertThat(device.masks).isZero();
        assertThat(device.line.depth()).isZero();
    }

    @Test
    void aLineThatIsHandledInsideAWindowGetsOnlyTheRestOfIt() {
        Gsim gsim = gsim(100);
        var first = new Device(64, gsim);
        var second = new Device(65, gsim);
        first.eventAt(0);
        second.eventAt(60_000);
        second.eventAt(70_000);
        queue.runUntil(1_000_000);

        assertThat(second.handledNs).containsExactly(60_000L, WINDOW_NS + SLACK_NS);
        assertThat(gsim.counters()).containsEntry("timer_set", 2L).containsEntry("enqueue", 3L);
    }

    @Test
    void aTimerInterruptWithinTheSlackClosesTheWindowEarly() {
        var device = new Device(64, gsim(100));
        new HrTimer(cpu, running -> {}).arm(cpu, WINDOW_NS + 500, 0);
        device.eventAt(0);
        device.eventAt(10_000);
        queue.runUntil(1_000_000);

        assertThat(device.handledNs).containsExactly(0L, WINDOW_NS + 500);
    }

    @Test
    void aTimerInterruptBeforeTheDelayDoesNot() {
        var device = new Device(64, gsim(100));
        new HrTimer(cpu, running -> {}).arm(cpu, WINDOW_NS - 1, 0);
        device.eventAt(0);
        device.eventAt(10_000);
        queue.runUntil(1_000_000);

        assertThat(device.handledNs).containsExactly(0L, WINDOW_NS + SLACK_NS);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 10, 10000",
        "2, 5, 10000",
        "3, 4, 12000",
        "4, 3, 12000",
        "5, 2, 10000",
        "9, 2, 18000",
        "10, 1, 10000"
    })
    void shortDelaysAddUpToAWindowAfterSeveralInterrupts(long delayUs, int interrupts, long windowNs) {
        var device = new Device(64, gsim(delayUs));
        for (int window = 0; window < 3; window++) {
            long startNs = window * 1_000_000L;
            for (int interrupt = 1; interrupt <= interrupts; interrupt++) {
                assertThat(device.line.depth())
                        .as("before interrupt %d", interrupt)
                        .isZero();
                device.eventAt(startNs + interrupt * 100);
            }
            assertThat(device.line.depth()).isEqualTo(1);
            long endNs = startNs + interrupts * 100 + windowNs + SLACK_NS;
            queue.runUntil(endNs - 1);
            assertThat(device.line.depth()).isEqualTo(1);
            queue.runUntil(endNs);
            assertThat(device.line.depth()).isZero();
        }
    }

    @Test
    void theSumCountsTheInterruptsOfAllLinesOfTheCpu() {
        Gsim gsim = gsim(2);
        var devices = new ArrayList<Device>();
        for (int irq = 64; irq < 69; irq++) {
            devices.add(new Device(irq, gsim));
        }
        devices.forEach(Device::event);

        assertThat(devices.stream().map(device -> device.line.depth())).containsExactly(0, 0, 0, 0, 1);
        assertThat(gsim.counters()).containsEntry("timer_set", 1L).containsEntry("enqueue", 1L);
    }

    @Test
    void aDelayOfZeroTouchesNothing() {
        Gsim gsim = gsim(0);
        var device = new Device(64, gsim);
        for (int event = 0; event < 50; event++) {
            device.eventAt(event * 1_000L);
        }

        assertThat(device.handledNs).hasSize(50);
        assertThat(gsim.counters()).containsEntry("timer_set", 0L).containsEntry("enqueue", 0L);
    }

    @Test
    void aLineThatItsDriverDisabledMeanwhileStaysDisabledAfterTheWindow() {
        var device = new Device(64, gsim(100));
        device.eventAt(0);
        device.line.disable(cpu);
        device.eventAt(10_000);
        queue.runUntil(500_000);
        assertThat(device.handledNs).hasSize(1);
        assertThat(device.line.depth()).isEqualTo(1);

        device.line.enable(cpu);
        queue.runUntil(1_000_000);
        assertThat(device.handledNs).containsExactly(0L, 500_000L);
        assertThat(device.seen).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void noEventIsEverLost(long seed) {
        RandomStream random = RandomStream.of(seed, "gsim-on-lines-test");
        Gsim gsim = gsim(random.nextInt(60));
        var devices = new ArrayList<Device>();
        for (int irq = 64; irq < 68; irq++) {
            devices.add(new Device(irq, gsim));
        }
        int[] events = new int[4];
        for (int step = 0; step < 5_000; step++) {
            int index = random.nextInt(4);
            queue.runUntil(queue.nowNs() + random.nextInt(20_000));
            devices.get(index).event();
            events[index]++;
        }
        queue.runUntil(queue.nowNs() + 1_000_000);

        for (int i = 0; i < 4; i++) {
            Device device = devices.get(i);
            assertThat(device.seen).as("seed %d: events of device %d", seed, i).isEqualTo(events[i]);
            assertThat(device.line.depth()).as("seed %d: device %d", seed, i).isZero();
            assertThat(device.masked).as("seed %d: device %d", seed, i).isFalse();
        }
    }
}
