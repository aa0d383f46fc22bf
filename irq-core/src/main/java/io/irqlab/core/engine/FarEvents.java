package io.irqlab.core.engine;

import java.util.Arrays;

/**
 * The events beyond the wheel's horizon: a binary heap by time, and at one time by insertion.
 *
 * <p>It keeps the place of every event, so that one can be taken out without a search.
 */
final class FarEvents {
    private long[] times = new long[0];
    private long[] sequences = new long[0];
    private int[] events = new int[0];
    private int[] places = new int[0];
    private int size;
    private long nextSequence;

    /** Makes room for events numbered below the given capacity; nothing else allocates. */
    void grow(int capacity) {
        times = Arrays.copyOf(times, capacity);
        sequences = Arrays.copyOf(sequences, capacity);
        events = Arrays.copyOf(events, capacity);
        places = Arrays.copyOf(places, capacity);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Returns the time of the earliest event; there must be one. */
    long earliestNs() {
        return times[0];
    }

    /** Adds an event that is not here, behind all of its time. */
    void add(int event, long timeNs) {
        siftUp(size++, timeNs, nextSequence++, event);
    }

    /** Takes the earliest event out and returns its number; there must be one. */
    int removeEarliest() {
        int event = events[0];
        removeAt(0);
        return event;
    }

    /** Takes out an event that is here. */
    void remove(int event) {
        removeAt(places[event]);
    }

    private void removeAt(int place) {
        size--;
        if (place == size) {
            return;
        }
        long timeNs = times[size];
        long sequence = sequences[size];
        if (place > 0 && isBefore(timeNs, sequence, (place - 1) >>> 1)) {
            siftUp(place, timeNs, sequence, events[size]);
        } else {
            siftDown(place, timeNs, sequence, events[size]);
        }
    }

    private void siftUp(int from, long timeNs, long sequence, int event) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            if (!isBefore(timeNs, sequence, parent)) {
                break;
            }
            put(place, times[parent], sequences[parent], events[parent]);
            place = parent;
        }
        put(place, timeNs, sequence, event);
    }

    private void siftDown(int from, long timeNs, long sequence, int event) {
        int place = from;
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && isBefore(times[child + 1], sequences[child + 1], child)) {
                child++;
            }
            if (isBefore(timeNs, sequence, child)) {
                break;
            }
            put(place, times[child], sequences[child], events[child]);
            place = child;
        }
        put(place, timeNs, sequence, event);
    }

    private boolean isBefore(long timeNs, long sequence, int place) {
        return timeNs < times[place] || (timeNs == times[place] && sequence < sequences[place]);
    }

    private void put(int place, long timeNs, long sequence, int event) {
        times[place] = timeNs;
        sequences[place] = sequence;
        events[place] = event;
        places[event] = place;
    }
}
