package io.irqlab.core.spi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The policies of one run, as a user writes them: {@code gsim:delay_us=100+nvme-watermark-poll}, or {@code none}.
 * Immutable and checked; no two policies of a stack claim one hook ({@link PolicyProvider#claims}).
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
     * @throws PolicyConfigurationException if the syntax, a name or a value is wrong, or two policies claim one hook;
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
        checkClaims(entries, faults);
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

    private static void checkClaims(List<Entry> entries, List<String> faults) {
        var owners = new TreeMap<String, String>();
        var names = new TreeSet<String>();
        for (Entry entry : entries) {
            PolicyProvider provider = entry.provider();
            boolean clash = false;
            for (String hook : claims(provider)) {
                String other = owners.putIfAbsent(hook, provider.name());
                if (other != null) {
                    clash = true;
                    faults.add("'%s' and '%s' both claim the hook '%s'; a stack holds one policy for each hook"
                            .formatted(other, provider.name(), hook));
                }
            }
            if (!names.add(provider.name()) && !clash) {
                faults.add("'%s' is given twice".formatted(provider.name()));
            }
        }
    }

    /** A machine calls one policy of these layers, whatever their providers claim. */
    private static SortedSet<String> claims(PolicyProvider provider) {
        var claims = new TreeSet<String>(provider.claims());
        if (provider.layer() != PolicyLayer.DEVICE) {
            claims.add(provider.layer().hook());
        }
        return claims;
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
