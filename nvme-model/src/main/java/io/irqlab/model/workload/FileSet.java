package io.irqlab.model.workload;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * The drives of a job, and how it goes from one to the next.
 *
 * @param names as written, such as {@code /dev/nvme0n1}; at least one, in order
 * @param service how the job picks the next
 * @param every how many I/Os it does before it picks again, 1 or more
 */
public record FileSet(List<String> names, Service service, int every) {

    /** How a job of several files picks the file of its next I/O: fio's {@code file_service_type}. */
    public enum Service {
        /** Each in turn. */
        ROUNDROBIN,
        /** One is finished before the next is begun. */
        SEQUENTIAL,
        /** Any, with the same chance. */
        RANDOM
    }

    /** Copies the names, and checks that there is one. */
    public FileSet {
        names = ImmutableList.copyOf(names);
        checkArgument(!names.isEmpty(), "a job needs a file");
        checkArgument(every >= 1, "every must be 1 or more, was %s", every);
    }
}
