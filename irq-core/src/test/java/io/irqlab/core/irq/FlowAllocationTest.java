package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In steady state no flow allocates, with several handlers, threads that hold the line, or windows. */
final class FlowAllocationTest {
    private static final long ARRIVAL_GAP_NS = 3_000;
    private static final long WINDOW_NS = 5_000;
    private static final int WARM_UP_EVENTS = 30_000;
    private static final int EVENTS = 30_000;

    private final CpuCosts costs = costs().hardirq(300, 200)
            .timer(50, 90)
            .contextSwitch(100)
            .wakeup(100)
            .ipi(250)
            .build();
    private final EventQueue queue = new EventQueue();
    private final Cpu cpu = new Cpu(0, queue, costs);
    private final Cpu other = new Cpu(1, queue, costs);

    @ParameterizedTest
    @EnumSource(FlowType.class)
    void oneHandler(FlowType flow) {
        var device = new Device(flow, false);
        device.request(1, false);
        assertAllocatesNothing(device);
    }

    @ParameterizedTest
    @EnumSource(FlowType.class)
    void threeThatShareTheLine(FlowType flow) {
        var device = new Device(flow, false);
        device.request(3, false, IrqFlag.SHARED);
        assertAllocatesNothing(device);
    }

    @ParameterizedTest
    @EnumSource(FlowType.class)
    void twoWhoseThreadsHoldTheLine(FlowType flow) {
        var device = new Device(flow, false);
        device.request(2, true, IrqFlag.SHARED, IrqFlag.THREADED, IrqFlag.ONESHOT);
        assertAllocatesNothing(device);
        assertThat(cpu.contextSwitches()).isGreaterThan(EVENTS / 10);
    }

    @ParameterizedTest
    @EnumSource(
            value = FlowType.class,
            names = {"EDGE", "FASTEOI"})
    void windows(FlowType flow) {
        var device = new Device(flow, true);
        device.request(1, false);
        assertAllocatesNothing(device);
        assertThat(device.line.refused()).isGreaterThan(EVENTS / 10);
    }

    @ParameterizedTest
    @EnumSource(FlowType.class)
    void disablesAndReplaysFromAnotherCpu(FlowType flow) {
        var device = new Device(flow, false);
        device.disables = true;
        device.request(1, false);
        assertAllocatesNothing(device);
        assertThat(device.line.refused()).isGreaterThan(EVENTS / 10);
    }

    private void assertAllocatesNothing(Device device) {
        queue.schedule(device.arrival, 0);
        queue.runUntil(WARM_UP_EVENTS * ARRIVAL_GAP_NS);
        long handledBefore = device.line.handled();
        long bytesBefore = AllocatedBytes.now();
        queue.runUntil((WARM_UP_EVENTS + EVENTS) * ARRIVAL_GAP_NS);
        long bytes = AllocatedBytes.now() - bytesBefore;

        // Once in a while the virtual machine itself allocates some bytes.
        assertThat(bytes).isLessThan(EVENTS / 10);
        assertThat(device.line.handled() - handledBefore).isGreaterThan(EVENTS / 10);
    }

    /** A device, its chip and the policy of its line. */
    private final class Device implements IrqChip, FlowPolicy {
        private final int arrival = queue.register(code -> arrive(), 0);
        private final FlowType flow;
        private final IrqDescriptor line;
        private final HrTimer timer;
        private final boolean moderates;
        private boolean disables;
        private boolean disabled;
        private boolean masked = true;
        private boolean pending;
        private boolean active;

        private Device(FlowType flow, boolean moderates) {
            this.flow = flow;
            this.moderates = moderates;
            this.line = new Interrupts(new CpuHotplug(List.of(cpu, other)), queue, this, report -> {})
                    .allocate(1, "line", flow, this, CpuMask.of(0));
            this.timer = new HrTimer(cpu, line::unmoderate);
        }

        private void request(int handlers, boolean threaded, IrqFlag... flags) {
            for (int i = 0; i < handlers; i++) {
                line.requestIrq("handler " + i, new Handler(this, threaded), other, flags);
            }
        }

        private void arrive() {
            queue.schedule(arrival, queue.nowNs() + ARRIVAL_GAP_NS);
            pending = true;
            if (disables) {
                disabled = !disabled;
                if (disabled) {
                    line.disable(other);
                } else {
                    line.enable(other);
                }
            }
            send();
        }

        private void send() {
            if (pending && !masked && !active) {
                if (flow != FlowType.LEVEL) {
                    pending = false;
                    active = flow == FlowType.FASTEOI;
                }
                line.raise();
            }
        }

        private void served() {
            if (flow == FlowType.LEVEL) {
                pending = false;
            }
        }

        @Override
        public void ack(Cpu on) {}

        @Override
        public void eoi(Cpu on) {
            active = false;
            send();
        }

        @Override
        public void mask(Cpu on) {
            on.spend(100);
            masked = true;
        }

        @Override
        public void unmask(Cpu on) {
            on.spend(50);
            masked = false;
            send();
        }

        @Override
        public boolean onHandled(IrqLine handled, PolicyCpu on) {
            if (!moderates) {
                return false;
            }
            handled.moderate(on);
            timer.arm((Cpu) on, WINDOW_NS, 500);
            return true;
        }
    }

    /** One of the line's handlers. */
    private static final class Handler implements IrqAction {
        private final Device device;
        private final boolean threaded;
        private boolean runs;
        private boolean threadRuns;

        private Handler(Device device, boolean threaded) {
            this.device = device;
            this.threaded = threaded;
        }

        @Override
        public long handlerStep(Cpu on) {
            runs = !runs;
            if (runs) {
                return 150;
            }
            if (!threaded) {
                device.served();
            }
            return Routine.DONE;
        }

        @Override
        public IrqReturn result() {
            return threaded ? IrqReturn.WAKE_THREAD : IrqReturn.HANDLED;
        }

        @Override
        public long threadStep(Cpu on) {
            threadRuns = !threadRuns;
            if (threadRuns) {
                return 200;
            }
            device.served();
            return Routine.DONE;
        }
    }
}
