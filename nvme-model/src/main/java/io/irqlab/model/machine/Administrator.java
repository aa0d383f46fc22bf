package io.irqlab.model.machine;

import static com.google.common.collect.ImmutableList.sortedCopyOf;

import com.google.common.collect.ImmutableList;
import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.engine.EventQueue;
import java.util.Comparator;
import java.util.List;

/**
 * Who changes settings in the middle of a run: a script at a shell on one CPU, an ordinary fair task, which sleeps until
 * the next change is due and then writes it. On a CPU that never comes to its tasks, a change comes late or never.
 */
final class Administrator {
    /** A write system call to a file of procfs or sysfs, without what the policy does (memory: about a microsecond). */
    static final long WRITE_NS = 1_000;

    private final EventQueue clock;
    private final ImmutableList<SettingsChange> changes;
    private final RunPolicies policies;
    private final Task task;
    private int next;

    Administrator(Cpu cpu, EventQueue clock, List<SettingsChange> changes, RunPolicies policies) {
        this.clock = clock;
        this.changes = sortedCopyOf(Comparator.comparingLong(SettingsChange::atNs), changes);
        this.policies = policies;
        this.task = Task.fair(cpu, "administrator", this::step);
    }

    void start() {
        if (!changes.isEmpty()) {
            task.start();
        }
    }

    private long step(Cpu running) {
        if (next == changes.size()) {
            return Routine.DONE;
        }
        SettingsChange change = changes.get(next);
        long waitNs = change.atNs() - clock.nowNs();
        if (waitNs > 0) {
            task.sleepRange(waitNs, waitNs);
            return Routine.DONE;
        }
        next++;
        policies.change(change, running);
        return WRITE_NS;
    }
}
