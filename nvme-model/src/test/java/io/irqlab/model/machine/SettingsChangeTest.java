package io.irqlab.model.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.irqlab.core.spi.Parameter;
import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyFailedException;
import io.irqlab.core.spi.PolicyLayer;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An administrator changes settings in the middle of a run, as a task that pays. */
final class SettingsChangeTest {
    private static final String FILE = "filename=/dev/nvme0n1";
    private static final Parameter LEVEL = new Parameter("level", "", 0, 9, 1, true, "How much.");

    private final TestMachine machine = new TestMachine();
    private final List<String> seen = new ArrayList<>();
    private long spendNs;

    private final PolicyProvider provider = new PolicyProvider() {
        @Override
        public String name() {
            return "level";
        }

        @Override
        public PolicyLayer layer() {
            return PolicyLayer.DEVICE;
        }

        @Override
        public String summary() {
            return "Notes its settings.";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of(LEVEL);
        }

        @Override
        public Policy create(PolicyContext context) {
            return new Policy() {
                @Override
                public void settingsChanged(PolicySettings settings, PolicyCpu cpu) {
                    seen.add("%d on cpu%d at %d".formatted(settings.get(LEVEL), cpu.number(), cpu.readClockNs()));
                    cpu.spend(spendNs);
                }
            };
        }
    };

    private SettingsChange to(long level, long atNs) {
        return new SettingsChange(
                atNs, "level", PolicySettings.check("level", provider.parameters(), Map.of("level", "" + level)));
    }

    private RunStatistics run(SettingsChange... changes) {
        // The load is on CPU 1, so that the administrator has CPU 0 for himself.
        return machine.assemble(TestMachine.stack(provider), List.of(changes), 1, FILE, "cpus_allowed=1")
                .run(1_000_000, 4_000_000);
    }

    @Test
    void aChangeIsMadeInOrderOfTimeOnCpu0AfterTheTimerAndTheSwitchToTheTask() {
        run(to(7, 3_500_000), to(3, 2_500_000));

        // Idle exit 1000, entry 500, callback 300, wake-up 400, the next timer 100, exit 300, switch 1200.
        assertThat(seen).containsExactly("3 on cpu0 at 2503800", "7 on cpu0 at 3503800");
    }

    @Test
    void changesOfOneTimeAreMadeInTheOrderGivenOneWriteApart() {
        run(to(5, 2_000_000), to(6, 2_000_000));

        // The tick that starts with the task, 100 ns, the write, 1000, and the clock that the test's policy reads, 25.
        assertThat(seen).containsExactly("5 on cpu0 at 2003800", "6 on cpu0 at 2004925");
    }

    @Test
    void theAdministratorsCpuPaysForWhatThePolicyDoes() {
        RunStatistics cheap = run(to(5, 2_000_000));
        spendNs = 40_000;
        RunStatistics dear = run(to(5, 2_000_000));

        assertThat(dear.cpus().get(0).systemNs()).isEqualTo(cheap.cpus().get(0).systemNs() + 40_000);
    }

    @Test
    void withoutChangesThereIsNoAdministrator() {
        RunStatistics run = run();

        assertThat(run.cpus().get(0).systemNs()).isZero();
        assertThat(run)
                .isEqualTo(machine.assemble(TestMachine.stack(provider), 1, FILE, "cpus_allowed=1")
                        .run(1_000_000, 4_000_000));
    }

    @Test
    void aChangeOfAPolicyThatIsNotThereIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine.assemble(PolicyStack.none(), List.of(to(1, 0)), 1, FILE))
                .withMessage("none has no policy level to change");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> to(1, -1))
                .withMessage("a change of level must be at 0 ns or later, was -1");
    }

    @Test
    void aPolicyThatTakesNoChangesEndsTheRun() {
        var stiff = new FakeProvider("level", PolicyLayer.DEVICE, context -> new Policy() {});

        assertThatExceptionOfType(PolicyFailedException.class)
                .isThrownBy(() -> machine.assemble(TestMachine.stack(stiff), List.of(to(1, 0)), 1, FILE)
                        .run(0, 1_000_000))
                .withMessageStartingWith("policy level failed on cpu 0 at ")
                .withMessageContaining("declares a parameter that may change in a run, but takes no changes");
    }

    @Test
    void aWatchdogThreshOfZeroMeansNoWatchdogs() {
        RunStatistics with = run();
        machine.watchdogThreshSeconds = 0;
        RunStatistics without = run();

        assertThat(without.lockups()).isEmpty();
        assertThat(without.devices()).isEqualTo(with.devices());
    }
}
