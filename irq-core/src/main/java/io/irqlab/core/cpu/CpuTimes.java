package io.irqlab.core.cpu;

/**
 * A CPU's time by context since the run began; the five add up to the time of the snapshot.
 *
 * @param hardirqNs in hardirq context
 * @param softirqNs in softirq context
 * @param systemNs in tasks, in the kernel
 * @param userNs in tasks, outside the kernel
 * @param idleNs idle
 */
public record CpuTimes(long hardirqNs, long softirqNs, long systemNs, long userNs, long idleNs) {

    /**
     * Returns the times between an earlier snapshot and this one.
     *
     * @param earlier a snapshot of the same CPU
     * @return the differences
     */
    public CpuTimes since(CpuTimes earlier) {
        return new CpuTimes(
                hardirqNs - earlier.hardirqNs,
                softirqNs - earlier.softirqNs,
                systemNs - earlier.systemNs,
                userNs - earlier.userNs,
                idleNs - earlier.idleNs);
    }
}
