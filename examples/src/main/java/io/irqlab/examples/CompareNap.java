package io.irqlab.examples;

import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.run.RunResult;
import io.irqlab.lab.run.Runner;
import io.irqlab.lab.run.Simulator;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.ScenarioCatalog;
import io.irqlab.lab.scenario.Setting;
import java.util.List;
import java.util.Locale;

/** Compares a policy of one's own with the stock driver. */
public final class CompareNap {
    private CompareNap() {}

    /**
     * Runs the example.
     *
     * @param args not used
     */
    public static void main(String[] args) {
        Scenario scenario =
                new ScenarioCatalog().load("four-gen5-ssd", null, List.of(Setting.parse("scenario.duration=50ms")));
        PolicyRegistry registry = PolicyRegistry.of(List.of(new NapPolicy()));
        List<PolicyStack> stacks = List.of(PolicyStack.none(), PolicyStack.parse("nap:nap_us=20", registry));

        for (RunResult run : new Runner(Simulator.ofModel(), 2).run(scenario, stacks, 1)) {
            double seconds = run.statistics().durationNs() / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%-14s %5.2f M IOPS, p99 %5.1f us on %s%n",
                    run.policy(),
                    run.statistics().completed() / seconds / 1e6,
                    run.latencies().get(0).percentileNs(99) / 1e3,
                    run.statistics().devices().get(0).name());
        }
    }
}
