package io.irqlab.lab.scenario;

import io.irqlab.model.machine.DriveProfile;
import io.irqlab.model.pcie.PcieLink;

/** A drive file ({@code profiles/drives/}): one kind of NVMe drive. */
final class DriveFile {
    private static final long MAX_NS = 10_000_000_000L;

    private DriveFile() {}

    static DriveProfile read(Loading loading, SourceFile file, String path) {
        Section root = Section.of(loading, file, path)
                .only(
                        "link",
                        "read",
                        "read_sigma",
                        "tail",
                        "tail_min",
                        "tail_max",
                        "max_iops",
                        "command_slots",
                        "fetch",
                        "fetch_burst",
                        "max_io_queues",
                        "queue_depth",
                        "set_features",
                        "feature_stall");
        PcieLink link = link(root.section("link"));
        long tailMinNs = root.timeNs("tail_min", 0, MAX_NS);
        return new DriveProfile(
                file.stem(),
                link,
                root.timeNs("read", 1, MAX_NS),
                root.number("read_sigma", 0, 2),
                root.perMillion("tail"),
                tailMinNs,
                root.timeNs("tail_max", tailMinNs, MAX_NS),
                root.ratePerSecond("max_iops", 1, 1_000_000_000),
                root.count("command_slots", 1, 65_536),
                root.timeNs("fetch", 0, MAX_NS),
                root.count("fetch_burst", 1, 65_536),
                root.count("max_io_queues", 1, 65_535),
                root.count("queue_depth", 2, 65_536),
                root.timeNs("set_features", 0, MAX_NS),
                root.timeNs("feature_stall", 0, MAX_NS));
    }

    private static PcieLink link(Section link) {
        link.only("generation", "lanes", "max_payload");
        return new PcieLink(
                link.wholeNumber("generation", 3, 6),
                link.countAmong("lanes", 1, 2, 4, 8, 16),
                link.sizeBytesAmong("max_payload", 128, 256, 512, 1_024, 2_048, 4_096));
    }
}
