package io.irqlab.core.engine;

/**
 * The set of wheel slots that hold events, with a fast search for the next one.
 *
 * <p>Three levels of {@code long} words: a bit of a higher level says whether the word below it has any bit set. A
 * search reads one word when the next slot is near and five when it is anywhere in a wheel of up to 2<sup>18</sup>
 * slots; above that, the highest level has more words than one and is scanned.
 */
final class SlotBitmap {
    private static final int WORD_SHIFT = 6;

    private final long[] slots;
    private final long[] words;
    private final long[] groups;

    /**
     * Makes an empty set.
     *
     * @param size how many slots there are, a power of two, 64 or more
     */
    SlotBitmap(int size) {
        slots = new long[size >>> WORD_SHIFT];
        words = new long[Math.max(1, slots.length >>> WORD_SHIFT)];
        groups = new long[Math.max(1, words.length >>> WORD_SHIFT)];
    }

    /** Returns whether a slot is in the set. */
    boolean contains(int slot) {
        return (slots[slot >>> WORD_SHIFT] & (1L << slot)) != 0;
    }

    /** Adds a slot. */
    void add(int slot) {
        int word = slot >>> WORD_SHIFT;
        long before = slots[word];
        slots[word] = before | (1L << slot);
        if (before == 0) {
            int group = word >>> WORD_SHIFT;
            words[group] |= 1L << word;
            groups[group >>> WORD_SHIFT] |= 1L << group;
        }
    }

    /** Takes a slot out. */
    void remove(int slot) {
        int word = slot >>> WORD_SHIFT;
        long left = slots[word] & ~(1L << slot);
        slots[word] = left;
        if (left == 0) {
            int group = word >>> WORD_SHIFT;
            words[group] &= ~(1L << word);
            if (words[group] == 0) {
                groups[group >>> WORD_SHIFT] &= ~(1L << group);
            }
        }
    }

    /**
     * Returns the first slot of the set at or after a place, going round the end, or -1 if the set is empty.
     *
     * @param from where to begin
     */
    int next(int from) {
        int word = from >>> WORD_SHIFT;
        long bits = slots[word] & (-1L << from);
        return bits != 0 ? first(word, bits) : nextAfterWord(word);
    }

    private int nextAfterWord(int word) {
        int group = word >>> WORD_SHIFT;
        long bits = words[group] & after(word);
        if (bits != 0) {
            return firstOfWord(first(group, bits));
        }
        int top = group >>> WORD_SHIFT;
        bits = groups[top] & after(group);
        for (int i = 0; bits == 0 && i < groups.length; i++) {
            top = top + 1 == groups.length ? 0 : top + 1;
            bits = groups[top];
        }
        if (bits == 0) {
            return -1;
        }
        int found = first(top, bits);
        return firstOfWord(first(found, words[found]));
    }

    private int firstOfWord(int word) {
        return first(word, slots[word]);
    }

    /** The bits of a word that lie above the given one, which may be its last. */
    private static long after(int bit) {
        return -2L << bit;
    }

    private static int first(int word, long bits) {
        return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
    }
}
