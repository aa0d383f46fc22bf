package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SlotBitmapTest {
    private static final long SEED = 5;

    @ParameterizedTest
    @ValueSource(ints = {64, 128, 4096, 8192, 1 << 18, 1 << 20})
    void theNextSlotIsFoundFromAnyPlaceRoundTheEnd(int size) {
        RandomStream random = RandomStream.of(SEED, "bitmap-" + size);
        SlotBitmap bitmap = new SlotBitmap(size);
        TreeSet<Integer> oracle = new TreeSet<>();
        int spread = Math.min(size, 200);

        for (int i = 0; i < 20_000; i++) {
            int slot = random.nextInt(spread) * (size / spread) + random.nextInt(size / spread);
            boolean fill = i / 1_000 % 2 == 0;
            if (random.nextInt(8) == 0 != fill) {
                bitmap.add(slot);
                oracle.add(slot);
            } else {
                Integer there = oracle.ceiling(slot);
                int taken = there == null ? slot : there;
                bitmap.remove(taken);
                oracle.remove(taken);
            }

            int from = random.nextInt(size);
            assertThat(bitmap.next(from))
                    .as("seed %d, step %d: from %d of %s", SEED, i, from, oracle)
                    .isEqualTo(next(oracle, from));
            assertThat(bitmap.contains(slot)).isEqualTo(oracle.contains(slot));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 4096, 1 << 18, 1 << 19})
    void aSingleSlotIsFoundFromEverywhere(int size) {
        for (int slot : new int[] {0, 1, 31, 63, size / 2, size - 64, size - 1}) {
            SlotBitmap bitmap = new SlotBitmap(size);
            assertThat(bitmap.next(slot)).isEqualTo(-1);
            bitmap.add(slot);
            for (int from = 0; from < size; from += Math.max(1, size / 512 - 1)) {
                assertThat(bitmap.next(from)).as("slot %d from %d", slot, from).isEqualTo(slot);
            }
        }
    }

    private static int next(NavigableSet<Integer> slots, int from) {
        if (slots.isEmpty()) {
            return -1;
        }
        Integer after = slots.ceiling(from);
        return after == null ? slots.first() : after;
    }
}
