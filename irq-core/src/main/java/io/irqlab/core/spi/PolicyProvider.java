package io.irqlab.core.spi;

import java.util.List;

/**
 * Describes and creates one kind of policy; found through {@link java.util.ServiceLoader}.
 *
 * <p>An implementation is a public class with a public constructor without arguments, registered both by
 * {@code provides} in {@code module-info} (module path) and by a line in {@code META-INF/services} (class path).
 */
public interface PolicyProvider {

    /**
     * Returns the name by which users select the policy.
     *
     * @return lower-case words joined by dashes, unique among the providers of a run
     */
    String name();

    /**
     * Returns where the policy acts.
     *
     * @return the layer; {@link #create} must return that layer's kind of policy
     */
    PolicyLayer layer();

    /**
     * Returns the hooks that the policy wants for itself: no other policy of its stack may claim one of them. Without it, a
     * policy claims its layer as a whole.
     *
     * <p>The platform, the flow handlers and the drivers have one hook each, which is claimed whether it is named here or
     * not. A device policy names the feature that it sets, such as {@code nvme-interrupt-coalescing}, so that it can stand
     * beside policies of other features.
     *
     * @return names, lower-case words joined by dashes; a hook is the same if its name is
     */
    default List<String> claims() {
        return List.of(layer().hook());
    }

    /**
     * Returns what the policy does, for help texts.
     *
     * @return one sentence
     */
    String summary();

    /**
     * Returns the settings that the policy accepts.
     *
     * @return the parameters, in the order in which help lists them
     */
    default List<Parameter> parameters() {
        return List.of();
    }

    /**
     * Checks rules that involve more than one parameter; each parameter's own range was checked before.
     *
     * @param settings the values
     * @return the faults, one sentence each, empty if there is none
     */
    default List<String> check(PolicySettings settings) {
        return List.of();
    }

    /**
     * Creates the policy for one run of one machine.
     *
     * @param context what the policy may use; valid for the whole run
     * @return a new instance, of the kind that {@link #layer} names ({@link PlatformPolicy}, {@link FlowPolicy},
     *     {@link DriverPolicy}; a device policy is a plain {@link Policy})
     */
    Policy create(PolicyContext context);
}
