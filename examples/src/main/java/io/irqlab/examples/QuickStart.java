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
import java.util.stream.Stream;

/** Runs two policies on a scenario that comes with irqlab, and prints what each makes of it. */
public final class QuickStart {
    private QuickStart() {}

    /**
     * Runs the example.
     *
     * @param args not used
     */
    public static void main(String[] args) {
        Scenario scenario =
                new ScenarioCatalog().load("four-gen5-ssd", null, List.of(Setting.parse("scenario.duration=50ms")));
        PolicyRegistry registry = PolicyRegistry.load(QuickStart.class.getClassLoader());
        List<PolicyStack> stacks = Stream.of("none", "gsim:delay_us=50")
                .map(text -> PolicyStack.parse(text, registry))
                .toList();

        for (RunResult run : new Runner(Simulator.ofModel(), 2).run(scenario, stacks, 1)) {
            double seconds = run.statistics().durationNs() / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %5.2f M IOPS, %5.2f M hardirqs/s%n",
                    run.policy(),
                    run.statistics().completed() / seconds / 1e6,
                    run.statistics().interrupts().hardirqs() / seconds / 1e6);
        }
    }
}
