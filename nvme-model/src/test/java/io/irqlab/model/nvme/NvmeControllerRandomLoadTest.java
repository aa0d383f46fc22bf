package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.RandomStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever host and policies do, every command completes exactly once, and the host hears of it though it looks only when
 * an interrupt has come.
 */
final class NvmeControllerRandomLoadTest {
    private static final int STEPS = 3_000;

    /** The host's tags of one queue, as blk-mq has them: one less than the ring's depth. */
    private static final class Tags {
        private final ArrayDeque<Integer> free = new ArrayDeque<>();
        private final boolean[] inFlight;
        private long submitted;
        private long completed;

        Tags(int depth) {
            inFlight = new boolean[depth - 1];
            for (int tag = 0; tag < depth - 1; tag++) {
                free.add(tag);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void everyCommandCompletesExactlyOnce(long seed) {
        RandomStream random = RandomStream.of(seed, "controller-random-load-test");
        var bench = new ControllerBench();
        bench.seed = seed;
        bench.queues = 1 + random.nextInt(80);
        bench.depth = 2 + random.nextInt(20);
        bench.commandSlots = 1 + random.nextInt(40);
        bench.fetchBurst = 1 + random.nextInt(8);
        bench.credits = 1 + random.nextInt(8);
        bench.maxIops = 1_000_000 + random.nextInt(5_000_000);
        bench.msiNs = random.nextInt(300);
        bench.media = DelayDistribution.exponential(5_000 + random.nextInt(20_000));
        bench.featureStallNs = random.nextInt(50_000);
        NvmeController controller = bench.controller();
        var tags = new ArrayList<Tags>();
        for (int i = 0; i < bench.queues; i++) {
            tags.add(new Tags(bench.depth));
        }
        int[] read = new int[1];
        for (int step = 0; step < STEPS; step++) {
            bench.queue.runUntil(bench.queue.nowNs() + random.nextInt(4_000));
            bench.ringsHead = random.nextInt(3) != 0;
            int index = random.nextInt(bench.queues);
            switch (random.nextInt(12)) {
                case 0 -> controller.queues().get(index).vector().mask(bench.cpu);
                case 1, 2 -> controller.queues().get(index).vector().unmask(bench.cpu);
                case 3 -> controller.ringCompletion(index);
                case 4 -> {
                    if (step % 20 == 0) {
                        bench.queue.runUntil(bench.queue.nowNs() + bench.setFeaturesNs);
                        controller.setInterruptCoalescing(
                                new InterruptCoalescing(1 + random.nextInt(6), random.nextInt(3) * 100_000L));
                        bench.queue.runUntil(bench.queue.nowNs() + bench.setFeaturesNs);
                    }
                }
                default -> submitSome(bench, index, tags.get(index), random);
            }
            take(bench, tags, read, seed);
        }
        bench.ringsHead = true;
        for (int round = 0; round < 100; round++) {
            for (int index = 0; index < bench.queues; index++) {
                controller.queues().get(index).vector().unmask(bench.cpu);
                controller.ringCompletion(index);
            }
            bench.queue.runUntil(bench.queue.nowNs() + 1_000_000);
            take(bench, tags, read, seed);
        }

        long submitted = tags.stream().mapToLong(queue -> queue.submitted).sum();
        assertThat(submitted).as("seed %d: commands", seed).isGreaterThan(500);
        assertThat(controller.completed()).as("seed %d", seed).isEqualTo(submitted);
        assertThat(controller.msis()).as("seed %d", seed).isEqualTo(bench.messages.size());
        for (int index = 0; index < bench.queues; index++) {
            Tags queue = tags.get(index);
            assertThat(queue.completed)
                    .as("seed %d: completions of queue %d", seed, index)
                    .isEqualTo(queue.submitted);
            assertThat(bench.submissions(index).backlog())
                    .as("seed %d: backlog of queue %d", seed, index)
                    .isBetween(0, bench.depth - 1);
        }
    }

    private static void submitSome(ControllerBench bench, int index, Tags queue, RandomStream random) {
        int count = Math.min(queue.free.size(), random.nextInt(bench.depth + 1));
        for (int i = 0; i < count; i++) {
            int tag = queue.free.remove();
            queue.inFlight[tag] = true;
            bench.submissions(index).push(tag, Opcode.READ, (1 + random.nextInt(16)) * 512L);
        }
        queue.submitted += count;
        bench.controller().ringSubmission(index);
    }

    /** Gives back the tags of what the host has read since the last call. */
    private static void take(ControllerBench bench, List<Tags> tags, int[] read, long seed) {
        for (; read[0] < bench.completions.size(); read[0]++) {
            var completion = bench.completions.get(read[0]);
            Tags queue = tags.get(completion.queue());
            assertThat(queue.inFlight[completion.commandId()])
                    .as("seed %d: %s is of a command in flight", seed, completion)
                    .isTrue();
            queue.inFlight[completion.commandId()] = false;
            queue.free.add(completion.commandId());
            queue.completed++;
        }
    }
}
