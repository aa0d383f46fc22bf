package io.irqlab.model.host;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How interrupt vectors are spread over CPUs ({@code group_cpus_evenly}): each owns a contiguous group, groups differ by
 * at most one CPU, and the larger ones come first.
 */
public final class CpuGroups {
    private final int cpus;
    private final int groups;

    /**
     * Spreads CPUs over groups.
     *
     * @param cpus how many CPUs
     * @param groups how many groups, at most as many as CPUs
     */
    public CpuGroups(int cpus, int groups) {
        checkArgument(groups >= 1 && groups <= cpus, "groups must be 1 to %s, were %s", cpus, groups);
        this.cpus = cpus;
        this.groups = groups;
    }

    /**
     * Returns a group's first CPU, which takes its interrupts.
     *
     * @param group 0 to the number of groups less one
     * @return the CPU's number
     */
    public int firstCpu(int group) {
        int size = cpus / groups;
        return group * size + Math.min(group, cpus % groups);
    }

    /**
     * Returns the group that a CPU belongs to.
     *
     * @param cpu the CPU's number
     * @return the group
     */
    public int groupOf(int cpu) {
        int size = cpus / groups;
        int larger = cpus % groups;
        int inLarger = larger * (size + 1);
        return cpu < inLarger ? cpu / (size + 1) : larger + (cpu - inLarger) / size;
    }
}
