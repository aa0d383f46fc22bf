package io.irqlab.model.workload;

import com.google.common.collect.ImmutableMap;
import java.util.Map;

/**
 * Where a job and its options were written, for messages about them.
 *
 * @param section the place of the job's first line, such as {@code my.fio:3}
 * @param options the places of its options, by fio's main name; an option of {@code [global]} has its place there
 */
public record Places(String section, Map<String, String> options) {

    /** Copies the places. */
    public Places {
        options = ImmutableMap.copyOf(options);
    }

    /**
     * Returns where an option was written.
     *
     * @param option fio's main name for it, such as {@code filename}
     * @return its place, or the job's if the option was not given
     */
    public String of(String option) {
        return options.getOrDefault(option, section);
    }
}
