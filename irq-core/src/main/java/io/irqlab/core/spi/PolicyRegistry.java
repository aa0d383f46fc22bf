package io.irqlab.core.spi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The policies that can be named in a stack. Immutable; holds no static state. */
public final class PolicyRegistry {
    /** A class loader that fails for ever must not be asked for ever. */
    private static final int MOST_FAILURES = 1_000;

    private final SortedMap<String, PolicyProvider> providers;
    private final SortedMap<String, String> ambiguous;
    private final List<String> problems;

    private PolicyRegistry(
            SortedMap<String, PolicyProvider> providers,
            SortedMap<String, String> ambiguous,
            Collection<String> problems) {
        this.providers = providers;
        this.ambiguous = ambiguous;
        this.problems = List.copyOf(problems);
    }

    /**
     * Finds every provider that a class loader sees. One that cannot be loaded does not hide the others: it is listed in
     * {@link #problems()}. So are two of one name; neither can then be used.
     *
     * @param loader where to look
     * @return the registry
     */
    public static PolicyRegistry load(ClassLoader loader) {
        var found = new ArrayList<PolicyProvider>();
        var problems = new LinkedHashSet<String>();
        var services = ServiceLoader.load(PolicyProvider.class, loader).iterator();
        int failures = 0;
        while (failures < MOST_FAILURES) {
            try {
                if (!services.hasNext()) {
                    break;
                }
                PolicyProvider provider = services.next();
                checkName(provider);
                found.add(provider);
                failures = 0;
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                failures++;
                problems.add("a policy provider could not be loaded: " + e.getMessage());
            }
        }
        if (failures == MOST_FAILURES) {
            problems.add("no more policy providers were looked for after %d failures".formatted(failures));
        }
        var byName = new TreeMap<String, PolicyProvider>();
        var ambiguous = new TreeMap<String, String>();
        for (PolicyProvider provider : found) {
            PolicyProvider other = byName.putIfAbsent(provider.name(), provider);
            if (other != null) {
                ambiguous.putIfAbsent(provider.name(), sameName(other, provider));
            }
        }
        byName.keySet().removeAll(ambiguous.keySet());
        problems.addAll(ambiguous.values());
        return new PolicyRegistry(byName, ambiguous, problems);
    }

    /**
     * Makes a registry of given providers, without {@link ServiceLoader}.
     *
     * @param providers the providers
     * @return the registry
     * @throws PolicyConfigurationException if a name is malformed, or two providers have one name
     */
    public static PolicyRegistry of(Collection<? extends PolicyProvider> providers) {
        var byName = new TreeMap<String, PolicyProvider>();
        for (PolicyProvider provider : providers) {
            checkName(provider);
            PolicyProvider other = byName.putIfAbsent(provider.name(), provider);
            if (other != null) {
                throw new PolicyConfigurationException(List.of(sameName(other, provider)));
            }
        }
        return new PolicyRegistry(byName, new TreeMap<>(), List.of());
    }

    private static String sameName(PolicyProvider one, PolicyProvider other) {
        return "two policies are named '%s': %s and %s"
                .formatted(
                        one.name(), one.getClass().getName(), other.getClass().getName());
    }

    private static void checkName(PolicyProvider provider) {
        String name = provider.name();
        if (name == null || !name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*") || name.equals(PolicyStack.NONE)) {
            throw new PolicyConfigurationException(
                    List.of("%s is named '%s'; expected lower-case words joined by dashes, and not '%s'"
                            .formatted(provider.getClass().getName(), name, PolicyStack.NONE)));
        }
    }

    /**
     * Returns the provider of a name.
     *
     * @param name the policy's name
     * @return its provider
     * @throws PolicyConfigurationException if no policy has that name, with the nearest and all names, or two have
     */
    public PolicyProvider provider(String name) {
        String twice = ambiguous.get(name);
        if (twice != null) {
            throw new PolicyConfigurationException(List.of(twice + "; remove one of their jars"));
        }
        PolicyProvider provider = providers.get(name);
        if (provider == null) {
            var names = new ArrayList<String>(providers.keySet());
            names.add(PolicyStack.NONE);
            throw new PolicyConfigurationException(List.of("no policy is named '%s'%s; known: %s"
                    .formatted(
                            name,
                            NearestName.of(name, names)
                                    .map(near -> ", did you mean '" + near + "'?")
                                    .orElse(""),
                            String.join(", ", names))));
        }
        return provider;
    }

    /**
     * Returns all providers.
     *
     * @return sorted by name
     */
    public List<PolicyProvider> providers() {
        return List.copyOf(providers.values());
    }

    /**
     * Returns what went wrong with providers that could not be loaded, or have the name of another.
     *
     * @return one sentence each, empty if all loaded
     */
    public List<String> problems() {
        return problems;
    }
}
