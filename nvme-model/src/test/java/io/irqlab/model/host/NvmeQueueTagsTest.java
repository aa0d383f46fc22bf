package io.irqlab.model.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class NvmeQueueTagsTest {
    private final HostRig rig = new HostRig();

    private FakeSubmitter submitter(int depth) {
        rig.depth = depth;
        rig.build();
        return new FakeSubmitter(rig);
    }

    @Test
    void thereIsOneTagLessThanTheRingHasEntries() {
        FakeSubmitter submitter = submitter(8);
        var tags = new HashSet<Integer>();
        for (BlockRequest request : submitter.submit(0, 7)) {
            tags.add(request.tag);
        }

        assertThat(tags).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
        assertThat(rig.queue(0).takeTag(submitter.request())).isFalse();
    }

    @Test
    void aTagIsFreeAgainWhenItsRequestIsComplete() {
        FakeSubmitter submitter = submitter(4);
        submitter.submit(0, 3);
        rig.runFor(1_000_000);
        assertThat(submitter.completions).hasSize(3);

        submitter.submit(0, 3);
        rig.runFor(1_000_000);
        assertThat(submitter.completions).hasSize(6);
    }

    @Test
    void whoFindsNoTagIsToldOnceWhenOneIsFree() {
        FakeSubmitter submitter = submitter(4);
        submitter.submit(0, 3);
        var waiting = new FakeSubmitter(rig);
        assertThat(rig.queue(0).takeTag(waiting.request())).isFalse();
        rig.runFor(1_000_000);

        assertThat(waiting.freeTags).hasSize(1);
        assertThat(submitter.completions).hasSize(3);
        assertThat(waiting.freeTags.get(0))
                .isEqualTo(submitter.completions.get(0).atNs());
    }

    @Test
    void everyFreedTagWakesOneWaiterInTheOrderOfTheirAsking() {
        FakeSubmitter submitter = submitter(3);
        submitter.submit(0, 2);
        var first = new FakeSubmitter(rig);
        var second = new FakeSubmitter(rig);
        var third = new FakeSubmitter(rig);
        rig.queue(0).takeTag(first.request());
        rig.queue(0).takeTag(second.request());
        rig.queue(0).takeTag(third.request());
        rig.runFor(1_000_000);

        assertThat(first.freeTags).containsExactly(submitter.completions.get(0).atNs());
        assertThat(second.freeTags).containsExactly(submitter.completions.get(1).atNs());
        assertThat(third.freeTags).as("only two tags became free").isEmpty();

        submitter.submit(0, 1);
        rig.runFor(1_000_000);
        assertThat(third.freeTags).hasSize(1);
        assertThat(first.freeTags).hasSize(1);
    }

    @Test
    void theTagIsFreeBeforeTheWaiterIsTold() {
        FakeSubmitter submitter = submitter(2);
        submitter.submit(0, 1);
        var taken = new HashSet<Boolean>();
        var waiting = new BlockRequest.Submitter() {
            @Override
            public void onCompletion(BlockRequest request, Cpu cpu) {}

            @Override
            public void onTagFree(Cpu cpu) {
                taken.add(rig.queue(0).takeTag(submitter.request()));
            }
        };
        rig.queue(0).takeTag(new BlockRequest(waiting, rig.driver()));
        rig.runFor(1_000_000);

        assertThat(taken).containsExactly(true);
    }
}
