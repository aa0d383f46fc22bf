package io.irqlab.core.irq;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkElementIndex;

import io.irqlab.core.cpu.CpuMask;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How managed vectors are spread over CPUs ({@code group_cpus_evenly}, for one NUMA node without sibling threads): each owns a
 * contiguous group, groups differ by at most one CPU, and the larger ones come first. A vector fires on the first CPU of
 * its group that is online.
 */
public final class ManagedAffinity {
    private final int cpus;
    private final int groups;

    /**
     * Spreads CPUs over groups.
     *
     * @param cpus how many CPUs
     * @param groups how many vectors, at most as many as CPUs
     */
    public ManagedAffinity(int cpus, int groups) {
        checkArgument(groups >= 1 && groups <= cpus, "groups must be 1 to %s, were %s", cpus, groups);
        this.cpus = cpus;
        this.groups = groups;
    }

    /**
     * Returns the CPUs of a group.
     *
     * @param group 0 to the number of groups less one
     * @return the set
     */
    public CpuMask mask(int group) {
        checkElementIndex(group, groups, "group");
        return CpuMask.range(firstCpu(group), firstCpu(group + 1) - 1);
    }

    /**
     * Returns the CPUs of all groups.
     *
     * @return a set for each vector
     */
    public List<CpuMask> masks() {
        return IntStream.range(0, groups).mapToObj(this::mask).toList();
    }

    int firstCpu(int group) {
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
        checkElementIndex(cpu, cpus, "cpu");
        int size = cpus / groups;
        int larger = cpus % groups;
        int inLarger = larger * (size + 1);
        return cpu < inLarger ? cpu / (size + 1) : larger + (cpu - inLarger) / size;
    }
}
