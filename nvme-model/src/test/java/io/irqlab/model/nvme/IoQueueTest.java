package io.irqlab.model.nvme;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.engine.EventQueue;
import io.irqlab.model.pcie.MsixVector;
import io.irqlab.model.pcie.RootComplex;
import io.irqlab.model.pcie.UpstreamWriter;
import org.junit.jupiter.api.Test;

final class IoQueueTest {
    private final EventQueue queue = new EventQueue();
    private final IoQueue ioQueue = new IoQueue(
            4,
            new MsixVector(0, new RootComplex("rc0", queue, 1, 0, 1).port(new Silent()), 0, 0, number -> {}),
            new VectorCoalescer(queue, 0, index -> {}));

    private static final class Silent implements UpstreamWriter {
        @Override
        public void onAdmitted(int write) {}

        @Override
        public boolean onServing(int write, long visibleNs) {
            return false;
        }

        @Override
        public void onServed(int write, boolean withMsi) {}
    }

    @Test
    void finishedCommandsAreReleasedInTheOrderInWhichTheyWereHeldAlsoAroundTheEnd() {
        assertThat(ioQueue.holds()).isFalse();
        for (int round = 0; round < 10; round++) {
            ioQueue.hold(10 * round);
            ioQueue.hold(10 * round + 1);
            ioQueue.hold(10 * round + 2);
            assertThat(ioQueue.release()).isEqualTo(10 * round);
            assertThat(ioQueue.release()).isEqualTo(10 * round + 1);
            assertThat(ioQueue.holds()).isTrue();
            assertThat(ioQueue.release()).isEqualTo(10 * round + 2);
            assertThat(ioQueue.holds()).isFalse();
        }
    }
}
