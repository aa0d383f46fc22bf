package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkState;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vectors of one CPU and the register of those that wait for it (the local APIC's IRR). A vector is one bit there, so
 * interrupts that arrive before the CPU takes it merge; the greatest number is taken first (Intel SDM volume 3,
 * "Task and Processor Priorities").
 */
final class LocalApic {
    private static final int FIRST_DEVICE_VECTOR = 0x21;
    private static final int LAST_DEVICE_VECTOR = 0xDF;

    private final Cpu cpu;
    private final @Nullable Vector[] vectors = new Vector[256];
    private final List<Vector> deviceVectors = new ArrayList<>();
    private final List<Vector> deviceVectorsView = Collections.unmodifiableList(deviceVectors);
    private final long[] requests = new long[4];
    private long takenByReleased;

    LocalApic(Cpu cpu) {
        this.cpu = cpu;
    }

    Vector allocate(String name, Routine handler) {
        int free = FIRST_DEVICE_VECTOR;
        while (free <= LAST_DEVICE_VECTOR && vectors[free] != null) {
            free++;
        }
        checkState(free <= LAST_DEVICE_VECTOR, "%s has no free vector for %s", cpu, name);
        Vector vector = system(free, name, Vector.Source.DEVICE, handler);
        deviceVectors.add(vector);
        return vector;
    }

    boolean hasFree() {
        return deviceVectors.size() <= LAST_DEVICE_VECTOR - FIRST_DEVICE_VECTOR;
    }

    void release(Vector vector) {
        checkState(vectors[vector.number] == vector, "%s does not own vector %s", cpu, vector.number);
        checkState(!requested(vector), "%s cannot release vector %s, which is pending", cpu, vector.number);
        vectors[vector.number] = null;
        deviceVectors.remove(vector);
        takenByReleased += vector.count();
    }

    Vector system(int number, String name, Vector.Source source, Routine handler) {
        Vector vector = new Vector(cpu, number, name, source, handler);
        vectors[number] = vector;
        return vector;
    }

    /** The vector of a number, if anybody owns it. */
    @Nullable
    Vector vector(int number) {
        return number < 0 || number >= vectors.length ? null : vectors[number];
    }

    void request(Vector vector) {
        requests[vector.number >>> 6] |= 1L << vector.number;
    }

    boolean requested(Vector vector) {
        return (requests[vector.number >>> 6] & 1L << vector.number) != 0;
    }

    boolean withdraw(Vector vector) {
        boolean requested = requested(vector);
        requests[vector.number >>> 6] &= ~(1L << vector.number);
        return requested;
    }

    boolean anyRequested() {
        return (requests[0] | requests[1] | requests[2] | requests[3]) != 0;
    }

    /** Takes the request of the highest priority; there must be one. */
    Vector takeHighest() {
        for (int word = 3; ; word--) {
            long bits = requests[word];
            if (bits != 0) {
                int bit = 63 - Long.numberOfLeadingZeros(bits);
                requests[word] = bits & ~(1L << bit);
                Vector vector = vectors[word << 6 | bit];
                checkState(vector != null, "%s took a vector that nobody owns", cpu);
                return vector;
            }
        }
    }

    List<Vector> deviceVectors() {
        return deviceVectorsView;
    }

    /** How often vectors of one source were taken, those of devices that have been released since included. */
    long taken(Vector.Source source) {
        long sum = source == Vector.Source.DEVICE ? takenByReleased : 0;
        for (Vector vector : vectors) {
            if (vector != null && vector.source() == source) {
                sum += vector.count();
            }
        }
        return sum;
    }
}
