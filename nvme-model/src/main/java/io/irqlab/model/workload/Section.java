package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * One section of a job file, or what follows one {@code --name} of a command line.
 *
 * @param name the job's name
 * @param place where it begins
 * @param assignments its options, in order
 */
record Section(String name, String place, ImmutableList<Assignment> assignments) {
    private static final String GLOBAL = "global";

    Section(String name, String place, List<Assignment> assignments) {
        this(name, place, ImmutableList.copyOf(assignments));
    }

    /** Tells defaults for the sections below from a job. As in fio, the name need only begin with "global". */
    boolean global() {
        return name.startsWith(GLOBAL);
    }

    /** Tells a name that fio takes for a global section although it looks like a job's. */
    boolean oddlyGlobal() {
        return global() && !name.equals(GLOBAL);
    }
}
