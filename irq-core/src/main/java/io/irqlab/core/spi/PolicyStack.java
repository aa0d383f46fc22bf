package io.irqlab.core.spi;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The policies of one run, as a user writes them: {@code gsim:delay_us=100+nvme-watermark-poll}, or {@code none}.
 * Immutable and checked; a stack holds at most one policy of each layer.
 */
public final class PolicyStack {
    /** The name of the empty stack: the stock kernel path. */
    public static final String NONE = "none";

    /**
     * One policy of a stack.
     *
     * @param provider what creates it
     * @param settings its checked settings
     */
    public record Entry(PolicyProvider provider, PolicySettings settings) {}

    private final String text;
    private final List<Entry> entries;

    private PolicyStack(String text, List<Entry> entries) {
        this.text = text;
        this.entries = List.copyOf(entries);
    }

    /**
     * Returns the empty stack.
     *
     * @return the stock kernel path
     */
    public static PolicyStack none() {
        return new PolicyStack(NONE, List.of());
    }

    /**
     * Reads a stack.
     *
     * @param text policies joined by {@code +}, each {@code name} or {@code name:parameter=value,parameter=value}
     * @param registry the policies that exist
     * @return the stack
     * @throws PolicyConfigurationException if the syntax, a name or a value is wrong, or two policies share a layer;
     *     every fault is listed
     */
    public static PolicyStack parse(String text, PolicyRegistry registry) {
        if (text.isBlank()) {
            throw new PolicyConfigurationException(List.of("the policy is empty; write '" + NONE + "' for no policy"));
        }
        if (text.strip().equals(NONE)) {
            return none();
        }
        var faults = new ArrayList<String>();
        var entries = new ArrayList<Entry>();
        for (String part : text.strip().split("\\+", -1)) {
            try {
                entries.add(parseEntry(part.strip(), text, registry));
            } catch (PolicyConfigurationException e) {
                faults.addAll(e.faults());
            }
        }
        checkLayers(entries, faults);
        if (!faults.isEmpty()) {
            throw new PolicyConfigurationException(faults);
        }
        return new PolicyStack(text.strip(), entries);
    }

    private static Entry parseEntry(String part, String text, PolicyRegistry registry) {
        int colon = part.indexOf(':');
        String name = (colon < 0 ? part : part.substring(0, colon)).strip();
        if (name.isEmpty()) {
            throw new PolicyConfigurationException(
                    List.of("'%s': a policy name is missing; expected NAME or NAME:PARAMETER=VALUE,..., joined by '+'"
                            .formatted(text)));
        }
        if (name.equals(NONE)) {
            throw new PolicyConfigurationException(
                    List.of("'%s': '%s' stands alone and takes no parameters".formatted(text, NONE)));
        }
        PolicyProvider provider = registry.provider(name);
        var faults = new ArrayList<String>();
        Map<String, String> written = parseSettings(name, part, colon, faults);
        var settings = PolicySettings.check(name, provider.parameters(), written, faults);
        if (faults.isEmpty()) {
            provider.check(settings).forEach(fault -> faults.add(name + ": " + fault));
        }
        if (!faults.isEmpty()) {
            throw new PolicyConfigurationException(faults);
        }
        return new Entry(provider, settings);
    }

    private static Map<String, String> parseSettings(String name, String part, int colon, List<String> faults) {
        var written = new LinkedHashMap<String, String>();
        if (colon < 0) {
            return written;
        }
        for (String setting : part.substring(colon + 1).split(",", -1)) {
            int equals = setting.indexOf('=');
            String key = equals < 0 ? "" : setting.substring(0, equals).strip();
            if (key.isEmpty()) {
                faults.add("%s: '%s' is not a setting; expected PARAMETER=VALUE".formatted(name, setting));
            } else if (written.put(key, setting.substring(equals + 1).strip()) != null) {
                faults.add("%s: '%s' is given twice".formatted(name, key));
            }
        }
        return written;
    }

    private static void checkLayers(List<Entry> entries, List<String> faults) {
        var owners = new EnumMap<PolicyLayer, String>(PolicyLayer.class);
        for (Entry entry : entries) {
            PolicyLayer layer = entry.provider().layer();
            String other = owners.putIfAbsent(layer, entry.provider().name());
            if (other != null) {
                faults.add("'%s' and '%s' both claim the %s layer; a stack holds one policy of each layer"
                        .formatted(other, entry.provider().name(), layer.name().toLowerCase(java.util.Locale.ROOT)));
            }
        }
    }

    /**
     * Returns the stack as the user wrote it.
     *
     * @return the text
     */
    public String text() {
        return text;
    }

    /**
     * Returns the policies in the order written.
     *
     * @return the entries, empty for {@code none}
     */
    public List<Entry> entries() {
        return entries;
    }

    @Override
    public String toString() {
        return text;
    }
}
