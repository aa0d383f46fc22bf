package io.irqlab.core.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What holds whatever three CPUs that come and go do: tasks of all classes and weights that sleep, yield, and change their
 * slices and CPUs; timers of all kinds; softirqs and interrupts, at random.
 */
final class RandomHotplugTest {
    private static final int SEEDS = 60;
    private static final int CPUS = 3;
    private static final long LOAD_NS = 6_000_000;
    private static final long REST_NS = 10_000_000_000L;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noTaskAndNoTimerIsLostAndAllTimeIsAccountedFor(boolean costs) {
        for (int seed = 0; seed < SEEDS; seed++) {
            var machine = new Machine(seed, costs);
            machine.run.until(LOAD_NS);
            machine.rest();
        }
    }

    private static final class Machine {
        final Timeline run = new Timeline();
        private final String name;
        private final RandomStream random;
        private final List<Cpu> cpus = new ArrayList<>();
        private final CpuHotplug hotplug;
        /** Wakes tasks from outside, at no CPU's expense. */
        private final Cpu outside = new Cpu(9, run.queue, TestCosts.free());

        private final List<Task> tasks = new ArrayList<>();
        /** The task was woken and has not begun a step since. */
        private final List<boolean[]> due = new ArrayList<>();

        private final List<Vector> vectors = new ArrayList<>();
        private final List<HrTimer> timers = new ArrayList<>();
        private long armed;
        private long expired;

        Machine(int seed, boolean costs) {
            name = "seed " + seed;
            random = RandomStream.of(seed, "random-hotplug");
            for (int number = 0; number < CPUS; number++) {
                cpus.add(new Cpu(number, run.queue, costs ? randomCosts() : TestCosts.free()));
            }
            hotplug = new CpuHotplug(cpus);
            for (Cpu cpu : cpus) {
                add(index -> Task.stop(cpu, "stop", on -> taskStep(on, index)));
                add(index -> Task.fifo(cpu, "fifo", 1 + random.nextInt(3), on -> taskStep(on, index)));
                add(index -> Task.roundRobin(cpu, "rr", 1 + random.nextInt(3), on -> taskStep(on, index)));
                for (int i = 0; i < 3; i++) {
                    add(index -> Task.fair(cpu, "fair", random.nextInt(40) - 20, on -> taskStep(on, index)));
                }
                cpu.openSoftirq(Softirq.BLOCK, this::softirqStep);
                cpu.openSoftirq(Softirq.NET_RX, this::softirqStep);
                timers.add(new HrTimer(cpu, this::expire));
                timers.add(HrTimer.soft(cpu, this::expire));
                timers.add(HrTimer.unpinned(this::expire));
                vectors.add(cpu.allocateVector("irq", this::handlerStep));
            }
            for (long timeNs = 0; timeNs < LOAD_NS; timeNs += random.nextLong(6_000)) {
                run.at(timeNs, this::fromOutside);
                run.at(timeNs + random.nextInt(2_000), this::check);
            }
        }

        private void add(IntFunction<Task> task) {
            due.add(new boolean[1]);
            tasks.add(task.apply(tasks.size()));
        }

        private CpuCosts randomCosts() {
            return TestCosts.costs()
                    .hardirq(random.nextInt(400), random.nextInt(300))
                    .softirqEntry(random.nextInt(100))
                    .timer(random.nextInt(100), random.nextInt(100))
                    .tick(random.nextInt(900))
                    .contextSwitch(random.nextInt(1_500))
                    .wakeup(random.nextInt(300))
                    .ipi(random.nextInt(900))
                    .idleExit(random.nextInt(2_000))
                    .build();
        }

        /** All CPUs come back and nothing new begins, so what was asked for must have been done in the end. */
        void rest() {
            for (long ns = LOAD_NS; ns < LOAD_NS + 3_000_000; ns += 500_000) {
                run.at(ns, () -> cpus.stream().filter(cpu -> !cpu.online()).forEach(hotplug::up));
            }
            run.until(LOAD_NS + REST_NS);
            check();
            for (int i = 0; i < tasks.size(); i++) {
                assertThat(due.get(i)[0]).as("%s: %s waits", name, tasks.get(i)).isFalse();
                assertThat(tasks.get(i).state).as("%s: %s", name, tasks.get(i)).isEqualTo(Task.State.SLEEPING);
            }
            for (Cpu cpu : cpus) {
                assertThat(cpu.idle()).as("%s: %s idle", name, cpu).isTrue();
                assertThat(cpu.wantsNothing()).as("%s: %s", name, cpu).isTrue();
            }
            assertThat(timers).as(name).noneMatch(HrTimer::queued);
            assertThat(expired).as(name).isEqualTo(armed);
        }

