package io.irqlab.core.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What holds at any time, whatever two CPUs do to each other and to themselves: vectors, timers, softirqs, wake-ups,
 * tasks of all classes, at random.
 */
final class RandomCpusTest {
    private static final int SEEDS = 100;
    private static final long LOAD_NS = 200_000;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void atAnyTimeTheContextsAddUpToTheTimeThatHasPassed(boolean costs) {
        for (int seed = 0; seed < SEEDS; seed++) {
            var machine = new Machine(seed, costs);
            machine.checkAtRandomTimes();
            machine.run.until(LOAD_NS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noStepLosesOrGainsTimeByBeingInterruptedNorBySnapshots(boolean snapshots) {
        for (int seed = 0; seed < SEEDS; seed++) {
            var machine = new Machine(seed, false);
            if (snapshots) {
                machine.checkAtRandomTimes();
            }
            machine.run.until(1_000 * LOAD_NS);
            for (int cpu = 0; cpu < 2; cpu++) {
                CpuTimes times = machine.cpus.get(cpu).times();
                assertThat(times.hardirqNs()).as(machine.name).isEqualTo(machine.hardirqNs[cpu]);
                assertThat(times.softirqNs() + times.systemNs() + times.userNs())
                        .as(machine.name)
                        .isEqualTo(machine.otherNs[cpu]);
                assertThat(times.userNs()).as(machine.name).isEqualTo(machine.userNs[cpu]);
            }
        }
    }

    /** Two CPUs whose code does random things for a while, and then comes to rest. */
    private static final class Machine {
        final Timeline run = new Timeline();
        final String name;
        final List<Cpu> cpus = new ArrayList<>();
        /** The time that the steps of handlers, and of all other code, have asked for. */
        final long[] hardirqNs = new long[2];

        final long[] otherNs = new long[2];
        final long[] userNs = new long[2];
        private final RandomStream random;
        private final List<Task> tasks = new ArrayList<>();
        private final List<Vector> vectors = new ArrayList<>();
        private final List<HrTimer> timers = new ArrayList<>();
        /** For each vector how often it must be taken until nothing of it is pending. */
        private final long[] dueCount = new long[12];

        private final Vector[] inService = new Vector[2];

        Machine(int seed, boolean costs) {
            name = "seed " + seed;
            random = RandomStream.of(seed, "random-cpus");
            CpuCosts cpuCosts = costs ? randomCosts() : TestCosts.free();
            for (int number = 0; number < 2; number++) {
                Cpu cpu = new Cpu(number, run.queue, cpuCosts);
                cpus.add(cpu);
                for (int i = 0; i < 6; i++) {
                    int index = vectors.size();
                    vectors.add(cpu.allocateVector("v" + index, on -> handlerStep(on, index)));
                }
                tasks.add(Task.stop(cpu, "stop", this::taskStep));
                tasks.add(Task.fifo(cpu, "high", 90, this::taskStep));
                tasks.add(Task.fifo(cpu, "low", 10, this::taskStep));
                tasks.add(Task.fair(cpu, "fair", this::taskStep));
                tasks.add(Task.fair(cpu, "fair too", this::taskStep));
                cpu.openSoftirq(Softirq.BLOCK, this::softirqStep);
                cpu.openSoftirq(Softirq.IRQ_POLL, this::softirqStep);
                for (int i = 0; i < 3; i++) {
                    timers.add(new HrTimer(cpu, on -> actAtRandom(on, true)));
                }
            }
            for (long timeNs = 0; timeNs < LOAD_NS; timeNs += random.nextLong(2_000)) {
                Cpu target = cpus.get(random.nextInt(2));
                run.at(timeNs, () -> fromOutside(target));
            }
        }

        private CpuCosts randomCosts() {
            long[] cost = new long[10];
            for (int i = 0; i < cost.length; i++) {
                cost[i] = random.nextInt(2) * random.nextInt(700);
            }
            return new CpuCosts(
                    cost[0],
                    cost[1],
                    cost[2],
                    cost[3],
                    cost[4],
                    0,
                    cost[5],
                    cost[6],
                    cost[7],
                    cost[8],
                    cost[9],
                    VirtualizationCosts.BARE_METAL);
        }

        void checkAtRandomTimes() {
            for (long timeNs = 0; timeNs < LOAD_NS; timeNs += random.nextLong(1_000)) {
                run.at(timeNs, this::check);
            }
        }

        private void check() {
            long nowNs = run.queue.nowNs();
            for (Cpu cpu : cpus) {
                CpuTimes times = cpu.times();
                long sum = times.hardirqNs() + times.softirqNs() + times.systemNs() + times.userNs() + times.idleNs();
                boolean negative = times.hardirqNs() < 0
                        || times.softirqNs() < 0
                        || times.systemNs() < 0
                        || times.userNs() < 0
                        || times.idleNs() < 0;
                if (sum != nowNs || negative || cpu.hardirqTimeNs() != times.hardirqNs()) {
                    fail("%s: at %s ns %s has %s, and %s ns in hardirqs"
                            .formatted(name, nowNs, cpu, times, cpu.hardirqTimeNs()));
                }
            }
        }

        private boolean loaded() {
            return run.queue.nowNs() < LOAD_NS;
        }

        private void fromOutside(Cpu cpu) {
            if (random.nextInt(3) == 0) {
                Task task = tasks.get(random.nextInt(tasks.size()));
                task.wake(cpus.get(1 - task.cpu().number()));
            } else {
                raise(cpu);
            }
        }

        private void raise(Cpu cpu) {
            int index = 6 * cpu.number() + random.nextInt(6);
            dueCount[index] = vectors.get(index).count() + 1;
            cpu.raise(vectors.get(index));
        }

        /** One action of code that runs on a CPU. */
        private void actAtRandom(Cpu cpu, boolean hardirq) {
            if (!loaded()) {
                return;
            }
            switch (random.nextInt(12)) {
                case 0 -> raise(cpu);
                case 1 -> {
                    Task task = tasks.get(random.nextInt(tasks.size()));
                    task.wake(cpu);
                }
                case 2 -> cpu.raiseSoftirq(Softirq.BLOCK);
                case 3 -> cpu.raiseSoftirq(Softirq.IRQ_POLL);
                case 4 -> {
                    HrTimer timer = timers.get(3 * cpu.number() + random.nextInt(3));
                    if (random.nextInt(4) == 0) {
                        timer.cancel();
                    } else {
                        timer.arm(cpu, random.nextInt(5_000), random.nextInt(5_000));
                    }
                }
                case 5 -> {
                    long ns = random.nextInt(500);
                    cpu.spend(ns);
                    ask(cpu, hardirq, ns);
                }
                default -> {}
            }
        }

        private void ask(Cpu cpu, boolean hardirq, long ns) {
            (hardirq ? hardirqNs : otherNs)[cpu.number()] += ns;
        }

        private long ask(Cpu cpu, boolean hardirq) {
            long ns = random.nextInt(3) == 0 ? 0 : random.nextLong(1_500);
            ask(cpu, hardirq, ns);
            return ns;
        }

        private long handlerStep(Cpu cpu, int index) {
            Vector vector = vectors.get(index);
            if (inService[cpu.number()] == null) {
                if (vector.count() > dueCount[index]) {
                    fail("%s: %s was taken and not raised".formatted(name, vector.name()));
                }
                inService[cpu.number()] = vector;
            }
            if (inService[cpu.number()] != vector) {
                fail("%s: %s runs inside %s".formatted(name, vector.name(), inService[cpu.number()].name()));
            }
            if (random.nextInt(2) == 0) {
                inService[cpu.number()] = null;
                return Routine.DONE;
            }
            actAtRandom(cpu, true);
            return ask(cpu, true);
        }

        private long softirqStep(Cpu cpu) {
            assertThatNoHardirqWaits(cpu);
            if (random.nextInt(2) == 0) {
                return Routine.DONE;
            }
            actAtRandom(cpu, false);
            return ask(cpu, false);
        }

        private long taskStep(Cpu cpu) {
            assertThatNoHardirqWaits(cpu);
            switch (random.nextInt(loaded() ? 6 : 1)) {
                case 0 -> {
                    return Routine.DONE;
                }
                case 1 -> {
                    long ns = random.nextInt(900);
                    cpu.spendInUser(ns);
                    userNs[cpu.number()] += ns;
                    ask(cpu, false, ns);
                }
                default -> actAtRandom(cpu, false);
            }
            return ask(cpu, false);
        }

        private void assertThatNoHardirqWaits(Cpu cpu) {
            if (inService[cpu.number()] != null) {
                fail("%s: a step under the handler of %s".formatted(name, inService[cpu.number()].name()));
            }
            for (int i = 6 * cpu.number(); i < 6 * cpu.number() + 6; i++) {
                if (vectors.get(i).count() < dueCount[i]) {
                    fail("%s: a step before the pending v%s".formatted(name, i));
                }
            }
        }
    }
}
