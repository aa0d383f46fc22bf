package io.irqlab.lab;

import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.report.CsvFormat;
import io.irqlab.lab.report.JsonFormat;
import io.irqlab.lab.report.ReportFormat;
import io.irqlab.lab.report.RunReport;
import io.irqlab.lab.report.TableFormat;
import io.irqlab.lab.scenario.PlacedText;
import io.irqlab.lab.scenario.Scenario;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code irqlab run}: one policy stack on one scenario. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = IrqlabCommand.Version.class,
        sortOptions = false,
        description = "Runs one policy on one scenario. With --format json it prints one object.",
        footer = {"", "The keys of --set are those of 'irqlab compare --help'."})
final class RunCommand implements Callable<Integer> {
    private final Laboratory laboratory;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunOptions options = new RunOptions();

    @Option(
            names = "--policy",
            paramLabel = "STACK",
            description = "The policy stack (default: none), such as gsim:delay_us=100. See 'irqlab policies'.")
    private String policy = PolicyStack.NONE;

    RunCommand(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @Override
    public Integer call() {
        ReportFormat format = options.format();
        long seed = options.seed();
        Scenario scenario = options.scenario(laboratory.catalog());
        Laboratory.Outcomes outcomes = laboratory.run(scenario, List.of(new PlacedText(policy, "--policy")), seed);
        List<RunReport> reports = outcomes.reports();
        if (!reports.isEmpty()) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(
                    switch (format) {
                        case TABLE -> new TableFormat().print(reports);
                        case JSON -> new JsonFormat().object(reports.get(0));
                        case CSV -> new CsvFormat().print(reports);
                    });
            out.flush();
        }
        return Failures.runsFailed(outcomes.failures(), spec.commandLine());
    }
}
