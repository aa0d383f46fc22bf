package io.irqlab.core.spi;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** The checked values of one policy's parameters, defaults filled in. Immutable. */
public final class PolicySettings {
    private final Map<String, Long> values;

    private PolicySettings(Map<String, Long> values) {
        this.values = values;
    }

    /**
     * Checks what a user wrote. Every fault is reported, not the first alone.
     *
     * @param policy the policy's name, for the messages
     * @param parameters what the policy accepts
     * @param written what the user wrote, name to text
     * @return the settings, defaults filled in
     * @throws PolicyConfigurationException if a name is unknown, or a value is no whole number or out of range
     */
    public static PolicySettings check(String policy, List<Parameter> parameters, Map<String, String> written) {
        var faults = new ArrayList<String>();
        PolicySettings settings = check(policy, parameters, written, faults);
        if (!faults.isEmpty()) {
            throw new PolicyConfigurationException(faults);
        }
        return settings;
    }

    /** Adds the faults to a list instead; the settings returned are of use only if there are none. */
    static PolicySettings check(
            String policy, List<Parameter> parameters, Map<String, String> written, List<String> faults) {
        var values = new LinkedHashMap<String, Long>();
        for (Parameter parameter : parameters) {
            values.put(parameter.name(), parameter.defaultValue());
        }
        var names = List.copyOf(values.keySet());
        written.forEach((name, text) -> {
            int index = names.indexOf(name);
            if (index < 0) {
                faults.add(unknown(policy, name, names));
            } else {
                values.put(name, parse(policy, parameters.get(index), text, faults));
            }
        });
        return new PolicySettings(values);
    }

    /**
     * Returns these settings with some values changed, as in the middle of a run.
     *
     * @param provider what declared the parameters
     * @param written the changes, name to text
     * @return all values, changed or not
     * @throws PolicyConfigurationException if a name is unknown, a parameter is fixed for a run, a value is no whole number
     *     or out of range, or the provider finds that the values do not fit together; every fault is listed
     */
    public PolicySettings with(PolicyProvider provider, Map<String, String> written) {
        PolicySettings checked = checkChange(provider, written);
        var changed = new LinkedHashMap<String, Long>(values);
        written.keySet().forEach(name -> changed.replace(name, checked.values.get(name)));
        var settings = new PolicySettings(changed);
        List<String> faults = provider.check(settings);
        if (!faults.isEmpty()) {
            throw new PolicyConfigurationException(
                    faults.stream().map(fault -> provider.name() + ": " + fault).toList());
        }
        return settings;
    }

    /**
     * Checks a change in the middle of a run, without the rules that involve more than one parameter.
     *
     * @param provider what declared the parameters
     * @param written the changes, name to text
     * @return the changes, among defaults
     * @throws PolicyConfigurationException if a name is unknown, a parameter is fixed for a run, or a value is no whole number
     *     or out of range; every fault is listed
     */
    public static PolicySettings checkChange(PolicyProvider provider, Map<String, String> written) {
        var faults = new ArrayList<String>();
        PolicySettings checked = check(provider.name(), provider.parameters(), written, faults);
        provider.parameters().stream()
                .filter(parameter -> written.containsKey(parameter.name()) && !parameter.runtime())
                .forEach(parameter -> faults.add("%s: %s is fixed for a run; may change: %s"
                        .formatted(provider.name(), parameter.name(), changeable(provider))));
        if (!faults.isEmpty()) {
            throw new PolicyConfigurationException(faults);
        }
        return checked;
    }

    private static String changeable(PolicyProvider provider) {
        List<String> names = provider.parameters().stream()
                .filter(Parameter::runtime)
                .map(Parameter::name)
                .toList();
        return names.isEmpty() ? "none of its parameters" : String.join(", ", names);
    }

    private static String unknown(String policy, String name, List<String> names) {
        String known = names.isEmpty() ? policy + " has none" : "known: " + String.join(", ", names);
        return "%s: '%s' is not a parameter%s; %s"
                .formatted(
                        policy,
                        name,
                        NearestName.of(name, names)
                                .map(near -> ", did you mean '" + near + "'?")
                                .orElse(""),
                        known);
    }

    private static long parse(String policy, Parameter parameter, String text, List<String> faults) {
        String digits = text.replace("_", "");
        if (!digits.matches("[+-]?[0-9]+")) {
            faults.add("%s: %s='%s' is not a whole number; expected %s"
                    .formatted(policy, parameter.name(), text, parameter.range()));
            return parameter.defaultValue();
        }
        var value = new BigInteger(digits);
        if (value.compareTo(BigInteger.valueOf(parameter.min())) < 0
                || value.compareTo(BigInteger.valueOf(parameter.max())) > 0) {
            faults.add("%s: %s=%s is out of range; expected %s"
                    .formatted(policy, parameter.name(), text, parameter.range()));
            return parameter.defaultValue();
        }
        return value.longValue();
    }

    /**
     * Returns a value.
     *
     * @param parameter one of the parameters that were checked
     * @return the value, within the parameter's range
     * @throws NoSuchElementException if the policy did not declare the parameter
     */
    public long get(Parameter parameter) {
        Long value = values.get(parameter.name());
        if (value == null) {
            throw new NoSuchElementException(parameter.name() + " was not declared by the provider");
        }
        return value;
    }

    /**
     * Returns all values in the order of declaration.
     *
     * @return name to value, unmodifiable
     */
    public Map<String, Long> asMap() {
        return java.util.Collections.unmodifiableMap(values);
    }
}
