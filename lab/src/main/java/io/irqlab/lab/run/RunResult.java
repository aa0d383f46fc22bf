package io.irqlab.lab.run;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.model.machine.RunStatistics;
import java.util.List;

/**
 * A run that finished.
 *
 * @param scenario what it ran on
 * @param policy its policies
 * @param seed of its randomness
 * @param statistics what it counted
 * @param latencies one histogram for each drive, in the machine's order
 * @param wallNs real time that it took, warm-up included
 */
public record RunResult(
        Scenario scenario,
        PolicyStack policy,
        long seed,
        RunStatistics statistics,
        List<LatencyHistogram> latencies,
        long wallNs) {

    /** Copies the list. */
    public RunResult {
        latencies = ImmutableList.copyOf(latencies);
    }
}
