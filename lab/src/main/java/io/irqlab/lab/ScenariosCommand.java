package io.irqlab.lab;

import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code irqlab scenarios}: what comes with irqlab. */
@Command(
        name = "scenarios",
        mixinStandardHelpOptions = true,
        versionProvider = IrqlabCommand.Version.class,
        description = "Lists the scenarios that come with irqlab.")
final class ScenariosCommand implements Callable<Integer> {
    private final Laboratory laboratory;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ScenariosCommand(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> scenarios = laboratory.catalog().builtIns();
        int width = scenarios.keySet().stream().mapToInt(String::length).max().orElse(0);
        scenarios.forEach(
                (name, description) -> out.print(name + " ".repeat(width - name.length()) + "  " + description + "\n"));
        out.flush();
        return 0;
    }
}
