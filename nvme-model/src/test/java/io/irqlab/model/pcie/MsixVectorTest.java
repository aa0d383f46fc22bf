package io.irqlab.model.pcie;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.engine.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class MsixVectorTest {
    private static final long MMIO_WRITE_NS = 200;
    private static final long MMIO_READ_NS = 800;
    private static final long DMA_NS = 40;
    private static final long MSI_NS = 150;

    private final EventQueue queue = new EventQueue();
    private final Cpu cpu =
            new Cpu(0, queue, new CpuCosts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, VirtualizationCosts.BARE_METAL));
    private final RootComplex complex = new RootComplex("rc0", queue, DMA_NS, MSI_NS, 8);
    private final RootComplex.Port port = complex.port(new RecordingDevice(queue, write -> true));
    private final List<Integer> sent = new ArrayList<>();
    private final MsixVector vector = new MsixVector(5, port, MMIO_WRITE_NS, MMIO_READ_NS, sent::add);

    /** Returns the hardirq time that an action costs the CPU. */
    private long timeOf(Consumer<Cpu> action) {
        long beforeNs = cpu.times().hardirqNs();
        cpu.raise(cpu.allocateVector("probe", new Routine() {
            private boolean acted;

            @Override
            public long step(Cpu running) {
                if (acted) {
                    return DONE;
                }
                acted = true;
                action.accept(running);
                return 0;
            }
        }));
        queue.runUntil(queue.nowNs() + 100_000);
        return cpu.times().hardirqNs() - beforeNs;
    }

    @Test
    void afterResetItIsMaskedWithNothingPending() {
        assertThat(vector.masked()).isTrue();
        assertThat(vector.pending()).isFalse();
    }

    @Test
    void unmaskedItSendsAMessageForEveryEvent() {
        vector.unmask(cpu);

        assertThat(vector.signal()).isTrue();
        assertThat(vector.signal()).isTrue();
        assertThat(vector.pending()).isFalse();
        assertThat(sent).as("messages without an event of their own").isEmpty();
    }

    @Test
    void maskedItSendsNothingAndManyEventsAreOnePendingBit() {
        for (int event = 0; event < 1_000; event++) {
            assertThat(vector.signal()).isFalse();
        }

        assertThat(vector.pending()).isTrue();
        assertThat(sent).isEmpty();
    }

    @Test
    void unmaskingSendsOneMessageForAllEventsAndClearsThePendingBit() {
        vector.signal();
        vector.signal();
        vector.unmask(cpu);

        assertThat(sent).containsExactly(5);
        assertThat(vector.pending()).isFalse();
        assertThat(vector.masked()).isFalse();
    }

    @Test
    void unmaskingWithoutAnEventSendsNothing() {
        vector.unmask(cpu);
        vector.mask(cpu);
        vector.unmask(cpu);

        assertThat(sent).isEmpty();
    }

    @Test
    void everyEpisodeOfMaskingHasAPendingBitOfItsOwn() {
        vector.unmask(cpu);
        vector.mask(cpu);
        vector.signal();
        vector.unmask(cpu);
        vector.mask(cpu);
        vector.unmask(cpu);

        assertThat(sent).containsExactly(5);
    }

    @Test
    void whenTheMessageIsSentTheVectorIsUnmaskedAlready() {
        var maskedWhenSent = new ArrayList<Boolean>();
        var vectors = new ArrayList<MsixVector>();
        vectors.add(new MsixVector(
                0, port, 0, 0, number -> maskedWhenSent.add(vectors.get(0).masked())));
        vectors.get(0).signal();
        vectors.get(0).unmask(cpu);

        assertThat(maskedWhenSent).containsExactly(false);
    }

    // ---- what it costs the CPU

    @Test
    void maskingCostsAWriteAndTheReadThatFlushesIt() {
        assertThat(timeOf(vector::mask)).isEqualTo(MMIO_WRITE_NS + MMIO_READ_NS);
    }

    @Test
    void theReadOfMaskingWaitsForTheWritesOfTheDeviceInTheRootComplex() {
        for (int write = 0; write < 3; write++) {
            port.write(write, 4096, 0);
        }

        assertThat(timeOf(vector::mask)).isEqualTo(MMIO_WRITE_NS + MMIO_READ_NS + 3 * (DMA_NS + MSI_NS));
    }

    @Test
    void unmaskingCostsAWriteWhateverWaits() {
        for (int write = 0; write < 3; write++) {
            port.write(write, 4096, 0);
        }
        vector.signal();

        assertThat(timeOf(vector::unmask)).isEqualTo(MMIO_WRITE_NS);
    }

    @Test
    void theAcknowledgementIsFree() {
        assertThat(timeOf(vector::ack)).isZero();
    }
}
