package io.irqlab.core.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queues whose long-run behaviour is known in closed form, simulated through the public interface of the engine.
 *
 * <p>Each figure is estimated from batch means. The known value must lie within the 99.9 % confidence interval, and the
 * interval must be narrow enough for that to say something. Seeds are fixed, so a test that passes passes again.
 */
final class QueueingModelsTest {
    private static final int BATCHES = 30;
    /** Student's t, 29 degrees of freedom, 99.9 % two-sided. */
    private static final double T = 3.66;

    private static final long SEED = 20_261_130;

    /** One server and its first-come-first-served queue, with what is counted there. */
    private static final class Station {
        private final EventQueue queue;
        private final DelayDistribution service;
        private final RandomStream random;
        private final EventHandler departure;
        private final int event;
        private final int[] customers;
        private final long[] arrivedNs;
        private int head;
        private int present;

        private long changedNs;
        private long areaNs; // of the number present, over time
        private long busyNs;
        private long served;
        private long sojournNs;
        private long waitNs;
        private long startedNs;

        Station(EventQueue queue, String name, DelayDistribution service, int capacity, EventHandler departure) {
            this.queue = queue;
            this.service = service;
            this.departure = departure;
            random = RandomStream.of(SEED, name);
            customers = new int[capacity];
            arrivedNs = new long[capacity];
            event = queue.register(this::serve, 0);
        }

        void arrive(int customer) {
            account();
            int place = (head + present) % customers.length;
            customers[place] = customer;
            arrivedNs[place] = queue.nowNs();
            present++;
            assertThat(present).as("room in the queue").isLessThanOrEqualTo(customers.length);
            if (present == 1) {
                start();
            }
        }

        private void start() {
            startedNs = queue.nowNs();
            queue.schedule(event, startedNs + service.sampleNs(random));
        }

        private void serve(int code) {
            account();
            int customer = customers[head];
            sojournNs += queue.nowNs() - arrivedNs[head];
            waitNs += startedNs - arrivedNs[head];
            served++;
            head = (head + 1) % customers.length;
            present--;
            if (present > 0) {
                start();
            }
            departure.onEvent(customer);
        }

        /** Brings the sums over time up to the present. */
        void account() {
            long elapsedNs = queue.nowNs() - changedNs;
            changedNs = queue.nowNs();
            areaNs += elapsedNs * present;
            busyNs += present > 0 ? elapsedNs : 0;
        }

        void clear() {
            account();
            areaNs = 0;
            busyNs = 0;
            served = 0;
            sojournNs = 0;
            waitNs = 0;
        }
    }

    /** What one batch showed of one station. */
    private record Batch(
            double meanPresent,
            double utilisation,
            double meanSojournNs,
            double meanWaitNs,
            double throughputPerSecond) {
        static Batch of(Station station, long durationNs) {
            station.account();
            return new Batch(
                    (double) station.areaNs / durationNs,
                    (double) station.busyNs / durationNs,
                    (double) station.sojournNs / station.served,
                    (double) station.waitNs / station.served,
                    station.served * 1e9 / durationNs);
        }
    }

    private static Batch[][] run(EventQueue queue, long batchNs, Station... stations) {
        queue.runUntil(queue.nowNs() + batchNs); // warm-up
        Batch[][] batches = new Batch[stations.length][BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            for (Station station : stations) {
                station.clear();
            }
            queue.runUntil(queue.nowNs() + batchNs);
            for (int k = 0; k < stations.length; k++) {
                batches[k][i] = Batch.of(stations[k], batchNs);
            }
        }
        return batches;
    }

    /** The open queue M/G/1: Poisson arrivals, one server. */
    private static Batch[] openQueue(long gapNs, DelayDistribution service) {
        EventQueue queue = new EventQueue();
        Station station = new Station(queue, "service", service, 10_000, customer -> {});
        DelayDistribution gap = DelayDistribution.exponential(gapNs);
        RandomStream arrivals = RandomStream.of(SEED, "arrivals");
        int[] arrival = new int[1];
        arrival[0] = queue.register(
                code -> {
                    station.arrive(0);
                    queue.schedule(arrival[0], queue.nowNs() + gap.sampleNs(arrivals));
                },
                0);
        queue.schedule(arrival[0], 0);
        return run(queue, 30_000 * gapNs, station)[0];
    }

    @ParameterizedTest(name = "load {0}")
    @ValueSource(doubles = {0.3, 0.7, 0.85})
    void anExponentialServerIsTheQueueMM1(double load) {
        long gapNs = 20_000;
        long serviceNs = (long) (load * gapNs);
        Batch[] batches = openQueue(gapNs, DelayDistribution.exponential(serviceNs));

        double present = load / (1 - load);
        assertMean("number present", batches, Batch::meanPresent, present, 0.06);
        assertMean("utilisation", batches, Batch::utilisation, load, 0.01);
        assertMean("sojourn", batches, Batch::meanSojournNs, present * gapNs, 0.06);
        assertMean("wait", batches, Batch::meanWaitNs, present * gapNs - serviceNs, 0.08);
        assertMean("throughput", batches, Batch::throughputPerSecond, 1e9 / gapNs, 0.01);
        assertLittlesLaw(batches);
    }

