package io.irqlab.lab;

import io.irqlab.lab.report.CsvFormat;
import io.irqlab.lab.report.JsonFormat;
import io.irqlab.lab.report.ReportFormat;
import io.irqlab.lab.report.RunReport;
import io.irqlab.lab.report.TableFormat;
import io.irqlab.lab.scenario.PlacedText;
import io.irqlab.lab.scenario.Scenario;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code irqlab compare}: several policy stacks on one scenario, side by side. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = IrqlabCommand.Version.class,
        sortOptions = false,
        description = {
            "Runs several policies on one scenario and prints them side by side.",
            "All runs have the same seed, so that all see the same service times. Changes are against 'none', or"
                    + " against the first policy where 'none' is not among them. A run that fails is named on standard"
                    + " error, ends with status 1, and takes no row from the others.",
        },
        footer = {
            "",
            "Keys of --set (a number without unit is in the unit of the profile file; '*' stands for any name):",
            "  scenario.warmup, scenario.duration                 times with unit, such as 10ms",
            "  machine.cpus, machine.watchdog_thresh              the latter in seconds, as in sysctl; 0 is off",
            "  machine.root_complexes.NAME.dma|msi|posted_credits",
            "  machine.drives.NAME.root_complex",
            "  machine.drives.NAME.profile.KEY                    such as max_iops, read, link.lanes",
            "  machine.costs.cpu|driver.KEY                       such as cpu.hardirq_entry",
            "  machine.costs.engines.ENGINE.KEY                   such as io_uring.submit",
            "An unknown key is answered with the nearest one; docs/profiles.md lists all.",
            "",
            "Examples:",
            "  irqlab compare four-gen5-ssd",
            "  irqlab compare four-gen5-ssd --policy none --policy gsim:delay_us=50 --format csv",
            "  irqlab compare four-gen5-ssd --set 'machine.drives.*.profile.max_iops=3100000'",
            "  irqlab compare ./my.yaml --format json",
        })
final class CompareCommand implements Callable<Integer> {
    private final Laboratory laboratory;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private RunOptions options = new RunOptions();

    @Option(
            names = "--policy",
            paramLabel = "STACK",
            description =
                    "A policy stack, such as gsim:delay_us=100+nvme-watermark-poll, or none; repeatable. Replaces "
                            + "the scenario's list. See 'irqlab policies'.")
    private List<String> policies = new ArrayList<>();

    CompareCommand(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @Override
    public Integer call() {
        ReportFormat format = options.format();
        long seed = options.seed();
        Scenario scenario = options.scenario(laboratory.catalog());
        List<PlacedText> stacks = policies.isEmpty()
                ? scenario.compare()
                : policies.stream()
                        .map(text -> new PlacedText(text, "--policy"))
                        .toList();
        Laboratory.Outcomes outcomes = laboratory.run(scenario, stacks, seed);
        List<RunReport> reports = outcomes.reports();
        if (!reports.isEmpty()) {
            PrintWriter out = spec.commandLine().getOut();
            out.print(
                    switch (format) {
                        case TABLE -> new TableFormat().print(reports);
                        case JSON -> new JsonFormat().array(reports);
                        case CSV -> new CsvFormat().print(reports);
                    });
            out.flush();
        }
        return Failures.runsFailed(outcomes.failures(), spec.commandLine());
    }
}
