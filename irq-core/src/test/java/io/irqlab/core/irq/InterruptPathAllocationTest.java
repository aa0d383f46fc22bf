package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Softirq;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import org.junit.jupiter.api.Test;

/** In steady state no step of an interrupt's way allocates: vectors, flow, windows, timers, softirqs, tasks, IPIs. */
final class InterruptPathAllocationTest {
    private static final long ARRIVAL_GAP_NS = 2_000;
    private static final long WINDOW_NS = 5_000;
    private static final int WARM_UP_EVENTS = 50_000;
    private static final int EVENTS = 50_000;

    private final CpuCosts costs = costs().hardirq(300, 200)
            .softirqEntry(70)
            .timer(50, 90)
            .contextSwitch(400)
            .wakeup(100)
            .ipi(250)
            .idleExit(350)
            .clockRead(20)
            .build();
    private final EventQueue queue = new EventQueue();
    private final Cpu cpu = new Cpu(0, queue, costs);
    private final Cpu jobCpu = new Cpu(1, queue, costs);
    private final Device device = new Device();
    private final Task job = Task.fair(jobCpu, "job", this::jobStep);
    private boolean jobRuns;
    private boolean softirqRuns;

    @Test
    void anInterruptAllocatesNothing() {
        job.start();
        Task.fair(cpu, "hog", on -> 700).start();
        cpu.openSoftirq(Softirq.BLOCK, this::softirqStep);
        device.line.requestIrq(device, cpu, IrqFlag.THREADED);
        queue.schedule(device.arrival, 0);
        queue.runUntil(WARM_UP_EVENTS * ARRIVAL_GAP_NS);
        long handledBefore = device.line.handled();
        long refusedBefore = device.line.refused();
        long timersBefore = cpu.hardirqs(Vector.Source.TIMER);

        long bytesBefore = AllocatedBytes.now();
        queue.runUntil((WARM_UP_EVENTS + EVENTS) * ARRIVAL_GAP_NS);
        long bytes = AllocatedBytes.now() - bytesBefore;

        // Once in a while the virtual machine itself allocates some bytes.
        assertThat(bytes).isLessThan(EVENTS / 100);
        assertThat(device.line.handled() - handledBefore).isGreaterThan(EVENTS / 10);
        assertThat(device.line.refused() - refusedBefore).isGreaterThan(EVENTS / 10);
        assertThat(cpu.hardirqs(Vector.Source.TIMER) - timersBefore).isGreaterThan(EVENTS / 10);
        assertThat(jobCpu.contextSwitches()).isGreaterThan(EVENTS / 10);
    }

    @Test
    void theMeasurementSeesAnAllocation() {
        long before = AllocatedBytes.now();
        var allocated = new byte[1_000];
        assertThat(AllocatedBytes.now() - before).isBetween(1_000L, 100_000L);
        assertThat(allocated).hasSize(1_000);
    }

    private long jobStep(Cpu on) {
        jobRuns = !jobRuns;
        if (!jobRuns) {
            return Routine.DONE;
        }
        on.spendInUser(100);
        return 100;
    }

    private long softirqStep(Cpu on) {
        softirqRuns = !softirqRuns;
        if (!softirqRuns) {
            return Routine.DONE;
        }
        job.wake(on);
        return 100;
    }

    /** A device, its chip, its driver, and the policy of its line. */
    private final class Device implements IrqChip, IrqAction, FlowPolicy {
        private final int arrival = queue.register(code -> arrive(), 0);
        private final IrqDescriptor line = TestInterrupts.edge(queue, 1, "line", cpu, this, this);
        private final HrTimer timer = new HrTimer(cpu, line::unmoderate);
        private boolean masked = true;
        private boolean pending;
        private boolean handlerRuns;
        private int threadSteps;
        private int asked;

        private void arrive() {
            queue.schedule(arrival, queue.nowNs() + ARRIVAL_GAP_NS);
            if (masked) {
                pending = true;
            } else {
                line.raise();
            }
        }

        @Override
        public void ack(Cpu on) {}

        @Override
        public void mask(Cpu on) {
            on.spend(100);
            masked = true;
        }

        @Override
        public void unmask(Cpu on) {
            on.spend(50);
            masked = false;
            if (pending) {
                pending = false;
                line.raise();
            }
        }

        @Override
        public boolean onHandled(IrqLine handled, PolicyCpu on) {
            asked++;
            if (asked % 3 == 0 || on.readClockNs() < 0) {
                return false;
            }
            handled.moderate(on);
            timer.arm((Cpu) on, WINDOW_NS, 500);
            return true;
        }

        @Override
        public long handlerStep(Cpu on) {
            handlerRuns = !handlerRuns;
            if (!handlerRuns) {
                return Routine.DONE;
            }
            on.raiseSoftirq(Softirq.BLOCK);
            return 150;
        }

        @Override
        public IrqReturn result() {
            return IrqReturn.WAKE_THREAD;
        }

        @Override
        public long threadStep(Cpu on) {
            threadSteps++;
            if (threadSteps % 3 == 0) {
                return Routine.DONE;
            }
            if (threadSteps % 3 == 1) {
                return 200;
            }
            line.thread().sleepRange(500, 1_000);
            return Routine.DONE;
        }
    }
}
