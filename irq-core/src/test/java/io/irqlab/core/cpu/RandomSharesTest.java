package io.irqlab.core.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** However fair tasks of random weights come and go, none is owed more than a slice and a tick, nor owes more. */
final class RandomSharesTest {
    private static final long MS = 1_000_000;

    @Test
    void lagIsBoundedAtAnyTime() {
        for (int seed = 0; seed < 30; seed++) {
            var run = new Timeline();
            var random = RandomStream.of(seed, "random-shares");
            var cpu = new Cpu(0, run.queue, TestCosts.free());
            List<Task> tasks = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                boolean sleeps = i > 2;
                Task[] self = new Task[1];
                self[0] = Task.fair(cpu, "task", random.nextInt(21) - 10, on -> {
                    if (sleeps && random.nextInt(6) == 0) {
                        self[0].sleepRange(random.nextInt(2_000_000), 2_000_000);
                        return Routine.DONE;
                    }
                    return 1 + random.nextInt(400_000);
                });
                tasks.add(self[0]);
                self[0].start();
            }
            for (long timeNs = 0; timeNs < 500 * MS; timeNs += random.nextInt(900_000)) {
                run.until(timeNs);
                cpu.times();
                checkLags("seed " + seed + " at " + timeNs + " ns", tasks);
            }
        }
    }

    private static void checkLags(String when, List<Task> tasks) {
        double sum = 0;
        double weight = 0;
        for (Task task : tasks) {
            if (task.state != Task.State.SLEEPING) {
                sum += (double) task.weight * task.vruntimeNs;
                weight += task.weight;
            }
        }
        for (Task task : tasks) {
            if (task.state != Task.State.SLEEPING) {
                double lagNs = (sum / weight - task.vruntimeNs) * task.weight / Task.NICE_0_WEIGHT;
                assertThat(lagNs).as(when).isCloseTo(0.0, within((double) Task.BASE_SLICE_NS + Tick.PERIOD_NS));
            }
        }
    }
}