        private void check() {
            long nowNs = run.queue.nowNs();
            for (Cpu cpu : cpus) {
                CpuTimes times = cpu.times();
                long sum = times.hardirqNs() + times.softirqNs() + times.systemNs() + times.userNs() + times.idleNs();
                assertThat(sum).as("%s: %s has %s", name, cpu, times).isEqualTo(nowNs);
                Task current = cpu.scheduler.current();
                if (current != null && (current.cpu() != cpu || current.state != Task.State.RUNNING)) {
                    fail("%s: %s runs %s, which is %s".formatted(name, cpu, current, current.state));
                }
                if (cpu.idle() && cpu.online() && cpu.runnableTasks() > 0 && !cpu.needResched()) {
                    fail("%s: %s idles at %s ns, and tasks wait".formatted(name, cpu, nowNs));
                }
                if (!cpu.online() && cpu.runnableTasks() > (current == null ? 0 : 1)) {
                    fail("%s: tasks wait on %s, which is offline".formatted(name, cpu));
                }
            }
            for (Task task : tasks) {
                boolean runs = task.cpu().scheduler.current() == task;
                if (runs != (task.state == Task.State.RUNNING)) {
                    fail("%s: %s is %s".formatted(name, task, task.state));
                }
                if (task.state == Task.State.RUNNABLE && !task.cpu().online()) {
                    fail("%s: %s waits offline".formatted(name, task));
                }
            }
        }

        private boolean loaded() {
            return run.queue.nowNs() < LOAD_NS;
        }

        private void fromOutside() {
            Cpu cpu = cpus.get(random.nextInt(CPUS));
            switch (random.nextInt(8)) {
                case 0 -> {
                    if (!cpu.online()) {
                        hotplug.up(cpu);
                    } else if (random.nextInt(4) == 0
                            && cpus.stream().filter(Cpu::online).count() > 1) {
                        hotplug.down(cpu);
                    }
                }
                case 1 -> setAffinity();
                case 2, 3 -> wake(outside);
                default -> cpu.raise(vectors.get(cpu.number()));
            }
        }

        private void wake(Cpu waker) {
            int index = random.nextInt(tasks.size());
            due.get(index)[0] = true;
            tasks.get(index).wake(waker);
        }

        private void setAffinity() {
            Task task = tasks.get(random.nextInt(tasks.size()));
            int first = random.nextInt(CPUS);
            CpuMask mask = CpuMask.range(first, first + random.nextInt(CPUS - first));
            if (!task.perCpu && hotplug.firstOnline(mask) != null) {
                task.setAffinity(mask);
            }
        }

        private void act(Cpu cpu) {
            if (!cpu.online()) {
                fail("%s: code runs on %s, which is offline".formatted(name, cpu));
            }
            if (!loaded()) {
                return;
            }
            switch (random.nextInt(14)) {
                case 0, 1 -> wake(cpu);
                case 2 -> cpu.raiseSoftirq(Softirq.BLOCK);
                case 3 -> cpu.raiseSoftirq(Softirq.NET_RX);
                case 4, 5 -> arm(cpu);
                case 6 -> setAffinity();
                case 7 -> {
                    if (random.nextInt(8) == 0
                            && cpus.stream().filter(Cpu::online).count() > 1) {
                        hotplug.down(cpu);
                    }
                }
                case 8 -> cpu.spend(random.nextInt(700));
                case 9 -> cpu.raise(vectors.get(cpu.number()));
                default -> {}
            }
        }

        private void arm(Cpu cpu) {
            HrTimer timer = timers.get(3 * cpu.number() + random.nextInt(3));
            if (timer.queued()) {
                armed--;
                timer.cancel();
            }
            if (random.nextInt(4) > 0) {
                armed++;
                timer.arm(cpu, random.nextInt(20_000), random.nextInt(5_000));
            }
        }

        private void expire(Cpu cpu) {
            expired++;
            act(cpu);
        }

        private long handlerStep(Cpu cpu) {
            if (random.nextInt(2) == 0) {
                return Routine.DONE;
            }
            act(cpu);
            return random.nextInt(900);
        }

        private long softirqStep(Cpu cpu) {
            if (random.nextInt(2) == 0) {
                return Routine.DONE;
            }
            act(cpu);
            return random.nextInt(900);
        }

        private long taskStep(Cpu cpu, int index) {
            Task task = tasks.get(index);
            due.get(index)[0] = false;
            if (task.cpu() != cpu || cpu.scheduler.current() != task) {
                fail("%s: a step of %s on %s".formatted(name, task, cpu));
            }
            if (!loaded()) {
                return Routine.DONE;
            }
            switch (random.nextInt(10)) {
                case 0 -> {
                    task.sleepRange(random.nextInt(3_000), 3_000 + random.nextInt(3_000));
                    return Routine.DONE;
                }
                case 1, 2, 3 -> {
                    return Routine.DONE;
                }
                case 4 -> {
                    task.yieldCpu();
                    return random.nextInt(500);
                }
                case 5 -> task.setSliceNs(100_000 + random.nextInt(5_000_000));
                case 6 -> cpu.spendInUser(random.nextInt(2_000));
                default -> act(cpu);
            }
            return random.nextInt(20) == 0 ? random.nextInt(800_000) : random.nextInt(3_000);
        }
    }
}
