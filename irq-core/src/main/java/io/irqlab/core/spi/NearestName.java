package io.irqlab.core.spi;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the valid name that a mistyped one most likely meant. */
public final class NearestName {
    private NearestName() {}

    /**
     * Returns the closest of the valid names by edit distance (insert, delete, replace, swap of neighbours). Of several that
     * are equally close it is one of the same length, then the one that begins alike for longer.
     *
     * @param name what the user wrote
     * @param valid the names that exist
     * @return the closest, unless none is close enough to be meant (more than a third of the letters differ, and more
     *     than two, or all of them)
     */
    public static Optional<String> of(String name, Collection<String> valid) {
        int limit = Math.min(Math.max(2, name.length() / 3), name.length() - 1);
        return valid.stream()
                .filter(candidate -> distance(name, candidate) <= limit)
                .min(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparingInt(candidate -> candidate.length() == name.length() ? 0 : 1)
                        .thenComparingInt(candidate -> -commonPrefix(name, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int commonPrefix(String a, String b) {
        int length = 0;
        while (length < a.length() && length < b.length() && a.charAt(length) == b.charAt(length)) {
            length++;
        }
        return length;
    }

    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            d[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            d[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int replace = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(replace, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
