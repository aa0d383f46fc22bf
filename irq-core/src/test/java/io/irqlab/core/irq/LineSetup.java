package io.irqlab.core.irq;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What kind of line a {@link LineProgram} is about.
 *
 * @param flow its flow
 * @param traits what else is special about it
 * @param messageNs how long a message of the device travels
 * @param handlerNs how long a handler runs
 */
record LineSetup(FlowType flow, Set<Trait> traits, long messageNs, long handlerNs) {

    /** What may be special about a line. */
    enum Trait {
        /** Its affinity is CPUs 0 and 1, for good; else it begins with CPUs 0 to 2 and may be changed. */
        MANAGED(4),
        /** Disabling masks at once. */
        UNLAZY(3),
        /** A second device may share it. */
        SHARED(4),
        /** The drivers reap in their threads. */
        THREADED(3),
        /** It stays masked for these threads. */
        ONESHOT(2),
        /** It may wake the suspended machine. */
        WAKES(3),
        /** It stays on while the machine is suspended. */
        NO_SUSPEND(6),
        /** Its chip is masked while the machine is suspended. */
        MASKED_ON_SUSPEND(6),
        /** Its chip cannot mask. */
        UNMASKABLE(8),
        /** The devices assert a level, though the flow is not that of a level. */
        WIRED(3),
        /** Its chip holds an interrupt back from when it sends one until it is told the end. */
        HOLDS(2),
        /** Messages are posted, and handlers run in a notification. */
        POSTED(3),
        /** What the operating system does takes no time. */
        COSTLESS(4);

        private final int oneIn;

        Trait(int oneIn) {
            this.oneIn = oneIn;
        }
    }

    /** Leaves out the traits that do not go with the others. */
    LineSetup {
        var sensible = EnumSet.noneOf(Trait.class);
        sensible.addAll(traits);
        if (flow != FlowType.FASTEOI) {
            sensible.removeAll(EnumSet.of(Trait.WIRED, Trait.HOLDS));
        }
        if (flow != FlowType.EDGE) {
            sensible.remove(Trait.POSTED);
        }
        boolean wired = flow == FlowType.LEVEL || sensible.contains(Trait.WIRED);
        if (wired) {
            sensible.removeAll(EnumSet.of(Trait.UNMASKABLE, Trait.MASKED_ON_SUSPEND, Trait.HOLDS));
        }
        if (sensible.contains(Trait.WIRED)) {
            // It storms where the line was until the handler has ended where it is; without costs that stops the clock.
            sensible.remove(Trait.COSTLESS);
        }
        if (!sensible.contains(Trait.THREADED)) {
            sensible.remove(Trait.ONESHOT);
        } else if (wired) {
            // A level that stays asserted until a thread has run storms, unless it is masked meanwhile.
            sensible.add(Trait.ONESHOT);
        }
        traits = Sets.immutableEnumSet(sensible);
    }

    static LineSetup random(RandomStream random) {
        var traits = new ArrayList<Trait>();
        for (Trait trait : Trait.values()) {
            if (random.nextInt(trait.oneIn) == 0) {
                traits.add(trait);
            }
        }
        return new LineSetup(
                FlowType.values()[random.nextInt(3)],
                ImmutableSet.copyOf(traits),
                random.nextInt(2) * 700L,
                random.nextLong(1_500));
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** Whether the devices assert a level rather than send messages. */
    boolean wired() {
        return flow == FlowType.LEVEL || has(Trait.WIRED);
    }

    /** The same with fewer traits, one at a time. */
    List<LineSetup> simpler() {
        return traits.stream()
                .map(trait -> new LineSetup(
                        flow, Sets.difference(traits, Set.of(trait)).immutableCopy(), messageNs, handlerNs))
                .filter(setup -> !setup.equals(this))
                .toList();
    }

    IrqFlag[] flags() {
        var flags = new ArrayList<IrqFlag>();
        for (IrqFlag flag : IrqFlag.values()) {
            if (has(Trait.valueOf(flag.name()))) {
                flags.add(flag);
            }
        }
        return flags.toArray(IrqFlag[]::new);
    }
}
