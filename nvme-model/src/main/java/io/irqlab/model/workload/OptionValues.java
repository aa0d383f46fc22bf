package io.irqlab.model.workload;

import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values that a section has so far, each with the option that set it last and its place. */
final class OptionValues {

    private record Given(Object value, String option, Assignment written) {}

    private final Map<Slot<?>, Given> given = new LinkedHashMap<>();

    /** Returns a copy, so that a job starts from what the global sections above it say. */
    OptionValues copy() {
        var copy = new OptionValues();
        copy.given.putAll(given);
        return copy;
    }

    <T> void put(Slot<T> slot, T value, String option, Assignment written) {
        given.put(slot, new Given(slot.merged(get(slot), value), option, written));
    }

    @SuppressWarnings("unchecked") // put() keeps slot and value of one type
    <T> T get(Slot<T> slot) {
        Given found = given.get(slot);
        return found == null ? slot.defaultValue() : (T) found.value();
    }

    boolean has(Slot<?> slot) {
        return given.containsKey(slot);
    }

    /** Returns the assignment that set a slot last, or one of the section itself if none did. */
    Assignment origin(Slot<?> slot, String option, String sectionPlace) {
        @Nullable Given found = given.get(slot);
        return found == null ? new Assignment(option, null, sectionPlace) : found.written();
    }

    ImmutableMap<String, String> places() {
        var places = ImmutableMap.<String, String>builder();
        given.values().forEach(each -> places.put(each.option(), each.written().place()));
        return places.buildKeepingLast();
    }
}
