package io.irqlab.model.workload;

import java.util.function.BinaryOperator;

/**
 * A property of a job, which one or more options set.
 *
 * @param <T> type of its value
 */
final class Slot<T> {
    private final T defaultValue;
    private final BinaryOperator<T> merge;

    private Slot(T defaultValue, BinaryOperator<T> merge) {
        this.defaultValue = defaultValue;
        this.merge = merge;
    }

    /** Returns a slot that keeps the last value written. */
    static <T> Slot<T> of(T defaultValue) {
        return new Slot<>(defaultValue, (before, written) -> written);
    }

    /** Returns a slot that makes its value from the one before and the one written. */
    static <T> Slot<T> merging(T defaultValue, BinaryOperator<T> merge) {
        return new Slot<>(defaultValue, merge);
    }

    T defaultValue() {
        return defaultValue;
    }

    T merged(T before, T written) {
        return merge.apply(before, written);
    }
}
