package io.irqlab.lab.run;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * What became of several runs.
 *
 * @param finished the results of those that finished, in the order asked for
 * @param failed why the others did not, in the order asked for
 */
public record RunOutcomes(List<RunResult> finished, List<RunFailedException> failed) {

    /** Copies the lists. */
    public RunOutcomes {
        finished = ImmutableList.copyOf(finished);
        failed = ImmutableList.copyOf(failed);
    }
}
