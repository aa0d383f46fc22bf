package io.irqlab.lab.scenario;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.machine.SettingsChange;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A change of a policy's parameters in the middle of a run, as a scenario file writes it. It holds for every stack that
 * has the policy.
 *
 * @param atNs when: virtual time since the run began, warm-up included
 * @param policy the policy's name
 * @param settings the parameters that change, name to text
 * @param place where it was written, for messages, such as {@code my.yaml:9: changes}
 */
public record PolicyChange(long atNs, String policy, Map<String, String> settings, String place) {

    /** Copies the map. */
    public PolicyChange {
        settings = ImmutableMap.copyOf(settings);
    }

    /**
     * Checks that the policy and its parameters exist and may be changed to these values.
     *
     * @param registry the policies that exist
     * @throws InvalidInputException if not
     */
    public void check(PolicyRegistry registry) {
        try {
            PolicySettings.checkChange(registry.provider(policy), settings);
        } catch (PolicyConfigurationException e) {
            throw fault(e);
        }
    }

    /**
     * Returns what changes mean for one stack.
     *
     * @param changes the changes of a scenario
     * @param stack the stack; changes of policies that it does not have are left out
     * @return the changes in order of time, each with all values of its policy from then on
     * @throws InvalidInputException if a value is wrong, or values do not fit together
     */
    public static List<SettingsChange> ofStack(List<PolicyChange> changes, PolicyStack stack) {
        var now = new HashMap<String, PolicySettings>();
        var providers = stack.entries().stream()
                .map(PolicyStack.Entry::provider)
                .collect(Collectors.toMap(provider -> provider.name(), provider -> provider));
        stack.entries().forEach(entry -> now.put(entry.provider().name(), entry.settings()));
        var made = ImmutableList.<SettingsChange>builder();
        changes.stream().sorted(Comparator.comparingLong(PolicyChange::atNs)).forEach(change -> {
            PolicySettings before = now.get(change.policy());
            var provider = providers.get(change.policy());
            if (before == null || provider == null) {
                return;
            }
            try {
                PolicySettings after = before.with(provider, change.settings());
                now.put(change.policy(), after);
                made.add(new SettingsChange(change.atNs(), change.policy(), after));
            } catch (PolicyConfigurationException e) {
                throw change.fault(e);
            }
        });
        return made.build();
    }

    private InvalidInputException fault(PolicyConfigurationException e) {
        return new InvalidInputException(place + ": " + e.getMessage());
    }

    @Override
    public String toString() {
        return "%s of %s at %s"
                .formatted(
                        settings.entrySet().stream()
                                .map(setting -> setting.getKey() + "=" + setting.getValue())
                                .collect(Collectors.joining(",")),
                        policy,
                        Unit.formatTime(atNs));
    }
}
