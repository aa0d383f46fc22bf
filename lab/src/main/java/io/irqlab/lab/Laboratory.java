package io.irqlab.lab;

import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.report.RunReport;
import io.irqlab.lab.report.RunReports;
import io.irqlab.lab.run.RunFailedException;
import io.irqlab.lab.run.RunOutcomes;
import io.irqlab.lab.run.Runner;
import io.irqlab.lab.run.Simulator;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.PlacedText;
import io.irqlab.lab.scenario.PolicyChange;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.ScenarioCatalog;
import java.util.List;

/** What the commands work with: policies, scenarios, and what runs them. */
final class Laboratory {
    private final PolicyRegistry registry;
    private final ScenarioCatalog catalog = new ScenarioCatalog();
    private final Runner runner;
    private final RunReports reports;

    Laboratory(PolicyRegistry registry, Simulator simulator, String version) {
        this.registry = registry;
        this.runner = new Runner(simulator, Runtime.getRuntime().availableProcessors());
        this.reports = new RunReports(version);
    }

    PolicyRegistry registry() {
        return registry;
    }

    ScenarioCatalog catalog() {
        return catalog;
    }

    /** What to print of several runs: the reports of those that finished, and why the others did not. */
    record Outcomes(List<RunReport> reports, List<RunFailedException> failures) {}

    /** Runs policy stacks, all checked with the scenario's own before the first run begins, and keeps their order. */
    Outcomes run(Scenario scenario, List<PlacedText> policies, long seed) {
        scenario.changes().forEach(change -> change.check(registry));
        List<PolicyStack> stacks =
                policies.stream().map(policy -> checked(policy, scenario)).toList();
        scenario.compare().forEach(policy -> checked(policy, scenario));
        RunOutcomes outcomes = runner.runAll(scenario, stacks, seed);
        return new Outcomes(outcomes.finished().stream().map(reports::of).toList(), outcomes.failed());
    }

    private PolicyStack checked(PlacedText policy, Scenario scenario) {
        PolicyStack stack = stack(policy);
        PolicyChange.ofStack(scenario.changes(), stack);
        return stack;
    }

    private PolicyStack stack(PlacedText policy) {
        try {
            return PolicyStack.parse(policy.text(), registry);
        } catch (PolicyConfigurationException e) {
            throw new InvalidInputException(policy.place() + ": " + e.getMessage());
        }
    }
}
