package io.irqlab.lab.run;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.model.machine.RunStatistics;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs policy stacks on a scenario, as many at a time as there are processors. */
public final class Runner {
    private final Simulator simulator;
    private final int threads;

    /**
     * Creates a runner.
     *
     * @param simulator what does a run
     * @param threads how many runs at a time, 1 or more
     */
    public Runner(Simulator simulator, int threads) {
        this.simulator = simulator;
        this.threads = threads;
    }

    /**
     * Runs every stack under one seed, so that all see the same service times.
     *
     * @param scenario what they run on
     * @param policies the stacks
     * @param seed the seed of every run
     * @return the results in the order of the stacks
     * @throws InvalidInputException if the scenario's files do not fit together
     * @throws RunFailedException for the first stack, in their order, whose run failed
     */
    public List<RunResult> run(Scenario scenario, List<PolicyStack> policies, long seed) {
        RunOutcomes outcomes = runAll(scenario, policies, seed);
        if (!outcomes.failed().isEmpty()) {
            throw outcomes.failed().get(0);
        }
        return outcomes.finished();
    }

    /**
     * Runs every stack under one seed, to the end: a run that fails stops no other.
     *
     * @param scenario what they run on
     * @param policies the stacks
     * @param seed the seed of every run
     * @return results and failures, each in the order of the stacks
     * @throws InvalidInputException if the scenario's files do not fit together
     */
    public RunOutcomes runAll(Scenario scenario, List<PolicyStack> policies, long seed) {
        ExecutorService executor = Executors.newFixedThreadPool(Math.max(1, Math.min(threads, policies.size())));
        try {
            List<Future<RunResult>> futures = policies.stream()
                    .map(policy -> executor.submit(() -> runOne(scenario, policy, seed)))
                    .collect(toImmutableList());
            var finished = ImmutableList.<RunResult>builder();
            var failed = ImmutableList.<RunFailedException>builder();
            for (Future<RunResult> future : futures) {
                try {
                    finished.add(resultOf(future));
                } catch (RunFailedException e) {
                    failed.add(e);
                }
            }
            return new RunOutcomes(finished.build(), failed.build());
        } finally {
            executor.shutdownNow();
        }
    }

    private RunResult runOne(Scenario scenario, PolicyStack policy, long seed) {
        List<LatencyHistogram> latencies = scenario.machine().drives().stream()
                .map(drive -> new LatencyHistogram())
                .toList();
        long startNs = System.nanoTime();
        try {
            RunStatistics statistics = simulator.run(scenario, policy, seed, latencies);
            return new RunResult(scenario, policy, seed, statistics, latencies, System.nanoTime() - startNs);
        } catch (InvalidInputException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
            // A policy is anybody's code: whatever it threw belongs to this run.
            throw new RunFailedException(scenario, policy, seed, e);
        }
    }

    private static RunResult resultOf(Future<RunResult> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            Throwable cause = requireNonNull(e.getCause());
            Throwables.throwIfUnchecked(cause);
            throw new IllegalStateException(cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while runs were under way", e);
        }
    }
}
