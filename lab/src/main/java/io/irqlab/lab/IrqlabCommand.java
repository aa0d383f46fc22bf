package io.irqlab.lab;

import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.lab.run.Simulator;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code irqlab} command: the entry point, and what is common to its subcommands. */
@Command(
        name = "irqlab",
        mixinStandardHelpOptions = true,
        versionProvider = IrqlabCommand.Version.class,
        description = "Runs interrupt-moderation policies on a model of CPUs, PCIe and NVMe drives.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  irqlab compare four-gen5-ssd",
            "  irqlab compare four-gen5-ssd --fio my.fio --policy none --policy gsim:delay_us=50",
            "  irqlab run four-gen5-ssd --policy nvme-watermark-poll --format json",
            "",
            "Exit status: 0 the work was done, 1 a run failed, 2 the input is wrong.",
        })
public final class IrqlabCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private IrqlabCommand() {}

    /**
     * Runs the command and ends the process with its exit status.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        Locale.setDefault(Locale.ROOT);
        keepStandardOutputForReports();
        var stdout = new StandardOutput(new FileOutputStream(FileDescriptor.out));
        var out = new PrintWriter(new OutputStreamWriter(stdout, StandardCharsets.UTF_8));
        var err = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.err), StandardCharsets.UTF_8), true);
        int status = execute(out, err, args);
        out.flush();
        Optional<String> failure = stdout.failure();
        if (failure.isPresent() && status == 0) {
            status = Failures.RUN_FAILED;
            if (!stdout.readerHasGone()) {
                err.println("irqlab: the output cannot be written: " + failure.get());
            }
        }
        System.exit(status);
    }

    /** A policy is anybody's code; what it prints must not stand in the middle of a report. */
    static void keepStandardOutputForReports() {
        System.setOut(System.err);
    }

    private static int execute(PrintWriter out, PrintWriter err, String... args) {
        try {
            PolicyRegistry registry = PolicyRegistry.load(IrqlabCommand.class.getClassLoader());
            return commandLine(registry, Simulator.ofModel())
                    .setOut(out)
                    .setErr(err)
                    .execute(args);
        } catch (PolicyConfigurationException e) {
            err.println("irqlab: " + e.getMessage());
            return Failures.INVALID_INPUT;
        } catch (OutOfMemoryError e) {
            err.println("irqlab: out of memory; give Java more (-Xmx), or run fewer or shorter runs");
            return Failures.RUN_FAILED;
        }
    }

    /**
     * Makes the command.
     *
     * @param registry the policies that can be named
     * @param simulator what does a run
     * @return the command line parser, ready to execute
     */
    static CommandLine commandLine(PolicyRegistry registry, Simulator simulator) {
        var laboratory = new Laboratory(registry, simulator, Version.text());
        return new CommandLine(new IrqlabCommand())
                .addSubcommand(new CompareCommand(laboratory))
                .addSubcommand(new RunCommand(laboratory))
                .addSubcommand(new ScenariosCommand(laboratory))
                .addSubcommand(new PoliciesCommand(laboratory))
                .setExpandAtFiles(false)
                .setUsageHelpLongOptionsMaxWidth(30)
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(Failures::invalidCommandLine)
                .setExecutionExceptionHandler(Failures::failed);
    }

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(),
                "a command is missing; expected one of "
                        + String.join(", ", spec.subcommands().keySet()) + ", or --help");
    }

    /** Says which irqlab this is. */
    static final class Version implements CommandLine.IVersionProvider {
        /** Called by picocli. */
        Version() {}

        static String text() {
            String version = IrqlabCommand.class.getPackage().getImplementationVersion();
            return version == null ? "development" : version;
        }

        @Override
        public String[] getVersion() {
            return new String[] {"irqlab " + text()};
        }
    }
}
