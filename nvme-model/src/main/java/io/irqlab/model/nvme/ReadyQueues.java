package io.irqlab.model.nvme;

/** Which submission queues have commands to fetch, as a bitmap in which the next one is found without looking at each. */
final class ReadyQueues {
    private final long[] words;

    ReadyQueues(int queues) {
        words = new long[(queues + 63) >>> 6];
    }

    void add(int queue) {
        words[queue >>> 6] |= 1L << queue;
    }

    void remove(int queue) {
        words[queue >>> 6] &= ~(1L << queue);
    }

    /** Returns the first ready queue from one on, going around at the end; -1 if there is none. */
    int firstFrom(int queue) {
        int word = queue >>> 6;
        long bits = words[word] & (-1L << queue);
        for (int looked = 0; looked <= words.length; looked++) {
            if (bits != 0) {
                return word << 6 | Long.numberOfTrailingZeros(bits);
            }
            word = word + 1 == words.length ? 0 : word + 1;
            bits = words[word];
        }
        return -1;
    }
}
