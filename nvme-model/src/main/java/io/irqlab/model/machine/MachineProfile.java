package io.irqlab.model.machine;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.model.host.DriverCosts;
import io.irqlab.model.workload.IoEngine;
import io.irqlab.model.workload.IoEngineCosts;
import java.util.List;
import java.util.Map;

/**
 * A whole machine: CPUs, root complexes and drives, with what their actions cost.
 *
 * @param name such as {@code four-gen5-ssd}
 * @param cpus how many CPUs are online, numbered from 0
 * @param watchdogThreshSeconds {@code kernel.watchdog_thresh}; a soft lockup is reported after twice that, 1 to 60; with 0
 *     the machine has no watchdogs
 * @param cpuCosts the operating system's own costs
 * @param driverCosts the driver's costs
 * @param engineCosts each I/O engine's costs
 * @param rootComplexes at least one, names unique
 * @param drives at least one, names unique, each below one of the root complexes
 */
public record MachineProfile(
        String name,
        int cpus,
        int watchdogThreshSeconds,
        CpuCosts cpuCosts,
        DriverCosts driverCosts,
        Map<IoEngine, IoEngineCosts> engineCosts,
        List<RootComplexProfile> rootComplexes,
        List<DriveSlot> drives) {

    /** Checks that counts are in range, names unique and root complexes known. */
    public MachineProfile {
        checkArgument(cpus >= 1 && cpus <= 1024, "%s: cpus must be 1 to 1024, was %s", name, cpus);
        checkArgument(
                watchdogThreshSeconds >= 0 && watchdogThreshSeconds <= 60,
                "%s: watchdog_thresh must be 0 to 60 s, was %s",
                name,
                watchdogThreshSeconds);
        engineCosts = ImmutableMap.copyOf(engineCosts);
        rootComplexes = ImmutableList.copyOf(rootComplexes);
        drives = ImmutableList.copyOf(drives);
        checkArgument(!rootComplexes.isEmpty(), "%s: a machine needs a root complex", name);
        checkArgument(!drives.isEmpty(), "%s: a machine needs a drive", name);
        List<String> complexNames =
                rootComplexes.stream().map(RootComplexProfile::name).toList();
        checkArgument(
                complexNames.stream().distinct().count() == complexNames.size(),
                "%s: root complex names must be unique, were %s",
                name,
                complexNames);
        List<String> driveNames = drives.stream().map(DriveSlot::name).toList();
        checkArgument(
                driveNames.stream().distinct().count() == driveNames.size(),
                "%s: drive names must be unique, were %s",
                name,
                driveNames);
        for (DriveSlot drive : drives) {
            checkArgument(
                    complexNames.contains(drive.rootComplex()),
                    "%s: %s sits below root complex '%s', which is none of %s",
                    name,
                    drive.name(),
                    drive.rootComplex(),
                    complexNames);
        }
    }
}
