package io.irqlab.core.irq;

import io.irqlab.core.engine.RandomStream;

/**
 * What kind of line a {@link LineProgram} is about.
 *
 * @param flow its flow
 * @param managed whether its affinity is CPUs 0 and 1, for good; else it begins with CPUs 0 to 2 and may be changed
 * @param unlazy whether disabling masks at once
 * @param shared whether a second device may share it
 * @param threaded whether the drivers reap in their threads
 * @param oneshot whether it stays masked for these threads
 * @param wakes whether it may wake the suspended machine
 * @param messageNs how long a message of the device travels
 * @param handlerNs how long a handler runs
 */
record LineSetup(
        FlowType flow,
        boolean managed,
        boolean unlazy,
        boolean shared,
        boolean threaded,
        boolean oneshot,
        boolean wakes,
        long messageNs,
        long handlerNs) {

    static LineSetup random(RandomStream random) {
        FlowType flow = FlowType.values()[random.nextInt(3)];
        boolean threaded = random.nextInt(3) == 0;
        // A level that stays asserted until a thread has run storms, unless it is masked meanwhile.
        boolean oneshot = threaded && (flow == FlowType.LEVEL || random.nextInt(2) == 0);
        return new LineSetup(
                flow,
                random.nextInt(4) == 0,
                random.nextInt(3) == 0,
                random.nextInt(4) == 0,
                threaded,
                oneshot,
                random.nextInt(3) == 0,
                flow == FlowType.LEVEL ? 0 : random.nextInt(2) * 700L,
                random.nextLong(1_500));
    }

    IrqFlag[] flags() {
        var flags = new java.util.ArrayList<IrqFlag>();
        if (shared) {
            flags.add(IrqFlag.SHARED);
        }
        if (threaded) {
            flags.add(IrqFlag.THREADED);
        }
        if (oneshot) {
            flags.add(IrqFlag.ONESHOT);
        }
        return flags.toArray(IrqFlag[]::new);
    }
}
