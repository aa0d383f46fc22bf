package io.irqlab.model.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.irqlab.core.engine.DelayDistribution;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.model.nvme.Opcode;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NvmeDriverTest {
    private final HostRig rig = new HostRig();

    @Test
    void queuesAreNumberedFromOneAndTakeTheirInterruptsOnTheFirstCpuOfTheirGroup() {
        rig.cpuCount = 5;
        rig.queues = 2;
        rig.drives = 2;
        rig.build();

        assertThat(rig.drivers.get(0).queues().stream()
                        .map(queue -> queue.descriptor().toString()))
                .containsExactly("64:nvme0q1", "65:nvme0q2");
        assertThat(rig.drivers.get(1).queues().stream()
                        .map(queue -> queue.descriptor().toString()))
                .containsExactly("66:nvme1q1", "67:nvme1q2");
        assertThat(rig.driver().queues().stream()
                        .map(queue -> queue.descriptor().cpu().number()))
                .containsExactly(0, 3);
    }

    @Test
    void everyCpuSubmitsToTheQueueOfItsGroup() {
        rig.cpuCount = 5;
        rig.queues = 2;
        rig.build();
        NvmeDriver driver = rig.driver();

        assertThat(rig.cpus.stream().map(cpu -> driver.queues().indexOf(driver.queueOf(cpu))))
                .containsExactly(0, 0, 0, 1, 1);
    }

    @Test
    void aMessageRaisesTheVectorOfItsQueueAlone() {
        rig.cpuCount = 2;
        rig.queues = 2;
        rig.build();
        rig.driver().deliver(1);
        rig.runFor(1_000);

        assertThat(rig.queue(0).descriptor().handled()).isZero();
        assertThat(rig.queue(1).descriptor().handled()).isEqualTo(1);
    }

    @Test
    void inFlightIsTheTimeBetweenIssueAndReapingSummedOverRequests() {
        rig.build();
        var submitter = new FakeSubmitter(rig);
        NvmeDriver driver = rig.driver();
        BlockRequest one = submitter.request();
        BlockRequest other = submitter.request();

        driver.issued(one);
        rig.runFor(1_000);
        driver.issued(other);
        rig.runFor(500);
        assertThat(driver.inFlightTimeNs()).isEqualTo(1_000 + 2 * 500);
        driver.reaped(one);
        rig.runFor(300);
        driver.reaped(other);
        rig.runFor(10_000);

        assertThat(driver.inFlightTimeNs()).isEqualTo(1_500 + 800);
        assertThat(driver.completed()).isEqualTo(2);
        assertThat(driver.completedBytes()).isEqualTo(2 * 4096);
    }

    @Test
    void latenciesAreRecordedFromTheStartOfMeasuringOnAlsoOfRequestsIssuedBefore() {
        rig.build();
        var submitter = new FakeSubmitter(rig);
        NvmeDriver driver = rig.driver();
        BlockRequest early = submitter.request();
        BlockRequest across = submitter.request();
        driver.issued(early);
        driver.issued(across);
        rig.runFor(700);
        driver.reaped(early);
        driver.startMeasuring();
        rig.runFor(100);
        driver.reaped(across);

        assertThat(rig.latencies).containsExactly(800L);
        assertThat(driver.completed()).as("counted from the start of the run").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void theInFlightIntegralIsTheSumOfAllLatencies(long seed) {
        RandomStream random = RandomStream.of(seed, "driver-test");
        rig.media = DelayDistribution.exponential(20_000);
        rig.depth = 16;
        rig.build();
        rig.driver().startMeasuring();
        var submitter = new FakeSubmitter(rig);
        var reaped = new ArrayList<BlockRequest>();
        int inFlight = 0;
        long startNs = rig.queue.nowNs();
        for (int step = 0; step < 2_000; step++) {
            if (inFlight < 10) {
                submitter.submit(0, 1);
                inFlight++;
            }
            rig.runFor(random.nextInt(5_000));
            for (BlockRequest request : submitter
                    .completed()
                    .subList(reaped.size(), submitter.completed().size())) {
                rig.driver().reaped(request);
                reaped.add(request);
                inFlight--;
            }
        }
        rig.runFor(10_000_000);
        submitter
                .completed()
                .subList(reaped.size(), submitter.completed().size())
                .forEach(request -> rig.driver().reaped(request));

        long latencySumNs = rig.latencies.stream().mapToLong(Long::longValue).sum();
        assertThat(rig.driver().inFlightTimeNs()).as("seed %d", seed).isEqualTo(latencySumNs);
        double elapsedNs = rig.queue.nowNs() - startNs;
        double perNs = rig.latencies.size() / elapsedNs;
        assertThat(rig.driver().inFlightTimeNs() / elapsedNs)
                .as("seed %d: Little's law", seed)
                .isCloseTo(perNs * latencySumNs / rig.latencies.size(), within(1e-9));
    }

    @Test
    void aRequestKnowsWhereItGoes() {
        rig.drives = 2;
        rig.build();
        var request = new BlockRequest(new FakeSubmitter(rig), rig.driver());
        assertThat(request.drive()).isSameAs(rig.driver());

        request.prepare(rig.drivers.get(1), Opcode.READ, 8192);
        assertThat(request.drive()).isSameAs(rig.drivers.get(1));
        assertThat(request.bytes()).isEqualTo(8192);
        request.issued(77);
        assertThat(request.issuedNs()).isEqualTo(77);
        assertThat(rig.driver().controller().name()).isEqualTo("nvme0");
    }
}
