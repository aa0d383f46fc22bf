package io.irqlab.lab;

import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.report.RunReport;
import io.irqlab.lab.report.RunReports;
import io.irqlab.lab.run.Runner;
import io.irqlab.lab.run.Simulator;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.PlacedText;
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

    /** Runs policy stacks, all checked before the first run begins, and returns their reports in the same order. */
    List<RunReport> run(Scenario scenario, List<PlacedText> policies, long seed) {
        List<PolicyStack> stacks = policies.stream().map(this::stack).toList();
        return runner.run(scenario, stacks, seed).stream().map(reports::of).toList();
    }

    private PolicyStack stack(PlacedText policy) {
        try {
            return PolicyStack.parse(policy.text(), registry);
        } catch (PolicyConfigurationException e) {
            throw new InvalidInputException(policy.place() + ": " + e.getMessage());
        }
    }
}
