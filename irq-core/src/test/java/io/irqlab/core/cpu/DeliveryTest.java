package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.spi.DeliveryPolicy;
import io.irqlab.core.spi.PolicyCpu;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

final class DeliveryTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, costs().hardirq(300, 200).build());
    private final Posted posted = new Posted();
    private final Vector first = cpu.allocateVector("first", run.script("first").step(1_000));
    private final Vector second =
            cpu.allocateVector("second", run.script("second").step(500));

    /** Posts every message; a look at what was posted costs 40 ns. */
    private static final class Posted implements DeliveryPolicy {
        private final BitSet vectors = new BitSet();
        private boolean outstanding;

        @Override
        public Delivery onMessage(int vector) {
            vectors.set(vector);
            if (outstanding) {
                return Delivery.NOTHING;
            }
            outstanding = true;
            return Delivery.NOTIFY;
        }

        @Override
        public int inNotification(PolicyCpu running, boolean entry) {
            running.spend(40);
            int vector = vectors.nextSetBit(0);
            if (vector < 0) {
                outstanding = false;
                return DONE;
            }
            vectors.clear(vector);
            return vector;
        }

        @Override
        public boolean withdraw(int vector) {
            boolean was = vectors.get(vector);
            vectors.clear(vector);
            return was;
        }
    }

    @Test
    void withoutAPolicyAMessageRaisesItsVector() {
        run.at(100, () -> cpu.deliver(first));
        run.until(10_000);

        assertThat(run.log()).containsExactly("400 first", "1400 first done");
        assertThat(first.count()).isEqualTo(1);
    }

    @Test
    void handlersOfPostedMessagesRunInOneHardirq() {
        cpu.deliverThrough(posted);
        run.at(100, () -> cpu.deliver(first));
        run.at(200, () -> cpu.deliver(second)); // posted only
        run.until(10_000);

        // Entry 300, a look 40, the first handler, a look 40, the second, a look 40, exit 200.
        assertThat(run.log()).containsExactly("440 first", "1440 first done", "1480 second", "1980 second done");
        assertThat(cpu.hardirqs(Vector.Source.NOTIFICATION)).isEqualTo(1);
        assertThat(cpu.hardirqs(Vector.Source.DEVICE)).isZero();
        assertThat(cpu.hardirqTimeNs()).isEqualTo(300 + 3 * 40 + 1_000 + 500 + 200);
        assertThat(first.timeNs()).isEqualTo(1_000);
        assertThat(second.timeNs()).isEqualTo(500);
    }

    @Test
    void aMessageThatComesAfterTheLastLookNotifiesAgain() {
        cpu.deliverThrough(posted);
        run.at(100, () -> cpu.deliver(second));
        run.at(1_000, () -> cpu.deliver(second)); // its handler ended at 940, and the look at 980
        run.until(10_000);

        assertThat(run.log()).containsExactly("440 second", "940 second done", "1520 second", "2020 second done");
        assertThat(cpu.hardirqs(Vector.Source.NOTIFICATION)).isEqualTo(2);
    }

    @Test
    void whatIsNoMessageGoesToItsVector() {
        cpu.deliverThrough(posted);
        run.at(100, () -> cpu.raise(first));
        run.until(10_000);

        assertThat(run.log()).containsExactly("400 first", "1400 first done");
        assertThat(cpu.hardirqs(Vector.Source.DEVICE)).isEqualTo(1);
    }

    @Test
    void aPostedVectorIsWithdrawnWithTheRaisedOnes() {
        cpu.deliverThrough(posted);
        posted.outstanding = true;
        cpu.deliver(first);

        assertThat(cpu.pending(first)).isFalse();
        assertThat(cpu.withdraw(first)).isTrue();
        assertThat(cpu.withdraw(first)).isFalse();
    }

    @Test
    void aVectorThatNobodyOwnsEndsTheRun() {
        cpu.deliverThrough(posted);
        posted.vectors.set(0x90);
        run.at(100, () -> cpu.deliver(first));

        assertThatIllegalStateException()
                .isThrownBy(() -> run.until(10_000))
                .withMessage("cpu0 was told to run the handler of vector 144, which nobody owns");
    }
}
