package io.irqlab.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.lab.report.SampleRun;
import io.irqlab.lab.run.Simulator;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.lab.scenario.ScenarioFiles;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IrqlabCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final AtomicReference<Scenario> seen = new AtomicReference<>();
    private Simulator simulator = (scenario, policy, seed, recorders) -> {
        seen.set(scenario);
        return SampleRun.statistics(recorders);
    };
    private ScenarioFiles files;

    @BeforeEach
    void writeTheFiles(@TempDir Path directory) {
        files = ScenarioFiles.in(directory);
    }

    @Test
    void compareRunsThePoliciesOfTheScenario() {
        files.edit("my.yaml", "  - none\n", "  - none\n  - delay:delay_us=20\n");

        assertThat(irqlab("compare", files.path("my.yaml"))).isZero();

        assertThat(out.toString())
                .startsWith("my, seed 1: 10 ms measured after 5 ms of warm-up\n\npolicy ")
                .contains("\nnone ", "\ndelay:delay_us=20 ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void compareTakesPoliciesFromTheCommandLine() {
        assertThat(irqlab("compare", files.path("my.yaml"), "--policy", "delay", "--policy=none", "--format", "csv"))
                .isZero();

        assertThat(out.toString().lines()).hasSize(3).element(1).asString().startsWith("my,delay,1,");
    }

    @Test
    void compareTakesEverythingElseFromTheCommandLine() {
        assertThat(irqlab(
                        "compare",
                        files.path("my.yaml"),
                        "--fio",
                        files.path("my.fio"),
                        "--seed=42",
                        "--duration=1s",
                        "--warmup=0ms",
                        "--set=machine.cpus=33",
                        "--set",
                        "machine.watchdog_thresh=1",
                        "--format=json"))
                .isZero();

        assertThat(out.toString()).startsWith("[\n").contains("\"seed\": 42,");
        assertThat(seen.get().durationNs()).isEqualTo(1_000_000_000);
        assertThat(seen.get().warmupNs()).isZero();
        assertThat(seen.get().machine().cpus()).isEqualTo(33);
        assertThat(seen.get().machine().watchdogThreshSeconds()).isEqualTo(1);
    }

    @Test
    void runPrintsOneObject() {
        assertThat(irqlab("run", files.path("my.yaml"), "--format", "json")).isZero();

        assertThat(out.toString()).startsWith("{\n  \"scenario\": \"my\",\n  \"policy\": \"none\",");
    }

    @Test
    void scenariosListsWhatComesWithIrqlab() {
        assertThat(irqlab("scenarios")).isZero();

        assertThat(out.toString()).startsWith("four-gen5-ssd  four PCIe Gen5 drives");
    }

    @Test
    void policiesListsParametersWithRangesAndDefaults() {
        assertThat(irqlab("policies")).isZero();

        assertThat(out.toString()).isEqualTo("""
            none
              The stock kernel path: no policy.

            delay (flow layer)
              Delays everything.
              delay_us  0 to 500 us, default 20
                        How long.
              n         1 to 9, default 1, fixed for a run
                        How many.
            """);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--help", "--version", "compare --help", "run --help", "scenarios --help", "policies --help"})
    void helpIsNoError(String arguments) {
        assertThat(irqlab(arguments.split(" "))).isZero();

        assertThat(out.toString()).contains("irqlab");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|a command is missing; expected one of compare, run, scenarios, policies, or --help",
                "compar x|unknown command 'compar', did you mean 'compare'?; known: compare, run, scenarios, policies",
                "--hlep|unknown option '--hlep', did you mean '--help'?; known: --help, --version",
                "compare|SCENARIO is missing; see irqlab compare --help",
                "compare four-gen5-ssd b|unexpected argument 'b'; see irqlab compare --help",
                "compare four-gen5-ssd --sede 3|unknown option '--sede', did you mean '--seed'?; known: --fio, --seed,"
                        + " --duration, --warmup, --set, --format, --policy, --help, --version",
                "compare four-gen5-ssd --sede=3|unknown option '--sede', did you mean '--seed'?; known: --fio, --seed,"
                        + " --duration, --warmup, --set, --format, --policy, --help, --version",
                "compare four-gen5-ssd --seed|--seed needs a value: N",
                "compare four-gen5-ssd --seed 1 --seed 2|--seed is given twice; expected once",
                "compare four-gen5-ssd --seed -1|--seed: '-1' is no seed; expected a whole number from 0 to"
                        + " 9223372036854775807",
                "compare four-gen5-ssd --seed 9999999999999999999|--seed: '9999999999999999999' is no seed; expected a"
                        + " whole number from 0 to 9223372036854775807",
                "compare four-gen5-ssd --format jsn|--format: 'jsn' is unknown, did you mean 'json'?; known: table,"
                        + " json, csv",
                "compare four-gen5-ssd --duration -5ms|--duration: -5 ms is out of range; expected 1 us to 3600 s",
                "compare four-gen5-ssd --duration 0ms|--duration: 0 ms is out of range; expected 1 us to 3600 s",
                "compare four-gen5-ssd --duration 5|--duration: '5' is no time with a unit; expected 1 us to 3600 s,"
                        + " such as 200ms",
                "compare four-gen5-ssd --warmup 2h|--warmup: 'h' is no unit of time; expected ns, us, ms, s",
                "compare four-gen5-ssd --set machine.cpu=3|--set machine.cpu: there is no such value, did you mean"
                        + " 'machine.cpus'?",
                "compare four-gen5-ssd --policy dealy|--policy: no policy is named 'dealy', did you mean 'delay'?;"
                        + " known: delay, none",
                "compare four-gen5-ssd --policy delay:delay_s=3|--policy: delay: 'delay_s' is not a parameter, did you"
                        + " mean 'delay_us'?; known: delay_us, n",
                "compare four-gen5-ssd --policy delay:delay_us=900|--policy: delay: delay_us=900 is out of range;"
                        + " expected 0 to 500 us",
                "compare four-gen5-ssd --policy=|--policy: the policy is empty; write 'none' for no policy",
                "run four-gen5-ssd --policy none --policy none|--policy is given twice; expected once",
                "run four-gen5-sdd|no scenario is named 'four-gen5-sdd', did you mean 'four-gen5-ssd'?; known:"
                        + " four-gen5-ssd, or a path such as ./my.yaml",
                "run /nowhere/my.yaml|/nowhere/my.yaml: cannot be read: no such file",
                "scenarios x|unexpected argument 'x'; see irqlab scenarios --help",
            })
    void wrongInputIsOneLineAndStatus2(String arguments, String message) {
        String[] words = arguments == null ? new String[0] : arguments.split(" ");

        assertThat(irqlab(words)).isEqualTo(2);

        assertThat(err.toString()).isEqualTo("irqlab: " + message + "\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aPolicyOfAScenarioFileIsNamedWithItsLine() {
        files.edit("my.yaml", "  - none\n", "  - none\n  - dealy\n");

        assertThat(irqlab("compare", files.path("my.yaml"))).isEqualTo(2);

        assertThat(err.toString())
                .isEqualTo(
                        "irqlab: %s:%d: compare: no policy is named 'dealy', did you mean 'delay'?; known: delay, none\n"
                                .formatted(files.path("my.yaml"), files.line("my.yaml", "dealy")));
    }

    @Test
    void aJobFileWithAFaultIsNamedWithItsLine() {
        files.edit("my.fio", "iodepth=64", "iodepth=many");

        assertThat(irqlab("compare", "four-gen5-ssd", "--fio", files.path("my.fio")))
                .isEqualTo(2);

        assertThat(err.toString())
                .startsWith("irqlab: %s:%d: iodepth: "
                        .formatted(files.path("my.fio"), files.line("my.fio", "iodepth=many")))
                .hasLineCount(1);
    }

    @Test
    void aDirectoryIsNoJobFile(@TempDir Path directory) {
        assertThat(irqlab("compare", "four-gen5-ssd", "--fio", directory.toString()))
                .isEqualTo(2);

        assertThat(err.toString()).startsWith("irqlab: " + directory + ": ").hasLineCount(1);
    }

    @Test
    void aRunThatFailsIsOneLineAndStatus1() {
        simulator = (scenario, policy, seed, recorders) -> {
            throw new IllegalStateException("the clock\nstopped");
        };

        assertThat(irqlab("run", files.path("my.yaml"), "--policy", "delay", "--seed", "3"))
                .isEqualTo(1);

        assertThat(err.toString())
                .startsWith("irqlab: policy delay on my, seed 3: the run failed: IllegalStateException: the" + " clock")
                .hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aComparisonPrintsTheRowsOfTheRunsThatFinishedAndNamesTheOther() {
        simulator = (scenario, policy, seed, recorders) -> {
            if (!policy.entries().isEmpty()) {
                throw new PolicyFailedException("delay", 3, 1_500, seed, "it sleeps");
            }
            return SampleRun.statistics(recorders);
        };

        assertThat(irqlab("compare", files.path("my.yaml"), "--policy", "delay", "--policy", "none", "--format", "csv"))
                .isEqualTo(1);

        assertThat(out.toString().lines()).hasSize(2).element(1).asString().startsWith("my,none,1,");
        assertThat(err.toString())
                .isEqualTo("irqlab: policy delay on my, seed 1: the run failed: policy delay failed on cpu 3 at"
                        + " 1500 ns: it sleeps\n");
    }

    @Test
    void aComparisonOfWhichNoRunFinishesPrintsNothing() {
        simulator = (scenario, policy, seed, recorders) -> {
            throw new IllegalStateException("stuck");
        };

        assertThat(irqlab("compare", files.path("my.yaml"), "--policy", "delay", "--policy", "none"))
                .isEqualTo(1);

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).hasLineCount(2);
    }

    @Test
    void runChecksThePoliciesOfTheScenarioToo() {
        files.edit("my.yaml", "  - none\n", "  - none\n  - dealy\n");

        assertThat(irqlab("run", files.path("my.yaml"))).isEqualTo(2);

        assertThat(err.toString()).contains(": compare: no policy is named 'dealy', did you mean 'delay'?");
    }

    @Test
    void whatAPolicyPrintsGoesToStandardError() {
        PrintStream out = System.out;
        try {
            IrqlabCommand.keepStandardOutputForReports();
            assertThat(System.out).isSameAs(System.err);
        } finally {
            System.setOut(out);
        }
    }

    // ---- changes in the middle of a run

    private void changes(String items) {
        files.edit("my.yaml", "compare:", "changes:\n" + items + "compare:");
    }

    @Test
    void aScenarioChangesAPolicyInTheMiddleOfARun() {
        changes("  - {at: 100 ms, policy: delay, set: {delay_us: 50}}\n");

        assertThat(irqlab("compare", files.path("my.yaml"), "--policy", "delay", "--policy", "none"))
                .as(err.toString())
                .isZero();

        assertThat(seen.get().changes()).singleElement().satisfies(change -> {
            assertThat(change.atNs()).isEqualTo(100_000_000);
            assertThat(change.policy()).isEqualTo("delay");
            assertThat(change.settings()).isEqualTo(Map.of("delay_us", "50"));
        });
        assertThat(seen.get().notes()).contains("changes delay_us=50 of delay at 100 ms, in the stacks that have it");
    }

    @Test
    void aChangeAfterTheEndOfARunIsNoted() {
        changes("  - {at: 250 ms, policy: delay, set: {delay_us: 50}}\n");

        assertThat(irqlab("compare", files.path("my.yaml"))).isZero();

        assertThat(seen.get().notes())
                .contains("the change delay_us=50 of delay at 250 ms is not made: the run ends at 250 ms");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{at: 1 ms, policy: dealy, set: {delay_us: 5}}|changes.set: no policy is named 'dealy', did you mean"
                        + " 'delay'?; known: delay, none",
                "{at: 1 ms, policy: delay, set: {delay: 5}}|changes.set: delay: 'delay' is not a parameter; known:"
                        + " delay_us, n",
                "{at: 1 ms, policy: delay, set: {delay_us: 501}}|changes.set: delay: delay_us=501 is out of range;"
                        + " expected 0 to 500 us",
                "{at: 1 ms, policy: delay, set: {delay_us: 5 us}}|changes.set: delay: delay_us='5 us' is not a whole"
                        + " number; expected 0 to 500 us",
                "{at: 1 ms, policy: delay, set: {n: 2}}|changes.set: delay: n is fixed for a run; may change: delay_us",
                "{at: 1 ms, policy: delay, set: {}}|changes.set: is empty; expected one entry at least",
                "{at: 1 ms, policy: delay, set: {delay_us: [1]}}|changes.set.delay_us: expected a number, was a list",
                "{at: 1 ms, policy: delay}|changes.set: is missing",
                "{at: 1, policy: delay, set: {delay_us: 5}}|changes.at: '1' is no time with a unit; expected 0 to"
                        + " 7200 s, such as 200ms",
                "{at: 1 ms, polcy: delay, set: {delay_us: 5}}|changes.polcy: is unknown, did you mean 'policy'?; known:"
                        + " at, policy, set",
                "5|changes: expected a mapping, was the number '5'",
            })
    void aWrongChangeIsNamedWithItsLine(String item, String message) {
        changes("  - " + item + "\n");

        assertThat(irqlab("run", files.path("my.yaml"))).isEqualTo(2);

        assertThat(err.toString())
                .isEqualTo("irqlab: %s:%d: %s\n"
                        .formatted(files.path("my.yaml"), files.line("my.yaml", "  - " + item), message));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void changesAreAList() {
        files.edit("my.yaml", "compare:", "changes: none\ncompare:");

        assertThat(irqlab("run", files.path("my.yaml"))).isEqualTo(2);

        assertThat(err.toString()).endsWith(": changes: expected a list, was the text 'none'\n");
    }

    @Test
    void aNameThatDrivesTheTerminalIsPrintedAsText() {
        assertThat(irqlab("compare", "\u001b[31mred")).isEqualTo(2);

        assertThat(err.toString()).startsWith("irqlab: no scenario is named '\\u001b[31mred'");
    }

    private int irqlab(String... arguments) {
        return IrqlabCommand.commandLine(PolicyRegistry.of(List.of(new Delay())), simulator)
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    private static final class Delay implements PolicyProvider {
        @Override
        public String name() {
            return "delay";
        }

        @Override
        public PolicyLayer layer() {
            return PolicyLayer.FLOW;
        }

        @Override
        public String summary() {
            return "Delays everything.";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(
                    new Parameter("delay_us", "us", 0, 500, 20, true, "How long."),
                    new Parameter("n", "", 1, 9, 1, false, "How many."));
        }

        @Override
        public Policy create(PolicyContext context) {
            throw new UnsupportedOperationException();
        }
    }
}
