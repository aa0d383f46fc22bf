package io.irqlab.lab.scenario;

import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.model.machine.DriveProfile;
import io.irqlab.model.machine.DriveSlot;
import io.irqlab.model.machine.MachineProfile;
import io.irqlab.model.machine.RootComplexProfile;
import java.util.ArrayList;
import java.util.List;

/** A machine file ({@code profiles/machines/}): CPUs, root complexes and drives, and which costs and hypervisor files hold. */
final class MachineFile {
    private static final long MAX_NS = 1_000_000_000;

    private MachineFile() {}

    static MachineProfile read(Loading loading, SourceFile file, String path) {
        Section root = Section.of(loading, file, path)
                .only("cpus", "watchdog_thresh", "costs", "hypervisor", "root_complexes", "drives");
        VirtualizationCosts virtualization = root.has("hypervisor")
                ? HypervisorFile.read(loading, root.reference("hypervisor", FileKind.HYPERVISOR), path + ".hypervisor")
                : VirtualizationCosts.BARE_METAL;
        CostsFile costs =
                CostsFile.read(loading, root.reference("costs", FileKind.COSTS), path + ".costs", virtualization);
        var rootComplexes = new ArrayList<RootComplexProfile>();
        root.sections("root_complexes").forEach((name, section) -> rootComplexes.add(rootComplex(name, section)));
        List<String> complexNames =
                rootComplexes.stream().map(RootComplexProfile::name).toList();
        var drives = new ArrayList<DriveSlot>();
        root.sections("drives").forEach((name, section) -> drives.add(drive(name, section, complexNames)));
        return new MachineProfile(
                file.stem(),
                root.count("cpus", 1, 1_024),
                root.timeSeconds("watchdog_thresh", 0, 60),
                costs.cpu(),
                costs.driver(),
                costs.engines(),
                rootComplexes,
                drives);
    }

    private static RootComplexProfile rootComplex(String name, Section section) {
        section.only("dma", "msi", "posted_credits");
        return new RootComplexProfile(
                name,
                section.timeNs("dma", 1, MAX_NS),
                section.timeNs("msi", 0, MAX_NS),
                section.count("posted_credits", 1, 65_536));
    }

    private static DriveSlot drive(String name, Section section, List<String> rootComplexes) {
        section.only("profile", "root_complex");
        SourceFile file = section.reference("profile", FileKind.DRIVE);
        DriveProfile profile = DriveFile.read(section.loading(), file, section.path() + ".profile");
        return new DriveSlot(name, profile, section.name("root_complex", rootComplexes));
    }
}
