package io.irqlab.core.spi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/** The policies that can be named in a stack. Immutable; holds no static state. */
public final class PolicyRegistry {
    private final SortedMap<String, PolicyProvider> providers;
    private final List<String> problems;

    private PolicyRegistry(SortedMap<String, PolicyProvider> providers, List<String> problems) {
        this.providers = providers;
        this.problems = List.copyOf(problems);
    }

    /**
     * Finds every provider that a class loader sees. One that cannot be loaded does not hide the others: it is listed in
     * {@link #problems()}.
     *
     * @param loader where to look
     * @return the registry
     * @throws PolicyConfigurationException if two providers have one name
     */
    public static PolicyRegistry load(ClassLoader loader) {
        var found = new ArrayList<PolicyProvider>();
        var problems = new ArrayList<String>();
        var services = ServiceLoader.load(PolicyProvider.class, loader).iterator();
        while (true) {
            try {
                if (!services.hasNext()) {
                    break;
                }
                PolicyProvider provider = services.next();
                checkName(provider);
                found.add(provider);
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
                problems.add("a policy provider could not be loaded: " + e.getMessage());
            }
        }
        return of(found, problems);
    }

    /**
     * Makes a registry of given providers, without {@link ServiceLoader}.
     *
     * @param providers the providers
     * @return the registry
     * @throws PolicyConfigurationException if a name is malformed, or two providers have one name
     */
    public static PolicyRegistry of(Collection<? extends PolicyProvider> providers) {
        providers.forEach(PolicyRegistry::checkName);
        return of(providers, List.of());
    }

    private static PolicyRegistry of(Collection<? extends PolicyProvider> found, List<String> problems) {
        var byName = new TreeMap<String, PolicyProvider>();
        for (PolicyProvider provider : found) {
            PolicyProvider other = byName.putIfAbsent(provider.name(), provider);
            if (other != null) {
                throw new PolicyConfigurationException(List.of("two policies are named '%s': %s and %s"
                        .formatted(
                                provider.name(),
                                other.getClass().getName(),
                                provider.getClass().getName())));
            }
        }
        return new PolicyRegistry(byName, problems);
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
     * @throws PolicyConfigurationException if no policy has that name; the message gives the nearest and all names
     */
    public PolicyProvider provider(String name) {
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
     * Returns what went wrong with providers that could not be loaded.
     *
     * @return one sentence each, empty if all loaded
     */
    public List<String> problems() {
        return problems;
    }
}
