package io.irqlab.lab;

import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicyStack;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code irqlab policies}: every policy that was found, with its parameters. */
@Command(
        name = "policies",
        mixinStandardHelpOptions = true,
        versionProvider = IrqlabCommand.Version.class,
        description =
                "Lists the policies found, each with its layer and its parameters with ranges and defaults. A stack "
                        + "joins policies of different layers with '+'.")
final class PoliciesCommand implements Callable<Integer> {
    private final Laboratory laboratory;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    PoliciesCommand(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @Override
    public Integer call() {
        var text = new StringBuilder();
        text.append(PolicyStack.NONE).append("\n  The stock kernel path: no policy.\n");
        laboratory.registry().providers().forEach(provider -> append(text, provider));
        laboratory
                .registry()
                .problems()
                .forEach(problem -> text.append("\nproblem: ").append(problem).append('\n'));
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        return 0;
    }

    private static void append(StringBuilder text, PolicyProvider provider) {
        text.append("\n%s (%s layer)\n  %s\n"
                .formatted(provider.name(), provider.layer().name().toLowerCase(Locale.ROOT), provider.summary()));
        int width = provider.parameters().stream()
                .mapToInt(parameter -> parameter.name().length())
                .max()
                .orElse(0);
        for (Parameter parameter : provider.parameters()) {
            text.append("  %s%s  %s, default %s%s\n"
                    .formatted(
                            parameter.name(),
                            " ".repeat(width - parameter.name().length()),
                            parameter.range(),
                            parameter.defaultValue(),
                            parameter.runtime() ? "" : ", fixed for a run"));
            text.append("  %s  %s\n".formatted(" ".repeat(width), parameter.summary()));
        }
    }
}
