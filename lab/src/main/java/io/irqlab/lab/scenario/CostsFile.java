package io.irqlab.lab.scenario;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.VirtualizationCosts;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import java.util.Arrays;

/**
 * A costs file ({@code profiles/costs/}): what the operating system, the driver and the I/O engines cost on one kind of
 * CPU.
 *
 * @param cpu the operating system's own costs
 * @param driver the driver's costs
 * @param engines the costs of the I/O engines that the file knows
 */
record CostsFile(CpuCosts cpu, DriverCosts driver, ImmutableMap<IoEngine, IoEngineCosts> engines) {
    private static final long MAX_NS = 1_000_000_000;

    static CostsFile read(Loading loading, SourceFile file, String path, VirtualizationCosts virtualization) {
        Section root = Section.of(loading, file, path).only("cpu", "driver", "engines");
        return new CostsFile(
                cpu(root.section("cpu"), virtualization),
                driver(root.section("driver")),
                engines(root.section("engines")));
    }

    private static CpuCosts cpu(Section costs, VirtualizationCosts virtualization) {
        costs.only(
                "hardirq_entry",
                "hardirq_exit",
                "softirq_entry",
                "timer_program",
                "timer_callback",
                "tick",
                "context_switch",
                "wakeup",
                "ipi",
                "idle_exit",
                "clock_read");
        return new CpuCosts(
                costs.timeNs("hardirq_entry", 0, MAX_NS),
                costs.timeNs("hardirq_exit", 0, MAX_NS),
                costs.timeNs("softirq_entry", 0, MAX_NS),
                costs.timeNs("timer_program", 0, MAX_NS),
                costs.timeNs("timer_callback", 0, MAX_NS),
                costs.timeNs("tick", 0, MAX_NS),
                costs.timeNs("context_switch", 0, MAX_NS),
                costs.timeNs("wakeup", 0, MAX_NS),
                costs.timeNs("ipi", 0, MAX_NS),
                costs.timeNs("idle_exit", 0, MAX_NS),
                costs.timeNs("clock_read", 0, MAX_NS),
                virtualization);
    }

    private static DriverCosts driver(Section costs) {
        costs.only("reap", "complete", "mmio_write", "mmio_read");
        return new DriverCosts(
                costs.timeNs("reap", 0, MAX_NS),
                costs.timeNs("complete", 0, MAX_NS),
                costs.timeNs("mmio_write", 0, MAX_NS),
                costs.timeNs("mmio_read", 0, MAX_NS));
    }

    private static ImmutableMap<IoEngine, IoEngineCosts> engines(Section section) {
        var engines = ImmutableMap.<IoEngine, IoEngineCosts>builder();
        ImmutableMap<String, IoEngine> byName =
                Arrays.stream(IoEngine.values()).collect(toImmutableMap(IoEngine::fioName, engine -> engine));
        for (String name : section.keysAmong(byName.keySet())) {
            engines.put(requireNonNull(byName.get(name)), engine(section.section(name)));
        }
        return engines.buildOrThrow();
    }

    private static IoEngineCosts engine(Section costs) {
        costs.only("user", "submit", "reap", "wait");
        return new IoEngineCosts(
                costs.timeNs("user", 0, MAX_NS),
                costs.timeNs("submit", 1, MAX_NS),
                costs.timeNs("reap", 0, MAX_NS),
                costs.timeNs("wait", 0, MAX_NS));
    }
}
