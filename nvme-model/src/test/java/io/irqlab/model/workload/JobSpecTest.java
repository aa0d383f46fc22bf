package io.irqlab.model.workload;

import static io.irqlab.model.workload.FioTexts.jobWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The parts of a job hold together whoever makes them, and cannot be changed. */
final class JobSpecTest {

    @Test
    void twoReadingsOfOneFileAreEqual() {
        assertThat(jobWith("rate=1m", "bssplit=4k/60:8k/40", "cpus_allowed=0-3"))
                .isEqualTo(jobWith("rate=1m", "bssplit=4k/60:8k/40", "cpus_allowed=0-3"));
    }

    @Test
    void aDepthOutsideItsRangesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueueDepth(0, 1, 1, 1, 1))
                .withMessage("iodepth must be 1 or more, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueueDepth(4, 5, 1, 1, 1))
                .withMessage("batchSubmit must be 1 to 4, was 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueueDepth(4, 1, 5, 5, 1))
                .withMessage("completeMin must be 0 to 4, was 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueueDepth(4, 1, 2, 1, 1))
                .withMessage("completeMax must be 2 or more, was 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QueueDepth(4, 1, 1, 1, 0))
                .withMessage("low must be 1 to 4, was 0");
    }

    @Test
    void pausesAndFilesOutsideTheirRangesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ThinkTime(-1, 1))
                .withMessage("pause must not be negative, was -1 ns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FileSet(List.of(), FileSet.Service.RANDOM, 1))
                .withMessage("a job needs a file");
    }

    @Test
    void collectionsAreCopied() {
        var names = new ArrayList<>(List.of("a"));
        var limits = new HashMap<>(Map.of(Direction.READ, 1L));
        var files = new FileSet(names, FileSet.Service.RANDOM, 1);
        var rate = new RateLimit(limits, Map.of(), RateLimit.Arrivals.LINEAR);
        names.add("b");
        limits.clear();

        assertThat(files.names()).containsExactly("a");
        assertThat(rate.bytesPerSecond()).hasSize(1);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> files.names().add("c"));
    }

    @Test
    void cpusAreInAscendingOrderHoweverTheyWereGiven() {
        var descending = ImmutableSortedSet.copyOf(Comparator.<Integer>reverseOrder(), List.of(0, 1, 2));

        assertThat(new CpuAffinity(descending, CpuAffinity.Policy.SPLIT).cpusOf(0))
                .containsExactly(0);
    }
}
