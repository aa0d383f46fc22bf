package io.irqlab.lab.report;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import io.irqlab.lab.scenario.ProfileValue;
import java.util.List;
import java.util.Objects;

/** Shortens lists of values: one entry for a value that all drives, or all root complexes, have alike. */
final class ReliedOnValues {
    private ReliedOnValues() {}

    static List<ProfileValue> collapse(List<ProfileValue> values) {
        SetMultimap<String, ProfileValue> byPattern = LinkedHashMultimap.create();
        values.forEach(value -> byPattern.put(pattern(value.name()), value));
        var collapsed = ImmutableList.<ProfileValue>builder();
        byPattern.asMap().forEach((pattern, group) -> {
            ProfileValue first = group.iterator().next();
            if (group.size() > 1 && group.stream().allMatch(value -> alike(value, first))) {
                collapsed.add(new ProfileValue(
                        pattern, first.text(), first.number(), first.unit(), first.grade(), first.source()));
            } else {
                collapsed.addAll(group);
            }
        });
        return collapsed.build();
    }

    private static boolean alike(ProfileValue a, ProfileValue b) {
        return a.text().equals(b.text()) && Objects.equals(a.unit(), b.unit()) && a.grade() == b.grade();
    }

    private static String pattern(String name) {
        return name.replaceFirst("^machine\\.(drives|root_complexes)\\.[^.]+\\.", "machine.$1.*.");
    }
}
