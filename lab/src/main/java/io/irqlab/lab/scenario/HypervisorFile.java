package io.irqlab.lab.scenario;

import io.irqlab.core.cpu.VirtualizationCosts;

/** A hypervisor file ({@code profiles/hypervisors/}): what it adds to the costs of a CPU that is a virtual one. */
final class HypervisorFile {
    private static final long MAX_NS = 1_000_000_000;

    private HypervisorFile() {}

    static VirtualizationCosts read(Loading loading, SourceFile file, String path) {
        Section costs =
                Section.of(loading, file, path).only("injection", "eoi", "mask", "timer_program", "ipi", "idle_wake");
        return new VirtualizationCosts(
                costs.timeNs("injection", 0, MAX_NS),
                costs.timeNs("eoi", 0, MAX_NS),
                costs.timeNs("mask", 0, MAX_NS),
                costs.timeNs("timer_program", 0, MAX_NS),
                costs.timeNs("ipi", 0, MAX_NS),
                costs.timeNs("idle_wake", 0, MAX_NS));
    }
}
