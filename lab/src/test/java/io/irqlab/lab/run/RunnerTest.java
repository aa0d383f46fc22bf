package io.irqlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.report.SampleRun;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.ScenarioCatalog;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RunnerTest {
    private final Scenario scenario = new ScenarioCatalog().load("four-gen5-ssd", null, List.of());

    @Test
    void resultsComeInTheOrderAskedForWhateverFinishesFirst() {
        var secondIsDone = new CountDownLatch(1);
        var started = new AtomicInteger();
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    if (started.getAndIncrement() == 0) {
                        await(secondIsDone);
                        recorders.get(0).record(1);
                    } else {
                        recorders.get(0).record(2);
                        secondIsDone.countDown();
                    }
                    return SampleRun.statistics(recorders);
                },
                2);

        List<RunResult> results = runner.run(scenario, List.of(PolicyStack.none(), PolicyStack.none()), 1);

        assertThat(results)
                .extracting(result -> result.latencies().get(0).minNs())
                .containsExactlyInAnyOrder(1L, 2L);
        assertThat(results).hasSize(2);
    }

    @Test
    void aRunGetsARecorderForEachDriveAndItsSeed() {
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    assertThat(recorders).hasSize(4);
                    assertThat(seed).isEqualTo(9);
                    return SampleRun.statistics(recorders);
                },
                1);

        assertThat(runner.run(scenario, List.of(PolicyStack.none()), 9))
                .singleElement()
                .satisfies(result -> {
                    assertThat(result.seed()).isEqualTo(9);
                    assertThat(result.wallNs()).isPositive();
                });
    }

    @Test
    void aRunThatThrowsIsNamedWithPolicyScenarioSeedAndPlace() {
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    throw new IllegalStateException("irq 3 is\nstuck");
                },
                1);

        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> runner.run(scenario, List.of(PolicyStack.none()), 9))
                .withMessageStartingWith("policy none on four-gen5-ssd, seed 9: the run failed: IllegalStateException:"
                        + " irq 3 is\\u000astuck (at io.irqlab.lab.run.RunnerTest")
                .withCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRunThatFailsStopsNoOther() {
        var started = new AtomicInteger();
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    if (started.getAndIncrement() == 1) {
                        throw new IllegalStateException("stuck");
                    }
                    return SampleRun.statistics(recorders);
                },
                1);

        RunOutcomes outcomes = runner.runAll(scenario, Collections.nCopies(3, PolicyStack.none()), 9);

        assertThat(outcomes.finished()).hasSize(2);
        assertThat(outcomes.failed())
                .singleElement()
                .satisfies(failed -> assertThat(failed).hasMessageContaining("stuck"));
    }

    @Test
    void aPolicyThatFailedIsNamedOnceWithCpuAndTime() {
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    throw new PolicyFailedException(
                            "gsim", OptionalInt.empty(), 0, seed, new ArithmeticException("by zero"));
                },
                1);

        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> runner.run(scenario, List.of(PolicyStack.none()), 9))
                .withMessageStartingWith(
                        "policy none on four-gen5-ssd, seed 9: the run failed: policy gsim failed at 0 ns:"
                                + " ArithmeticException: by zero (at ");
    }

    @Test
    void aStackOverflowInAPolicyIsARunThatFailed() {
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    throw new StackOverflowError();
                },
                1);

        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> runner.run(scenario, Collections.nCopies(3, PolicyStack.none()), 9));
    }

    @Test
    void wrongInputFoundByARunStaysWrongInput() {
        var runner = new Runner(
                (scenario, policy, seed, recorders) -> {
                    throw new InvalidInputException("my.fio:3: no such drive");
                },
                1);

        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> runner.run(scenario, List.of(PolicyStack.none()), 9))
                .withMessage("my.fio:3: no such drive");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
