package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.irq.AllocatedBytes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In steady state the scheduler, its tick and all kinds of timers allocate nothing. */
final class SchedulerAllocationTest {
    private static final long MS = 1_000_000;

    private final EventQueue queue = new EventQueue();
    private final CpuCosts costs = costs().hardirq(300, 200)
            .softirqEntry(70)
            .timer(50, 90)
            .tick(700)
            .contextSwitch(400)
            .wakeup(100)
            .ipi(250)
            .idleExit(350)
            .build();
    private final Cpu cpu = new Cpu(0, queue, costs);
    private final Cpu other = new Cpu(1, queue, costs);
    private final HrTimer soft = HrTimer.soft(cpu, this::onSoft);
    private final HrTimer periodic = new HrTimer(other, this::onPeriod);
    private final Task light = Task.fair(cpu, "light", 7, new Sleeper(20_000));
    private final Task heavy = Task.fair(cpu, "heavy", -7, new Sleeper(30_000));
    private final Task quick = Task.fair(cpu, "quick", new Sleeper(10_000));
    private final Task polite = Task.fair(cpu, "polite", this::politeStep);
    private final Task wanderer = Task.fair(cpu, "wanderer", 3, on -> 15_000);
    private final List<CpuMask> homes = List.of(CpuMask.of(0), CpuMask.of(1));
    private int softs;

    @Test
    void turnsTicksAndTimersAllocateNothing() {
        new CpuHotplug(List.of(cpu, other));
        quick.setSliceNs(200_000);
        for (Task task : List.of(light, heavy, quick, polite, wanderer)) {
            task.start();
        }
        Task.fair(cpu, "hog", 2, on -> 40_000).start();
        soft.arm(cpu, 50_000, 0);
        periodic.arm(other, 70_000, 0);
        queue.runUntil(2_000 * MS);
        long timersBefore = cpu.hardirqs(Vector.Source.TIMER);
        long switchesBefore = cpu.contextSwitches();

        long bytesBefore = AllocatedBytes.now();
        queue.runUntil(4_000 * MS);
        long bytes = AllocatedBytes.now() - bytesBefore;

        // Once in a while the virtual machine itself allocates some bytes.
        assertThat(bytes).isLessThan(1_000);
        assertThat(cpu.hardirqs(Vector.Source.TIMER) - timersBefore).isGreaterThan(20_000);
        assertThat(cpu.contextSwitches() - switchesBefore).isGreaterThan(10_000);
    }

    private void onSoft(Cpu on) {
        soft.arm(on, 50_000, 5_000);
        quick.wake(on);
        wanderer.setAffinity(homes.get(++softs % 64 / 32));
    }

    private void onPeriod(Cpu on) {
        periodic.forward(on, 70_000);
        light.wake(on);
        heavy.wake(on);
    }

    private long politeStep(Cpu on) {
        polite.yieldCpu();
        return 5_000;
    }

    /** Runs one step and sleeps until it is woken. */
    private static final class Sleeper implements Routine {
        private final long stepNs;
        private boolean ran;

        Sleeper(long stepNs) {
            this.stepNs = stepNs;
        }

        @Override
        public long step(Cpu on) {
            ran = !ran;
            return ran ? stepNs : DONE;
        }
    }
}
