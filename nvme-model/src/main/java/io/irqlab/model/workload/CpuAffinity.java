package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import java.util.SortedSet;

/**
 * The CPUs on which a job's threads may run: fio's {@code cpus_allowed} and {@code cpus_allowed_policy}.
 *
 * @param allowed the CPUs, in order; none means that any will do
 * @param policy how the threads share them
 */
public record CpuAffinity(SortedSet<Integer> allowed, Policy policy) {

    /** How threads share the CPUs of a job. */
    public enum Policy {
        /** Every thread may run on all of them. */
        SHARED,
        /** Every thread gets one, and they start again when there are more threads than CPUs. */
        SPLIT
    }

    /** Copies the CPUs. */
    public CpuAffinity {
        allowed = ImmutableSortedSet.copyOf(allowed);
    }

    /**
     * Returns the CPUs of one thread.
     *
     * @param thread the thread's number in the whole run, from 0: fio counts through all jobs, also for a policy of
     *     {@code split}
     * @return its CPUs; none means that any will do
     */
    public SortedSet<Integer> cpusOf(int thread) {
        checkArgument(thread >= 0, "thread must not be negative, was %s", thread);
        if (policy == Policy.SHARED || allowed.isEmpty()) {
            return allowed;
        }
        return ImmutableSortedSet.of(ImmutableList.copyOf(allowed).get(thread % allowed.size()));
    }
}
