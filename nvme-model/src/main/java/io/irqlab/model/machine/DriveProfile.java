package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkArgument;

import io.irqlab.model.pcie.PcieLink;

/**
 * One kind of NVMe drive.
 *
 * @param name the model, such as {@code solidigm-ps1010}
 * @param link its PCIe link
 * @param readNs median time in which the media and the controller serve one 4 KiB random read, without queueing
 * @param readSigma shape of the log-normal service time, 0 for constant
 * @param tailPerMillion commands in a million that take the tail instead, 0 to 1 000 000
 * @param tailMinNs least time of such a command
 * @param tailMaxNs greatest time of such a command
 * @param maxIops 4 KiB random reads per second that the controller serves at most, 1 to 10^9
 * @param commandSlots commands that the controller works on at once; others wait in their submission queues
 * @param fetchNs from a doorbell to the command in the controller
 * @param fetchBurst submission queue entries fetched by one request, 1 or more
 * @param maxIoQueues I/O queues that the controller offers, 1 or more
 * @param queueDepth entries of each submission and completion queue, 2 or more
 * @param setFeaturesNs time of a Set Features command
 * @param featureStallNs time for which the drive serves no I/O when a coalescing feature changes, 0 for none
 */
public record DriveProfile(
        String name,
        PcieLink link,
        long readNs,
        double readSigma,
        int tailPerMillion,
        long tailMinNs,
        long tailMaxNs,
        long maxIops,
        int commandSlots,
        long fetchNs,
        int fetchBurst,
        int maxIoQueues,
        int queueDepth,
        long setFeaturesNs,
        long featureStallNs) {

    /** Checks the ranges. */
    public DriveProfile {
        checkArgument(readNs > 0, "%s: read time must be more than 0 ns, was %s", name, readNs);
        checkArgument(readSigma >= 0 && readSigma <= 2, "%s: read sigma must be 0 to 2, was %s", name, readSigma);
        checkArgument(
                tailPerMillion >= 0 && tailPerMillion <= 1_000_000,
                "%s: tail must be 0 to 1000000 per million, was %s",
                name,
                tailPerMillion);
        checkArgument(
                tailMinNs >= 0 && tailMinNs <= tailMaxNs,
                "%s: tail must be a range of 0 ns or more, was %s to %s",
                name,
                tailMinNs,
                tailMaxNs);
        checkArgument(
                maxIops >= 1 && maxIops <= 1_000_000_000, "%s: max_iops must be 1 to 10^9, was %s", name, maxIops);
        checkArgument(commandSlots >= 1, "%s: command slots must be 1 or more, was %s", name, commandSlots);
        checkArgument(fetchNs >= 0, "%s: fetch time must be 0 ns or more, was %s", name, fetchNs);
        checkArgument(fetchBurst >= 1, "%s: fetch burst must be 1 or more, was %s", name, fetchBurst);
        checkArgument(maxIoQueues >= 1, "%s: I/O queues must be 1 or more, was %s", name, maxIoQueues);
        checkArgument(
                queueDepth >= 2 && queueDepth <= 65_536,
                "%s: queue depth must be 2 to 65536, was %s",
                name,
                queueDepth);
        checkArgument(setFeaturesNs >= 0, "%s: set_features must be 0 ns or more, was %s", name, setFeaturesNs);
        checkArgument(featureStallNs >= 0, "%s: feature stall must be 0 ns or more, was %s", name, featureStallNs);
    }
}
