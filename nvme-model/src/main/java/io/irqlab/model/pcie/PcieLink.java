package io.irqlab.model.pcie;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A PCIe link between a device and its root port: rate, width and maximum payload size, and what they make of a
 * transfer.
 *
 * <p>Bytes per lane and second are the raw rate after line coding: 128b/130b for generations 3 to 5 (PCI Express Base
 * Specification 5.0, section 4.2.2), 1b/1b with flit framing, CRC and FEC (236 of 256 bytes carry TLPs) for generation 6
 * (6.0, section 4.2.3). A memory write costs {@value #TLP_OVERHEAD_BYTES} bytes beside its payload: framing 4, sequence number and LCRC 6,
 * header 16 with 64-bit addresses, less 2 that the framing token shares.
 *
 * @param generation 3, 4, 5 or 6
 * @param lanes 1, 2, 4, 8 or 16
 * @param maxPayloadBytes payload of one TLP, 128 to 4096, a power of two
 */
public record PcieLink(int generation, int lanes, int maxPayloadBytes) {
    /** Bytes of a memory-write TLP beside its payload. */
    public static final int TLP_OVERHEAD_BYTES = 24;

    private static final int CQE_BYTES = 16;

    /** Checks the ranges. */
    public PcieLink {
        checkArgument(generation >= 3 && generation <= 6, "PCIe generation must be 3 to 6, was %s", generation);
        checkArgument(
                lanes >= 1 && lanes <= 16 && Integer.bitCount(lanes) == 1,
                "lanes must be 1, 2, 4, 8 or 16, was %s",
                lanes);
        checkArgument(
                maxPayloadBytes >= 128 && maxPayloadBytes <= 4096 && Integer.bitCount(maxPayloadBytes) == 1,
                "maximum payload must be a power of two from 128 to 4096 bytes, was %s",
                maxPayloadBytes);
    }

    /**
     * Returns the link's capacity in one direction.
     *
     * @return bytes per second, TLP overhead included
     */
    public long bytesPerSecond() {
        long transfersPerSecond = 8_000_000_000L << (generation - 3);
        long bitsPerSecond = generation == 6 ? transfersPerSecond / 256 * 236 : transfersPerSecond / 130 * 128;
        return bitsPerSecond / 8 * lanes;
    }

    /**
     * Returns what one read command puts on the upstream direction: the data, the completion entry, the request that
     * fetched the command, and one MSI. A 4 KiB read costs 4568 bytes at a payload of 256, 16 x 280 for the data.
     *
     * @param dataBytes the data read, zero or more
     * @return bytes on the wire
     */
    public long upstreamBytesOfRead(long dataBytes) {
        long dataTlps = (dataBytes + maxPayloadBytes - 1) / maxPayloadBytes;
        long cqe = TLP_OVERHEAD_BYTES + CQE_BYTES;
        return dataBytes + dataTlps * TLP_OVERHEAD_BYTES + cqe + 2L * TLP_OVERHEAD_BYTES;
    }

    /**
     * Returns how long bytes occupy the link, rounded up to whole nanoseconds.
     *
     * @param bytes on the wire
     * @return nanoseconds
     */
    public long transferNs(long bytes) {
        long rate = bytesPerSecond();
        return (bytes * 1_000_000_000L + rate - 1) / rate;
    }
}