    @ParameterizedTest(name = "load {0}")
    @ValueSource(doubles = {0.3, 0.7, 0.85})
    void aServerOfConstantTimeIsTheQueueMD1(double load) {
        long gapNs = 20_000;
        long serviceNs = (long) (load * gapNs);
        Batch[] batches = openQueue(gapNs, DelayDistribution.constant(serviceNs));

        double waitNs = load * serviceNs / (2 * (1 - load)); // Pollaczek and Khinchine
        assertMean("number present", batches, Batch::meanPresent, (waitNs + serviceNs) / gapNs, 0.04);
        assertMean("utilisation", batches, Batch::utilisation, load, 0.01);
        assertMean("wait", batches, Batch::meanWaitNs, waitNs, 0.06);
        assertLittlesLaw(batches);
    }

    @Test
    void aServerOfLogNormalTimeIsTheQueueMG1() {
        long gapNs = 20_000;
        double sigma = 0.6;
        DelayDistribution service = DelayDistribution.logNormal(10_000, sigma);
        Batch[] batches = openQueue(gapNs, service);

        double load = service.meanNs() / gapNs;
        double squaredVariation = Math.expm1(sigma * sigma);
        double waitNs = load * service.meanNs() * (1 + squaredVariation) / (2 * (1 - load));
        assertMean("utilisation", batches, Batch::utilisation, load, 0.01);
        assertMean("wait", batches, Batch::meanWaitNs, waitNs, 0.06);
        assertLittlesLaw(batches);
    }

    /** Customers go from station 0 to 1 or 2 by chance and back. Mean value analysis gives the exact figures. */
    @ParameterizedTest(name = "{0} customers")
    @ValueSource(ints = {1, 5, 20})
    void aClosedNetworkIsOfProductForm(int customers) {
        double toFirst = 0.6;
        long[] serviceNs = {5_000, 7_000, 12_000};
        double[] visits = {1, toFirst, 1 - toFirst};
        EventQueue queue = new EventQueue();
        RandomStream routing = RandomStream.of(SEED, "routing");
        Station[] stations = new Station[3];
        for (int k = 0; k < 3; k++) {
            int from = k;
            stations[k] = new Station(
                    queue,
                    "station-" + k,
                    DelayDistribution.exponential(serviceNs[k]),
                    customers,
                    customer -> stations[from > 0 ? 0 : routing.nextDouble() < toFirst ? 1 : 2].arrive(customer));
        }
        for (int i = 0; i < customers; i++) {
            stations[0].arrive(i);
        }

        Batch[][] batches = run(queue, 120_000_000, stations);

        double[] present = new double[3];
        double[] sojournNs = new double[3];
        double cyclesPerNs = meanValueAnalysis(customers, serviceNs, visits, present, sojournNs);
        for (int k = 0; k < 3; k++) {
            String station = "station " + k + ": ";
            double throughput = cyclesPerNs * visits[k] * 1e9;
            assertMean(station + "throughput", batches[k], Batch::throughputPerSecond, throughput, 0.02);
            assertMean(station + "number present", batches[k], Batch::meanPresent, present[k], 0.08);
            assertMean(station + "sojourn", batches[k], Batch::meanSojournNs, sojournNs[k], 0.08);
            assertMean(
                    station + "utilisation",
                    batches[k],
                    Batch::utilisation,
                    cyclesPerNs * visits[k] * serviceNs[k],
                    0.02);
            assertLittlesLaw(batches[k]);
        }
        for (int i = 0; i < BATCHES; i++) {
            assertThat(batches[0][i].meanPresent() + batches[1][i].meanPresent() + batches[2][i].meanPresent())
                    .as("customers in the network")
                    .isCloseTo(customers, within(1e-9));
        }
    }

    /** Reiser and Lavenberg's recursion over the number of customers. */
    private static double meanValueAnalysis(
            int customers, long[] serviceNs, double[] visits, double[] present, double[] sojournNs) {
        double cyclesPerNs = 0;
        for (int n = 1; n <= customers; n++) {
            double cycleNs = 0;
            for (int k = 0; k < visits.length; k++) {
                sojournNs[k] = serviceNs[k] * (1 + present[k]);
                cycleNs += visits[k] * sojournNs[k];
            }
            cyclesPerNs = n / cycleNs;
            for (int k = 0; k < visits.length; k++) {
                present[k] = cyclesPerNs * visits[k] * sojournNs[k];
            }
        }
        return cyclesPerNs;
    }

    @Test
    void aRunIsTheSameEachTime() {
        Batch[] first = openQueue(20_000, DelayDistribution.exponential(14_000));
        Batch[] second = openQueue(20_000, DelayDistribution.exponential(14_000));

        assertThat(second).isEqualTo(first);
    }

    /** Over all batches: customers that are present at an end of a batch make a difference within it. */
    private static void assertLittlesLaw(Batch[] batches) {
        double present = mean(batches, Batch::meanPresent);
        double product = mean(batches, batch -> batch.throughputPerSecond() * batch.meanSojournNs() / 1e9);
        assertThat(product).as("Little's law").isCloseTo(present, within(0.002 * present));
    }

    private static void assertMean(
            String what, Batch[] batches, ToDoubleFunction<Batch> figure, double expected, double relativeWidth) {
        double mean = mean(batches, figure);
        double squares = mean(batches, batch -> Math.pow(figure.applyAsDouble(batch) - mean, 2));
        double halfWidth = T * Math.sqrt(squares / (BATCHES - 1));
        assertThat(mean).as("%s, seed %d", what, SEED).isCloseTo(expected, within(halfWidth));
        assertThat(halfWidth).as("%s: half the confidence interval", what).isLessThan(relativeWidth * expected);
    }

    private static double mean(Batch[] batches, ToDoubleFunction<Batch> figure) {
        double sum = 0;
        for (Batch batch : batches) {
            sum += figure.applyAsDouble(batch);
        }
        return sum / batches.length;
    }
}
