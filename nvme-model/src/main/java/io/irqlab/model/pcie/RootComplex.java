package io.irqlab.model.pcie;

import static com.google.common.base.Preconditions.checkArgument;

import io.irqlab.core.engine.EventHandler;
import io.irqlab.core.engine.EventQueue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A root complex: one serial server for the upstream writes of its ports. Data takes {@code a} for 4 KiB, a message
 * signalled interrupt {@code b}, whatever the CPUs do: this is what saturates when interrupts are many, since an MSI is
 * remapped and delivered strictly in order (posted MSI cover letter, 2024).
 *
 * <p>Each port is a FIFO, and waiting ports take turns. Of a port's writes, as many as it has posted credits wait in the
 * root complex; the rest waits in the device.
 */
public final class RootComplex implements EventHandler {
    private static final long BLOCK_BYTES = 4096;

    private final String name;
    private final EventQueue queue;
    private final long dmaNs;
    private final long msiNs;
    private final int credits;
    private final List<Port> ports = new ArrayList<>();
    private final int event;
    private @Nullable Port serving;
    private boolean servingMsi;
    private int turn;
    private long busyNs;
    private long serviceEndNs;
    private long msis;

    /**
     * Creates a root complex without ports.
     *
     * @param name its name
     * @param queue the run's events
     * @param dmaNs service time of 4 KiB with its completion entry, more than zero
     * @param msiNs service time of one MSI, zero or more
     * @param credits writes of each port that may wait here, 1 or more
     */
    public RootComplex(String name, EventQueue queue, long dmaNs, long msiNs, int credits) {
        checkArgument(dmaNs > 0, "dma time must be more than 0 ns, was %s", dmaNs);
        checkArgument(msiNs >= 0, "msi time must be 0 ns or more, was %s", msiNs);
        checkArgument(credits >= 1, "posted credits must be 1 or more, was %s", credits);
        this.name = name;
        this.queue = queue;
        this.dmaNs = dmaNs;
        this.msiNs = msiNs;
        this.credits = credits;
        this.event = queue.register(this, 0);
    }

    /**
     * Adds a root port.
     *
     * @param device the device below it
     * @return the port
     */
    public Port port(UpstreamWriter device) {
        Port port = new Port(device);
        ports.add(port);
        return port;
    }

    @Override
    public void onEvent(int code) {
        Port served = serving;
        if (served != null) {
            serving = null;
            int write = served.removeHead();
            served.device.onServed(write, servingMsi);
        }
        serveNext();
    }

    private void serveNext() {
        if (serving != null) {
            return;
        }
        long now = queue.nowNs();
        long earliestNs = Long.MAX_VALUE;
        for (int i = 0; i < ports.size(); i++) {
            int index = turn + i < ports.size() ? turn + i : turn + i - ports.size();
            Port port = ports.get(index);
            if (port.size == 0) {
                continue;
            }
            long arrivalNs = port.headArrivalNs();
            if (arrivalNs <= now) {
                turn = index + 1 < ports.size() ? index + 1 : 0;
                serve(port, now);
                return;
            }
            earliestNs = Math.min(earliestNs, arrivalNs);
        }
        if (earliestNs != Long.MAX_VALUE) {
            queue.reschedule(event, earliestNs);
        }
    }

    private void serve(Port port, long now) {
        serving = port;
        long serviceNs = (dmaNs * port.headBytes() + BLOCK_BYTES - 1) / BLOCK_BYTES;
        servingMsi = port.device.onServing(port.headWrite(), now + serviceNs);
        if (servingMsi) {
            serviceNs += msiNs;
            msis++;
        }
        busyNs += serviceNs;
        serviceEndNs = now + serviceNs;
        queue.reschedule(event, serviceEndNs);
    }

    /**
     * Returns the root complex's name.
     *
     * @return such as {@code rc0}
     */
    public String name() {
        return name;
    }

    /**
     * Returns the time in which it served a write, up to now.
     *
     * @return nanoseconds since the run began
     */
    public long busyNs() {
        return serving == null ? busyNs : busyNs - (serviceEndNs - queue.nowNs());
    }

    /**
     * Returns how many MSIs passed it.
     *
     * @return a count since the run began
     */
    public long msis() {
        return msis;
    }

    /** A root port: the writes of one device, in order, with the time at which each has crossed the link. */
    public final class Port {
        private final UpstreamWriter device;
        private int[] writes = new int[64];
        private long[] bytes = new long[64];
        private long[] arrivalsNs = new long[64];
        private int head;
        private int size;

        private Port(UpstreamWriter device) {
            this.device = device;
        }

        /**
         * Sends a write up. Writes of one port must arrive in the order of their calls.
         *
         * @param write the device's number for it
         * @param dataBytes its data, zero for an MSI alone
         * @param arrivalNs when it has crossed the link, now or later
         */
        public void write(int write, long dataBytes, long arrivalNs) {
            if (size == writes.length) {
                grow();
            }
            int tail = (head + size) & (writes.length - 1);
            writes[tail] = write;
            bytes[tail] = dataBytes;
            arrivalsNs[tail] = arrivalNs;
            size++;
            if (size <= credits) {
                device.onAdmitted(write);
            }
            if (serving == null && (!queue.pending(event) || queue.timeNs(event) > arrivalNs)) {
                queue.reschedule(event, arrivalNs);
            }
        }

        private int removeHead() {
            int write = writes[head];
            head = (head + 1) & (writes.length - 1);
            size--;
            if (size >= credits) {
                device.onAdmitted(writes[(head + credits - 1) & (writes.length - 1)]);
            }
            return write;
        }

        private int headWrite() {
            return writes[head];
        }

        private long headBytes() {
            return bytes[head];
        }

        private long headArrivalNs() {
            return arrivalsNs[head];
        }

        /**
         * Returns how long a read of the device takes beyond its round trip: its completion must not pass the posted
         * writes of the device that wait in front of it (PCI Express Base Specification, 2.4.1: a read completion does
         * not pass a posted request). The wait is estimated from the writes in the root complex, all with an MSI.
         *
         * @return nanoseconds, zero when nothing waits
         */
        public long readStallNs() {
            long now = queue.nowNs();
            int waiting = 0;
            int competing = 0;
            for (int i = 0; i < ports.size(); i++) {
                Port port = ports.get(i);
                if (port.size > 0 && port.arrivalsNs[port.head] <= now) {
                    competing++;
                }
            }
            if (competing > 0) {
                waiting = Math.min(size, credits) * competing;
            }
            return waiting * (dmaNs + msiNs);
        }

        private void grow() {
            int length = writes.length;
            int[] newWrites = new int[length * 2];
            long[] newBytes = new long[length * 2];
            long[] newArrivalsNs = new long[length * 2];
            for (int i = 0; i < size; i++) {
                int from = (head + i) & (length - 1);
                newWrites[i] = writes[from];
                newBytes[i] = bytes[from];
                newArrivalsNs[i] = arrivalsNs[from];
            }
            writes = newWrites;
            bytes = newBytes;
            arrivalsNs = newArrivalsNs;
            head = 0;
        }
    }
}
