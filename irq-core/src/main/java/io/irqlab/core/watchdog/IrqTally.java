package io.irqlab.core.watchdog;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Vector;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** What the device interrupts of a CPU have done since a mark was set. Setting it allocates nothing once it has grown. */
final class IrqTally {
    private static final int TOP = 5;

    private final Cpu cpu;
    private Vector[] marked = new Vector[0];
    private long[] timesNs = new long[0];
    private long[] counts = new long[0];
    private int size;

    IrqTally(Cpu cpu) {
        this.cpu = cpu;
    }

    void mark() {
        List<Vector> vectors = cpu.deviceVectors();
        size = vectors.size();
        if (size > marked.length) {
            marked = Arrays.copyOf(marked, size);
            timesNs = new long[size];
            counts = new long[size];
        }
        for (int i = 0; i < size; i++) {
            marked[i] = vectors.get(i);
            timesNs[i] = marked[i].timeNs();
            counts[i] = marked[i].count();
        }
    }

    /** The five that took most time. */
    List<String> byTime() {
        return top(this::timeOf).stream().map(Vector::name).toList();
    }

    /** The five that came most often. */
    List<Lockup.IrqCount> byCount() {
        return top(this::countOf).stream()
                .map(vector -> new Lockup.IrqCount(vector.name(), countOf(vector)))
                .toList();
    }

    private long timeOf(Vector vector) {
        int i = indexOf(vector);
        return i < 0 ? vector.timeNs() : vector.timeNs() - timesNs[i];
    }

    private long countOf(Vector vector) {
        int i = indexOf(vector);
        return i < 0 ? vector.count() : vector.count() - counts[i];
    }

    /** Where a vector was marked; -1 if it was allocated since. */
    private int indexOf(Vector vector) {
        for (int i = 0; i < size; i++) {
            if (marked[i] == vector) {
                return i;
            }
        }
        return -1;
    }

    private List<Vector> top(ToLongFunction<Vector> share) {
        return cpu.deviceVectors().stream()
                .filter(vector -> share.applyAsLong(vector) > 0)
                .sorted(Comparator.comparingLong(share).reversed())
                .limit(TOP)
                .toList();
    }
}
