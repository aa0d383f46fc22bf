package io.irqlab.lab;

import io.irqlab.core.spi.NearestName;
import io.irqlab.lab.report.ReportFormat;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.PrintableText;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.ScenarioCatalog;
import io.irqlab.lab.scenario.Setting;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments that say what to run on and how to print it, common to {@code compare} and {@code run}. */
final class RunOptions {
    @Parameters(
            paramLabel = "SCENARIO",
            description = "A scenario that comes with irqlab (see 'irqlab scenarios'), or the path of a scenario file.")
    private String scenario = "";

    @Option(names = "--fio", paramLabel = "FILE", description = "A fio job file in place of the scenario's own.")
    private @Nullable String jobFile;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of all randomness, 0 or more (default: 1). The same seed gives the same bytes.")
    private String seed = "1";

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Virtual time to measure, such as 200ms or 1s, in place of the scenario's.")
    private @Nullable String duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            description = "Virtual time to run before measuring, in place of the scenario's.")
    private @Nullable String warmup;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Changes a value of the scenario or its machine; repeatable. See below.")
    private List<String> settings = new ArrayList<>();

    @Option(names = "--format", paramLabel = "FORMAT", description = "table (default), json or csv.")
    private String format = "table";

    /** Loads the scenario with everything that the options change. */
    Scenario scenario(ScenarioCatalog catalog) {
        var all = new ArrayList<Setting>();
        settings.forEach(text -> all.add(Setting.parse(text)));
        if (duration != null) {
            all.add(new Setting("--duration", "scenario.duration", duration));
        }
        if (warmup != null) {
            all.add(new Setting("--warmup", "scenario.warmup", warmup));
        }
        return catalog.load(scenario, jobFile, all);
    }

    /** Returns the seed. */
    long seed() {
        if (seed.matches("\\d{1,19}")) {
            try {
                return Long.parseLong(seed);
            } catch (NumberFormatException e) {
                // Nineteen digits may be too many: said below.
            }
        }
        throw new InvalidInputException("--seed: %s is no seed; expected a whole number from 0 to %s"
                .formatted(PrintableText.quote(seed), Long.MAX_VALUE));
    }

    /** Returns how to print. */
    ReportFormat format() {
        List<String> words = ReportFormat.words();
        return ReportFormat.of(format)
                .orElseThrow(() -> new InvalidInputException("--format: %s is unknown%s; known: %s"
                        .formatted(
                                PrintableText.quote(format),
                                NearestName.of(format, words)
                                        .map(near -> ", did you mean '" + near + "'?")
                                        .orElse(""),
                                String.join(", ", words))));
    }
}
