package io.irqlab.model.workload;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kind of I/O that a job does: fio's {@code rw}. */
public enum IoPattern {
    /** Sequential reads. */
    READ(Direction.READ, false),
    /** Sequential writes. */
    WRITE(Direction.WRITE, false),
    /** Sequential trims. */
    TRIM(Direction.TRIM, false),
    /** Random reads. */
    RANDREAD(Direction.READ, true),
    /** Random writes. */
    RANDWRITE(Direction.WRITE, true),
    /** Random trims. */
    RANDTRIM(Direction.TRIM, true),
    /** Sequential reads and writes, mixed. */
    RW(null, false),
    /** Random reads and writes, mixed. */
    RANDRW(null, true);

    private final @Nullable Direction only;
    private final boolean random;

    IoPattern(@Nullable Direction only, boolean random) {
        this.only = only;
        this.random = random;
    }

    /**
     * Tells random offsets from sequential ones.
     *
     * @return whether each I/O goes to an offset of its own
     */
    public boolean random() {
        return random;
    }

    /**
     * Tells a mix from a pattern of one direction.
     *
     * @return whether there are reads and writes
     */
    public boolean mixed() {
        return only == null;
    }

    /**
     * Returns the direction of the next I/O.
     *
     * @param readPercent share of reads in a mix, 0 to 100; without effect elsewhere
     * @param draw a uniform random number from 0 to 99; without effect unless mixed
     * @return what the I/O does
     */
    public Direction direction(int readPercent, int draw) {
        if (only != null) {
            return only;
        }
        return draw < readPercent ? Direction.READ : Direction.WRITE;
    }

    /**
     * Returns the name that fio gives it.
     *
     * @return a value of the option {@code rw}
     */
    public String fioName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
