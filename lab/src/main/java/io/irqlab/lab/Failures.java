package io.irqlab.lab;

import static java.util.Objects.requireNonNull;

import io.irqlab.core.spi.NearestName;
import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.lab.run.RunFailedException;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.PrintableText;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever went wrong into one line on standard error and an exit status. */
final class Failures {
    /** A run, or the output, failed. */
    static final int RUN_FAILED = 1;

    /** The user must correct the input. */
    static final int INVALID_INPUT = 2;

    private Failures() {}

    /** Handles a command line that does not parse. */
    static int invalidCommandLine(ParameterException e, String[] args) {
        print(e.getCommandLine(), describe(e));
        return INVALID_INPUT;
    }

    /** Handles what a command threw. */
    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        boolean printable = e instanceof InvalidInputException
                || e instanceof PolicyConfigurationException
                || e instanceof RunFailedException;
        if (printable) {
            print(command, requireNonNull(e.getMessage()));
        } else {
            StackTraceElement[] trace = e.getStackTrace();
            print(
                    command,
                    "internal error, please report it: " + e + (trace.length == 0 ? "" : " (at " + trace[0] + ")"));
        }
        return e instanceof InvalidInputException || e instanceof PolicyConfigurationException
                ? INVALID_INPUT
                : RUN_FAILED;
    }

    /** Names the runs that failed, and returns the exit status. */
    static int runsFailed(List<RunFailedException> failures, CommandLine command) {
        failures.forEach(failure -> print(command, requireNonNull(failure.getMessage())));
        return failures.isEmpty() ? 0 : RUN_FAILED;
    }

    private static void print(CommandLine command, String message) {
        command.getErr().println("irqlab: " + PrintableText.of(message));
        command.getErr().flush();
    }

    private static String describe(ParameterException e) {
        CommandLine command = e.getCommandLine();
        if (e instanceof UnmatchedArgumentException unmatched) {
            return describe(unmatched.getUnmatched().get(0), command);
        }
        if (e instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            ArgSpec argument = missing.getMissing().get(0);
            return argument instanceof PositionalParamSpec
                    ? argument.paramLabel() + " is missing; see irqlab " + command.getCommandName() + " --help"
                    : ((OptionSpec) argument).longestName() + " needs a value: " + argument.paramLabel();
        }
        if (e instanceof OverwrittenOptionException overwritten
                && overwritten.getOverwritten() instanceof OptionSpec option) {
            return option.longestName() + " is given twice; expected once";
        }
        return requireNonNull(e.getMessage()).lines().findFirst().orElse("the command line is wrong");
    }

    private static String describe(String argument, CommandLine command) {
        if (argument.startsWith("-") && argument.length() > 1) {
            String name = argument.replaceFirst("=.*", "");
            List<String> names = command.getCommandSpec().options().stream()
                    .flatMap(option -> List.of(option.names()).stream())
                    .filter(option -> option.startsWith("--"))
                    .toList();
            return "unknown option " + PrintableText.quote(name) + hint(name, names);
        }
        Collection<String> commands = command.getSubcommands().keySet();
        return commands.isEmpty()
                ? "unexpected argument " + PrintableText.quote(argument) + "; see irqlab " + command.getCommandName()
                        + " --help"
                : "unknown command " + PrintableText.quote(argument) + hint(argument, commands);
    }

    private static String hint(String name, Collection<String> known) {
        return NearestName.of(name, known)
                        .map(near -> ", did you mean '" + near + "'?")
                        .orElse("")
                + "; known: " + String.join(", ", known);
    }
}
