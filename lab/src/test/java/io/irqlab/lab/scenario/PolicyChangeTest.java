package io.irqlab.lab.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.machine.SettingsChange;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the changes of a scenario mean for each stack. */
final class PolicyChangeTest {
    private static final String POLL = "nvme-watermark-poll";

    private final PolicyRegistry registry = PolicyRegistry.load(getClass().getClassLoader());

    private static PolicyChange change(long atMs, String policy, Map<String, String> settings) {
        return new PolicyChange(atMs * 1_000_000, policy, settings, "my.yaml:9: changes.set");
    }

    private List<SettingsChange> ofStack(String stack, PolicyChange... changes) {
        return PolicyChange.ofStack(List.of(changes), PolicyStack.parse(stack, registry));
    }

    @Test
    void eachChangeStandsOnTheOnesBeforeItInTime() {
        List<SettingsChange> changes = ofStack(
                POLL + ":adaptive_poll_max_loops=7",
                change(20, POLL, Map.of("adaptive_poll_stop_pending", "5")),
                change(10, POLL, Map.of("adaptive_poll_start_pending", "6")));

        assertThat(changes).extracting(SettingsChange::atNs).containsExactly(10_000_000L, 20_000_000L);
        assertThat(changes.get(0).settings().asMap())
                .containsEntry("adaptive_poll_start_pending", 6L)
                .containsEntry("adaptive_poll_stop_pending", 3L)
                .containsEntry("adaptive_poll_max_loops", 7L);
        assertThat(changes.get(1).settings().asMap())
                .containsEntry("adaptive_poll_start_pending", 6L)
                .containsEntry("adaptive_poll_stop_pending", 5L);
    }

    @Test
    void aStackWithoutThePolicyHasNoChange() {
        assertThat(ofStack("none", change(1, "gsim", Map.of("delay_us", "5")))).isEmpty();
        assertThat(ofStack(POLL, change(1, "gsim", Map.of("delay_us", "5")))).isEmpty();
        assertThat(ofStack(POLL + "+gsim", change(1, "gsim", Map.of("delay_us", "5"))))
                .hasSize(1);
    }

    @Test
    void valuesThatDoNotFitTogetherAreNamedWithTheirPlace() {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> ofStack(POLL, change(1, POLL, Map.of("adaptive_poll_start_pending", "2"))))
                .withMessage("my.yaml:9: changes.set: nvme-watermark-poll: adaptive_poll_start_pending=2 is below"
                        + " adaptive_poll_stop_pending=3; expected at least that");
    }
}
