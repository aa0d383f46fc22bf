package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.engine.RandomStream;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadyQueuesTest {

    @Test
    void noQueueIsReadyAtFirst() {
        assertThat(new ReadyQueues(128).firstFrom(77)).isEqualTo(-1);
    }

    @Test
    void theSearchGoesAroundAtTheEnd() {
        var ready = new ReadyQueues(70);
        ready.add(3);
        ready.add(66);

        assertThat(ready.firstFrom(0)).isEqualTo(3);
        assertThat(ready.firstFrom(3)).isEqualTo(3);
        assertThat(ready.firstFrom(4)).isEqualTo(66);
        assertThat(ready.firstFrom(67)).isEqualTo(3);
    }

    @Test
    void aQueueBeforeTheStartInTheSameWordIsFoundLast() {
        var ready = new ReadyQueues(200);
        ready.add(130);

        assertThat(ready.firstFrom(131)).isEqualTo(130);
        ready.add(129);
        assertThat(ready.firstFrom(131)).isEqualTo(129);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 128, 130, 1000})
    void itFindsWhatALookAtEveryQueueWouldFind(int queues) {
        long seed = queues;
        RandomStream random = RandomStream.of(seed, "ready-queues-test");
        var ready = new ReadyQueues(queues);
        var model = new TreeSet<Integer>();
        for (int operation = 0; operation < 5_000; operation++) {
            int queue = random.nextInt(queues);
            switch (random.nextInt(3)) {
                case 0 -> {
                    ready.add(queue);
                    model.add(queue);
                }
                case 1 -> {
                    ready.remove(queue);
                    model.remove(queue);
                }
                default -> {
                    Integer next = model.ceiling(queue);
                    int expected = next != null ? next : model.isEmpty() ? -1 : model.first();
                    assertThat(ready.firstFrom(queue))
                            .as("seed %d: the first of %s from %d", seed, model, queue)
                            .isEqualTo(expected);
                }
            }
        }
    }
}
