package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SubmissionQueueTest {
    private static final int DEPTH = 4;

    private final SubmissionQueue queue = new SubmissionQueue(DEPTH);

    private void fetchAll() {
        while (queue.hasEntry()) {
            queue.fetched();
        }
    }

    @Test
    void anEntryIsNotThereBeforeTheDoorbell() {
        queue.push(17, Opcode.READ, 4096);
        assertThat(queue.hasEntry()).isFalse();

        queue.ringDoorbell(queue.tail());
        assertThat(queue.hasEntry()).isTrue();
        assertThat(queue.headCommandId()).isEqualTo(17);
        assertThat(queue.headBytes()).isEqualTo(4096);
    }

    @Test
    void aDoorbellMayCoverSomeOfTheEntries() {
        queue.push(1, Opcode.READ, 512);
        int tail = queue.tail();
        queue.push(2, Opcode.READ, 512);
        queue.ringDoorbell(tail);
        queue.fetched();

        assertThat(queue.hasEntry()).isFalse();
    }

    @Test
    void itIsFullWhenOneEntryIsFree() {
        for (int commandId = 0; commandId < DEPTH - 1; commandId++) {
            queue.push(commandId, Opcode.READ, 512);
        }

        assertThat(queue.backlog()).isEqualTo(DEPTH - 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> queue.push(3, Opcode.READ, 512))
                .withMessage("submission queue of 4 entries is full");
    }

    @Test
    void fetchingFreesAnEntryOnlyWhenTheHostIsToldOfIt() {
        for (int commandId = 0; commandId < DEPTH - 1; commandId++) {
            queue.push(commandId, Opcode.READ, 512);
        }
        queue.ringDoorbell(queue.tail());
        fetchAll();
        assertThatIllegalStateException().isThrownBy(() -> queue.push(3, Opcode.READ, 512));

        queue.headReported(1);
        queue.push(3, Opcode.READ, 512);
        assertThatIllegalStateException().isThrownBy(() -> queue.push(4, Opcode.READ, 512));
    }

    @Test
    void theBacklogCountsWhatIsWrittenAndNotReportedFetchedAlsoBeforeTheDoorbell() {
        queue.push(0, Opcode.READ, 512);
        queue.push(1, Opcode.READ, 512);
        assertThat(queue.backlog()).isEqualTo(2);

        queue.ringDoorbell(queue.tail());
        fetchAll();
        assertThat(queue.backlog()).as("fetched, but not reported").isEqualTo(2);

        queue.headReported(queue.head());
        assertThat(queue.backlog()).isZero();
    }

    @Test
    void theBacklogIsRightWhenTheTailHasGoneAroundAndTheHeadHasNot() {
        queue.push(0, Opcode.READ, 512);
        queue.push(1, Opcode.READ, 512);
        queue.push(2, Opcode.READ, 512);
        queue.headReported(3);
        queue.push(3, Opcode.READ, 512);
        queue.push(4, Opcode.READ, 512);

        assertThat(queue.tail()).isEqualTo(1);
        assertThat(queue.backlog()).isEqualTo(2);
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
                .isThrownBy(() -> new SubmissionQueue(depth))
                .withMessage("queue depth must be 2 to 65536, was " + depth);
    }

    @Test
    void theSmallestAndTheGreatestRingWork() {
        var smallest = new SubmissionQueue(2);
        for (int i = 0; i < 5; i++) {
            smallest.push(i, Opcode.READ, 512);
            assertThat(smallest.backlog()).isEqualTo(1);
            smallest.ringDoorbell(smallest.tail());
            smallest.fetched();
            smallest.headReported(smallest.head());
        }
        assertThat(new SubmissionQueue(65_536).depth()).isEqualTo(65_536);
    }

    /** Host and controller take random turns; the oracle counts without ever going around. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void inAnyInterleavingItIsAQueueOfDepthLessOne(long seed) {
        record Entry(int commandId, long bytes) {}
        RandomStream random = RandomStream.of(seed, "submission-queue-test");
        int depth = 2 + random.nextInt(16);
        var ring = new SubmissionQueue(depth);
        var written = new ArrayDeque<Entry>();
        long pushed = 0;
        long visible = 0;
        long fetched = 0;
        long reported = 0;
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    var entry = new Entry(random.nextInt(1_000), random.nextInt(9) * 512L);
                    if (pushed - reported < depth - 1) {
                        ring.push(entry.commandId(), Opcode.READ, entry.bytes());
                        written.add(entry);
                        pushed++;
                    } else {
                        assertThatIllegalStateException().isThrownBy(() -> ring.push(0, Opcode.READ, 0));
                    }
                }
                case 1 -> {
                    visible = pushed;
                    ring.ringDoorbell(ring.tail());
                }
                case 2 -> {
                    if (fetched < visible) {
                        Entry entry = written.remove();
                        assertThat(ring.headCommandId()).as("seed %d", seed).isEqualTo(entry.commandId());
                        assertThat(ring.headBytes()).as("seed %d", seed).isEqualTo(entry.bytes());
                        ring.fetched();
                        fetched++;
                    }
                }
                default -> {
                    reported += random.nextLong(fetched - reported + 1);
                    ring.headReported((int) (reported % depth));
                }
            }
            assertThat(ring.hasEntry())
                    .as("seed %d, step %d: an entry to fetch", seed, step)
                    .isEqualTo(fetched < visible);
            assertThat(ring.head()).as("seed %d, step %d: head", seed, step).isEqualTo((int) (fetched % depth));
            assertThat(ring.tail()).as("seed %d, step %d: tail", seed, step).isEqualTo((int) (pushed % depth));
            assertThat(ring.backlog())
                    .as("seed %d, step %d: backlog", seed, step)
                    .isEqualTo((int) (pushed - reported));
        }
        assertThat(pushed).as("seed %d: times around", seed).isGreaterThan(100L * depth);
    }
}
