package io.irqlab.core.cpu;

/** Costs of the operating system's actions: zero, but for those that a test names. */
public final class TestCosts {
    private long hardirqEntryNs;
    private long hardirqExitNs;
    private long softirqEntryNs;
    private long timerProgramNs;
    private long timerCallbackNs;
    private long tickNs;
    private long contextSwitchNs;
    private long wakeupNs;
    private long ipiNs;
    private long idleExitNs;
    private long clockReadNs;
    private VirtualizationCosts virtualization = VirtualizationCosts.BARE_METAL;

    private TestCosts() {}

    /** Begins with no costs at all. */
    public static TestCosts costs() {
        return new TestCosts();
    }

    /** Returns no costs at all. */
    public static CpuCosts free() {
        return costs().build();
    }

    public TestCosts hardirq(long entryNs, long exitNs) {
        hardirqEntryNs = entryNs;
        hardirqExitNs = exitNs;
        return this;
    }

    public TestCosts softirqEntry(long ns) {
        softirqEntryNs = ns;
        return this;
    }

    public TestCosts timer(long programNs, long callbackNs) {
        timerProgramNs = programNs;
        timerCallbackNs = callbackNs;
        return this;
    }

    public TestCosts tick(long ns) {
        tickNs = ns;
        return this;
    }

    public TestCosts virtualization(VirtualizationCosts costs) {
        virtualization = costs;
        return this;
    }

    public TestCosts contextSwitch(long ns) {
        contextSwitchNs = ns;
        return this;
    }

    public TestCosts wakeup(long ns) {
        wakeupNs = ns;
        return this;
    }

    public TestCosts ipi(long ns) {
        ipiNs = ns;
        return this;
    }

    public TestCosts idleExit(long ns) {
        idleExitNs = ns;
        return this;
    }

    public TestCosts clockRead(long ns) {
        clockReadNs = ns;
        return this;
    }

    public CpuCosts build() {
        return new CpuCosts(
                hardirqEntryNs,
                hardirqExitNs,
                softirqEntryNs,
                timerProgramNs,
                timerCallbackNs,
                tickNs,
                contextSwitchNs,
                wakeupNs,
                ipiNs,
                idleExitNs,
                clockReadNs,
                virtualization);
    }
}
