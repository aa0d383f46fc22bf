package io.irqlab.model.workload;

import org.jspecify.annotations.Nullable;

/**
 * One option as written.
 *
 * @param option what stands left of the {@code =}; it may be an alias or no option at all
 * @param value what stands right of it, or null if there is no {@code =}
 * @param place where it stands, such as {@code my.fio:7}
 */
record Assignment(String option, @Nullable String value, String place) {

    FioSyntaxException fault(String problem) {
        return new FioSyntaxException(place, option, problem);
    }
}
