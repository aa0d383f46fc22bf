package io.irqlab.model.machine;

import io.irqlab.core.LatencyRecorder;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.core.spi.PolicyProvider;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.pcie.PcieLink;
import io.irqlab.model.workload.FioJobFile;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A small machine for tests; its values may be changed until it is assembled. Drives sit below one root complex. */
final class TestMachine {
    static final String NAME = "small";

    int cpus = 2;
    int drives = 1;
    int rootComplexes = 1;
    int watchdogThreshSeconds = 10;
    CpuCosts cpuCosts =
            new CpuCosts(500, 300, 200, 100, 300, 0, 1_200, 400, 1_000, 1_000, 25, VirtualizationCosts.BARE_METAL);
    DriverCosts driverCosts = new DriverCosts(100, 500, 200, 800);
    IoEngineCosts engineCosts = new IoEngineCosts(330, 800, 300, 500);
    long dmaNs = 40;
    long msiNs = 150;
    int credits = 8;
    long readNs = 50_000;
    double readSigma = 0.12;
    int tailPerMillion;
    long maxIops = 2_000_000;
    int commandSlots = 256;
    long fetchNs = 700;
    int maxIoQueues = 128;
    int queueDepth = 1_024;
    long setFeaturesNs = 10_000;
    long featureStallNs;

    /** The latencies of each drive's measured I/Os, in the order of their reaping. */
    final List<List<Long>> latencies = new ArrayList<>();

    PcieLink link() {
        return new PcieLink(5, 4, 256);
    }

    DriveProfile drive() {
        return new DriveProfile(
                "test-drive",
                link(),
                readNs,
                readSigma,
                tailPerMillion,
                500_000,
                1_000_000,
                maxIops,
                commandSlots,
                fetchNs,
                8,
                maxIoQueues,
                queueDepth,
                setFeaturesNs,
                featureStallNs);
    }

    MachineProfile profile() {
        var complexes = new ArrayList<RootComplexProfile>();
        for (int complex = 0; complex < rootComplexes; complex++) {
            complexes.add(new RootComplexProfile("rc" + complex, dmaNs, msiNs, credits));
        }
        var slots = new ArrayList<DriveSlot>();
        for (int drive = 0; drive < drives; drive++) {
            slots.add(new DriveSlot("nvme" + drive, drive(), "rc" + drive % rootComplexes));
        }
        return new MachineProfile(
                NAME,
                cpus,
                watchdogThreshSeconds,
                cpuCosts,
                driverCosts,
                Map.of(IoEngine.LIBAIO, engineCosts),
                complexes,
                slots);
    }

    /** Puts the machine together with the jobs of a fio file whose first lines are given, one job named {@code a}. */
    Machine assemble(PolicyStack stack, long seed, String... jobLines) {
        return assemble(stack, List.of(), seed, jobLines);
    }

    Machine assemble(PolicyStack stack, List<SettingsChange> changes, long seed, String... jobLines) {
        String text = "[a]\nioengine=libaio\ndirect=1\nrw=randread\n" + String.join("\n", jobLines);
        latencies.clear();
        var recorders = new ArrayList<LatencyRecorder>();
        for (int drive = 0; drive < drives; drive++) {
            var list = new ArrayList<Long>();
            latencies.add(list);
            recorders.add(list::add);
        }
        return Machine.assemble(profile(), FioJobFile.parse("test.fio", text).jobs(), stack, changes, seed, recorders);
    }

    Machine assemble(String... jobLines) {
        return assemble(PolicyStack.none(), 1, jobLines);
    }

    /** All drives as the value of fio's {@code filename}. */
    String allFiles() {
        var files = new ArrayList<String>();
        for (int drive = 0; drive < drives; drive++) {
            files.add("/dev/nvme" + drive + "n1");
        }
        return "filename=" + String.join(":", files);
    }

    long linkNs() {
        return link().transferNs(link().upstreamBytesOfRead(4096));
    }

    static PolicyStack stack(PolicyProvider... providers) {
        String text = String.join(
                "+", List.of(providers).stream().map(PolicyProvider::name).toList());
        return PolicyStack.parse(text, PolicyRegistry.of(List.of(providers)));
    }
}
