package io.irqlab.model.workload;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a reader of the job file should know, each thing said once, at the first place that it is true of. */
final class Notes {
    private final List<String> lines = new ArrayList<>();
    private final Set<String> said = new TreeSet<>();

    void add(String place, String option, String text) {
        if (said.add(option + ": " + text)) {
            lines.add(FioSyntaxException.printable(place + ": " + FioSyntaxException.shortened(option) + ": " + text));
        }
    }

    ImmutableList<String> lines() {
        return ImmutableList.copyOf(lines);
    }
}
