package io.irqlab.lab.scenario;

import com.google.common.collect.ImmutableList;
import io.irqlab.model.machine.MachineProfile;
import io.irqlab.model.workload.JobSpec;
import java.util.List;

/**
 * What a run needs beside its policies and its seed: a machine, its load, and how long to look at it.
 *
 * @param name how users call it
 * @param machine the machine
 * @param jobs the load
 * @param warmupNs virtual time before anything is counted
 * @param durationNs virtual time that is counted
 * @param compare the policy stacks that a comparison runs unless the user names others
 * @param changes of policies in the middle of a run
 * @param values every value of the profiles that the run relies on, in the order of the files
 * @param notes what the user should know about the files, one sentence each
 */
public record Scenario(
        String name,
        MachineProfile machine,
        List<JobSpec> jobs,
        long warmupNs,
        long durationNs,
        List<PlacedText> compare,
        List<PolicyChange> changes,
        List<ProfileValue> values,
        List<String> notes) {

    /** Copies the lists. */
    public Scenario {
        jobs = ImmutableList.copyOf(jobs);
        compare = ImmutableList.copyOf(compare);
        changes = ImmutableList.copyOf(changes);
        values = ImmutableList.copyOf(values);
        notes = ImmutableList.copyOf(notes);
    }
}
