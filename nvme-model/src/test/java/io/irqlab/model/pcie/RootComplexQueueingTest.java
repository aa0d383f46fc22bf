package io.irqlab.model.pcie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The root complex as a server with constant service and Poisson arrivals (M/D/1), against the closed form: the mean wait
 * is {@code load * service / (2 * (1 - load))}, in one queue or, since service is equal, spread over ports that take turns.
 */
final class RootComplexQueueingTest {
    private static final long SEED = 20_261_130;
    private static final int BLOCK_BYTES = 4096;
    private static final long DMA_NS = 400;
    private static final long MSI_NS = 600;
    private static final long SERVICE_NS = DMA_NS + MSI_NS;
    private static final int BATCHES = 20;
    private static final int WRITES_PER_BATCH = 20_000;

    /** The 99.9 % quantile, two-sided, of Student's distribution with 19 degrees of freedom. */
    private static final double STUDENT_999 = 3.883;

    /** One device below each port; each write of the whole run has a number, by which its arrival is kept. */
    private static final class Source implements EventHandler, UpstreamWriter {
        private final EventQueue queue;
        private final RandomStream random;
        private final DelayDistribution gap;
        private final RootComplex.Port[] ports;
        private final long[] arrivalNs = new long[BATCHES * WRITES_PER_BATCH];
        private final double[] batchWaitNs = new double[BATCHES];
        private final int arrival;
        private int arrived;
        private int served;

        Source(EventQueue queue, RootComplex complex, int ports, long meanGapNs) {
            this.queue = queue;
            this.random = RandomStream.of(SEED, "arrivals/" + ports + "/" + meanGapNs);
            this.gap = DelayDistribution.exponential(meanGapNs);
            this.ports = new RootComplex.Port[ports];
            for (int i = 0; i < ports; i++) {
                this.ports[i] = complex.port(this);
            }
            this.arrival = queue.register(this, 0);
            queue.schedule(arrival, 0);
        }

        @Override
        public void onEvent(int code) {
            if (arrived == arrivalNs.length) {
                return;
            }
            arrivalNs[arrived] = queue.nowNs();
            ports[random.nextInt(ports.length)].write(arrived++, BLOCK_BYTES, queue.nowNs());
            queue.schedule(arrival, queue.nowNs() + gap.sampleNs(random));
        }

        @Override
        public void onAdmitted(int write) {}

        @Override
        public boolean onServing(int write, long visibleNs) {
            batchWaitNs[write / WRITES_PER_BATCH] += queue.nowNs() - arrivalNs[write];
            if (visibleNs != queue.nowNs() + DMA_NS) {
                throw new AssertionError("write " + write + " is visible at " + visibleNs + " ns");
            }
            return true;
        }

        @Override
        public void onServed(int write, boolean withMsi) {
            served++;
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0.1", "1, 0.3", "1, 0.5", "1, 0.7", "1, 0.8", "2, 0.5", "4, 0.7", "4, 0.8"})
    void theMeanWaitIsThatOfMD1(int ports, double load) {
        var queue = new EventQueue();
        var complex = new RootComplex("rc0", queue, DMA_NS, MSI_NS, 4);
        long meanGapNs = Math.round(SERVICE_NS / load);
        var source = new Source(queue, complex, ports, meanGapNs);
        queue.runUntil(2L * BATCHES * WRITES_PER_BATCH * meanGapNs);

        double offered = (double) SERVICE_NS / meanGapNs;
        double expectedNs = offered * SERVICE_NS / (2 * (1 - offered));
        double meanNs = 0;
        for (double wait : source.batchWaitNs) {
            meanNs += wait / WRITES_PER_BATCH / BATCHES;
        }
        double variance = 0;
        for (double wait : source.batchWaitNs) {
            variance += Math.pow(wait / WRITES_PER_BATCH - meanNs, 2) / (BATCHES - 1);
        }
        double halfWidthNs = STUDENT_999 * Math.sqrt(variance / BATCHES);

        assertThat(source.served).isEqualTo(BATCHES * WRITES_PER_BATCH);
        assertThat(halfWidthNs)
                .as("seed %d: confidence interval of %.1f ns", SEED, expectedNs)
                .isLessThan(0.05 * expectedNs);
        assertThat(meanNs)
                .as("seed %d, %d ports, load %.2f: mean wait", SEED, ports, load)
                .isCloseTo(expectedNs, within(halfWidthNs));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.3", "1, 0.9", "4, 0.9"})
    void theUtilisationIsTheOfferedLoad(int ports, double load) {
        var queue = new EventQueue();
        var complex = new RootComplex("rc0", queue, DMA_NS, MSI_NS, 4);
        long meanGapNs = Math.round(SERVICE_NS / load);
        var source = new Source(queue, complex, ports, meanGapNs);
        long elapsedNs = BATCHES * WRITES_PER_BATCH / 2 * meanGapNs;
        queue.runUntil(elapsedNs);

        assertThat((double) complex.busyNs() / elapsedNs)
                .as("seed %d, %d ports", SEED, ports)
                .isCloseTo((double) SERVICE_NS / meanGapNs, within(0.01))
                .isLessThanOrEqualTo(1);
        assertThat(complex.busyNs()).isBetween(source.served * SERVICE_NS, (source.served + 1) * SERVICE_NS);
        assertThat(source.arrived).isLessThan(BATCHES * WRITES_PER_BATCH);
    }
}
