package io.irqlab.model.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.model.workload.BlockSize.Range;
import io.irqlab.model.workload.BlockSize.Share;
import io.irqlab.model.workload.BlockSize.Split;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The sizes that come of random draws. */
final class BlockSizeTest {
    private static final int DRAWS = 100_000;

    private static Map<Integer, Integer> drawn(BlockSize size) {
        var random = new SplittableRandom(4);
        var counts = new TreeMap<Integer, Integer>();
        for (int i = 0; i < DRAWS; i++) {
            counts.merge(size.bytes(random.nextLong()), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void oneSizeComesOfEveryDraw() {
        assertThat(drawn(BlockSize.of(4096))).containsOnlyKeys(4096);
    }

    @Test
    void aRangeGivesEveryMultipleOfItsLowerEndAlikeOften() {
        var counts = drawn(new Range(4096, 16_384));

        assertThat(counts).containsOnlyKeys(4096, 8192, 12_288, 16_384);
        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(24_500, 25_500));
    }

    @Test
    void aRangeThatIsNoMultipleIsCutOffAtItsUpperEnd() {
        assertThat(drawn(new Range(1536, 4096))).containsOnlyKeys(1536, 3072, 4096);
    }

    @Test
    void theEndsOfTheDrawsGiveTheEndsOfARange() {
        var range = new Range(512, 1 << 30);

        assertThat(range.bytes(0)).isEqualTo(512);
        assertThat(range.bytes(-1)).isEqualTo(1 << 30);
        assertThat(range.bytes(Long.MIN_VALUE)).isEqualTo((1 << 29) + 512);
    }

    @Test
    void sharesAreKept() {
        var split = new Split(List.of(new Share(8192, 60), new Share(4096, 0), new Share(512, 40)));
        var counts = drawn(split);

        assertThat(counts).containsOnlyKeys(512, 8192);
        assertThat(counts.get(8192)).isBetween(59_500, 60_500);
        assertThat(split.minBytes()).isEqualTo(512);
        assertThat(split.maxBytes()).isEqualTo(8192);
    }

    @Test
    void aSizeThatNoDriveHasIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlockSize.of(100))
                .withMessage("size must be a multiple of 512 bytes from 512 to 1073741824, was 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Range(8192, 4096))
                .withMessage("smallest size 8192 must not exceed the largest, 4096");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Split(List.of(new Share(4096, 99))))
                .withMessage("shares must add up to 100 percent, were 99");
    }

    @Test
    void aMixReadsAsOftenAsTold() {
        assertThat(IoPattern.RANDRW.direction(70, 69)).isEqualTo(Direction.READ);
        assertThat(IoPattern.RANDRW.direction(70, 70)).isEqualTo(Direction.WRITE);
        assertThat(IoPattern.RW.direction(0, 0)).isEqualTo(Direction.WRITE);
        assertThat(IoPattern.RW.direction(100, 99)).isEqualTo(Direction.READ);
        assertThat(IoPattern.RANDTRIM.direction(70, 0)).isEqualTo(Direction.TRIM);
        assertThat(IoPattern.RANDRW.mixed()).isTrue();
        assertThat(IoPattern.RANDRW.random()).isTrue();
        assertThat(IoPattern.WRITE.mixed()).isFalse();
    }
}
