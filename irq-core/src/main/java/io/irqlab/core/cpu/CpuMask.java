package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.BitSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A set of CPU numbers ({@code cpumask}). Immutable.
 */
public final class CpuMask {
    private final BitSet bits;

    private CpuMask(BitSet bits) {
        this.bits = bits;
    }

    /**
     * Returns the set of given CPUs.
     *
     * @param cpus their numbers, 0 or more
     * @return the set
     */
    public static CpuMask of(int... cpus) {
        var bits = new BitSet();
        for (int cpu : cpus) {
            bits.set(cpu);
        }
        return new CpuMask(bits);
    }

    /**
     * Returns the set of a range of CPUs.
     *
     * @param first the first of them, 0 or more
     * @param last the last of them, at least {@code first}
     * @return the set
     */
    public static CpuMask range(int first, int last) {
        checkArgument(first >= 0 && first <= last, "a range of CPUs must not be empty, was %s-%s", first, last);
        var bits = new BitSet();
        bits.set(first, last + 1);
        return new CpuMask(bits);
    }

    /**
     * Returns whether a CPU is in the set.
     *
     * @param cpu its number
     * @return true if it is
     */
    public boolean contains(int cpu) {
        return bits.get(cpu);
    }

    /**
     * Returns whether there is no CPU in the set.
     *
     * @return true if it is empty
     */
    public boolean isEmpty() {
        return bits.isEmpty();
    }

    /**
     * Returns how many CPUs are in the set.
     *
     * @return 0 or more
     */
    public int size() {
        return bits.cardinality();
    }

    /**
     * Returns the members.
     *
     * @return their numbers, ascending
     */
    public IntStream stream() {
        return bits.stream();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuMask mask && bits.equals(mask.bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    /** Returns the set as the kernel's lists print it, such as {@code 0-3,8}; empty for the empty set. */
    @Override
    public String toString() {
        return IntStream.iterate(
                        bits.nextSetBit(0), first -> first >= 0, first -> bits.nextSetBit(bits.nextClearBit(first)))
                .mapToObj(first -> {
                    int last = bits.nextClearBit(first) - 1;
                    return first == last ? Integer.toString(first) : first + "-" + last;
                })
                .collect(Collectors.joining(","));
    }
}
