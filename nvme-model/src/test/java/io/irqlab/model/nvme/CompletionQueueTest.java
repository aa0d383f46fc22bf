package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompletionQueueTest {
    private static final int DEPTH = 4;

    private final CompletionQueue queue = new CompletionQueue(DEPTH);

    private void post(int commandId, long fromNs) {
        assertThat(queue.reserve()).isTrue();
        queue.post(commandId, 0, fromNs);
    }

    @Test
    void itIsEmptyAtFirst() {
        assertThat(queue.pending(Long.MAX_VALUE)).isFalse();
        assertThat(queue.head()).isZero();
    }

    @Test
    void anEntryIsSeenFromTheTimeOnAtWhichItIsInMemory() {
        post(9, 1_000);

        assertThat(queue.pending(999)).isFalse();
        assertThat(queue.pending(1_000)).isTrue();
        assertThat(queue.headCommandId()).isEqualTo(9);
    }

    @Test
    void anEntryReportsTheSubmissionQueuesHead() {
        queue.reserve();
        queue.post(1, 3, 0);

        assertThat(queue.headSqHead()).isEqualTo(3);
    }

    @Test
    void entriesOfTheLastTimeAroundAreNotSeenAgain() {
        for (int commandId = 0; commandId < DEPTH; commandId++) {
            post(commandId, 0);
            queue.advance();
            queue.ringDoorbell(queue.head());
        }

        assertThat(queue.head()).as("the head has gone around").isZero();
        assertThat(queue.pending(0)).isFalse();
        post(44, 0);
        assertThat(queue.pending(0)).isTrue();
        assertThat(queue.headCommandId()).isEqualTo(44);
        queue.advance();
        assertThat(queue.pending(0)).isFalse();
    }

    @Test
    void itHoldsOneEntryLessThanItsDepth() {
        for (int commandId = 0; commandId < DEPTH - 1; commandId++) {
            post(commandId, 0);
        }

        assertThat(queue.reserve()).isFalse();
    }

    @Test
    void aClaimedEntryCountsBeforeItIsWritten() {
        for (int claim = 0; claim < DEPTH - 1; claim++) {
            assertThat(queue.reserve()).isTrue();
        }

        assertThat(queue.reserve()).isFalse();
        queue.post(0, 0, 0);
        assertThat(queue.reserve()).as("writing a claimed entry frees none").isFalse();
    }

    @Test
    void readingFreesAnEntryOnlyAtTheHeadDoorbell() {
        for (int commandId = 0; commandId < DEPTH - 1; commandId++) {
            post(commandId, 0);
        }
        queue.advance();
        queue.advance();
        assertThat(queue.reserve()).isFalse();

        queue.ringDoorbell(queue.head());
        assertThat(queue.reserve()).isTrue();
        assertThat(queue.reserve()).isTrue();
        assertThat(queue.reserve()).isFalse();
    }

    @Test
    void anEntryThatWasNotClaimedCannotBeWritten() {
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.post(0, 0, 0))
                .withMessage("a completion was posted without a free entry");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, DEPTH, DEPTH + 1})
    void aDoorbellOutsideTheRingIsRefused(int value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> queue.ringDoorbell(value))
                .withMessage("doorbell must be 0 to 3, was " + value);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 65_537})
    void aDepthThatNoRingHasIsRefused(int depth) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CompletionQueue(depth))
                .withMessage("queue depth must be 2 to 65536, was " + depth);
    }

    /** Host and controller take random turns; the oracle counts without ever going around. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void inAnyInterleavingTheHostSeesEveryEntryOnceInOrder(long seed) {
        record Entry(int commandId, int sqHead, long fromNs) {}
        RandomStream random = RandomStream.of(seed, "completion-queue-test");
        int depth = 2 + random.nextInt(16);
        var ring = new CompletionQueue(depth);
        var unread = new ArrayDeque<Entry>();
        var read = new ArrayList<Integer>();
        long nowNs = 0;
        long claimed = 0;
        long posted = 0;
        long freed = 0;
        for (int step = 0; step < 20_000; step++) {
            nowNs += random.nextInt(10);
            switch (random.nextInt(4)) {
                case 0 -> {
                    boolean free = claimed - freed < depth - 1;
                    assertThat(ring.reserve())
                            .as("seed %d, step %d: claim", seed, step)
                            .isEqualTo(free);
                    claimed += free ? 1 : 0;
                }
                case 1 -> {
                    if (posted < claimed) {
                        long earliestNs = unread.isEmpty()
                                ? nowNs
                                : Math.max(nowNs, unread.getLast().fromNs());
                        var entry = new Entry((int) posted, random.nextInt(depth), earliestNs + random.nextInt(20));
                        ring.post(entry.commandId(), entry.sqHead(), entry.fromNs());
                        unread.add(entry);
                        posted++;
                    }
                }
                case 2 -> {
                    if (ring.pending(nowNs)) {
                        Entry entry = unread.remove();
                        assertThat(ring.headCommandId()).as("seed %d", seed).isEqualTo(entry.commandId());
                        assertThat(ring.headSqHead()).as("seed %d", seed).isEqualTo(entry.sqHead());
                        read.add(entry.commandId());
                        ring.advance();
                    }
                }
                default -> {
                    ring.ringDoorbell(ring.head());
                    freed = read.size();
                }
            }
            assertThat(ring.pending(nowNs))
                    .as("seed %d, step %d: an entry to read", seed, step)
                    .isEqualTo(!unread.isEmpty() && unread.peek().fromNs() <= nowNs);
            assertThat(ring.head()).as("seed %d, step %d: head", seed, step).isEqualTo(read.size() % depth);
        }
        assertThat(read.size()).as("seed %d: times around", seed).isGreaterThan(100 * depth);
    }
}
