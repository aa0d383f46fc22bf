package io.irqlab.core.engine;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import java.util.Arrays;
import java.util.Objects;

/**
 * The pending events of one run, in a total order, and its clock.
 *
 * <p>Events run by time; at one time, in the order in which they were scheduled. So a run is a function of its
 * configuration and seed alone. Time is virtual: a {@code long} count of nanoseconds since the run began, zero or more.
 *
 * <p>An event is a number that {@link #register} gave at set-up time to one entity: a timer, a server, a command. It is
 * pending once or not at all. Scheduling, cancelling and running allocate nothing.
 *
 * <p>Not thread-safe: one run belongs to one thread.
 */
public final class EventQueue {
    /*
     * A flat timing wheel. A slot spans slotNs nanoseconds and holds a doubly linked list of the events due then, by
     * time, and in the order of insertion at one time. All events in the wheel lie less than one turn ahead of the
     * clock, so no slot mixes two turns, and the first occupied slot from the clock's own on holds the next event.
     *
     * What lies beyond the horizon waits in a heap and runs from there: it is never moved into the wheel. The clock
     * does not go back, so of two events due at one time the one in the heap was scheduled earlier, when that time was
     * beyond the horizon, and the one in the wheel later. Hence the heap wins ties, and the order is exact without
     * sequence numbers in the wheel.
     *
     * An event is three longs side by side (its time, its links, its target) and a list is one (its ends): with many
     * events pending the cost is cache misses, and so there are two for each event, its own line and that of its slot.
     */
    private static final int DEFAULT_SLOT_NS = 4;
    private static final int DEFAULT_SLOTS = 1 << 16;
    private static final int MIN_SLOTS = 64;
    private static final int MAX_SLOTS = 1 << 26;
    private static final int INITIAL_CAPACITY = 64;
    private static final long NOT_PENDING = -1;
    private static final long NOT_REGISTERED = -2;
    private static final long IN_FAR = Long.MIN_VALUE;

    /** How many longs an event takes in {@link #nodes}, and where they are. The first is its time. */
    private static final int NODE = 3;

    private static final int LINKS = 1;
    private static final int TARGET = 2;

    private final int slotShift;
    private final int slotMask;
    /** For each slot its last event in the upper half, its first in the lower; stale if the slot is empty. */
    private final long[] lists;

    private final SlotBitmap occupied;
    private final FarEvents far = new FarEvents();

    /**
     * For each event: its time, {@link #NOT_PENDING} or {@link #NOT_REGISTERED}; its links: {@link #IN_FAR}, or the event
     * before it in the upper half (stale for the first) and the one after it in the lower (stale for the last); its
     * target: the place of its handler in the upper half and its code in the lower.
     */
    private long[] nodes = new long[0];

    /** Neighbours with the same handler share a place, so that a large model needs few. */
    private EventHandler[] handlers = new EventHandler[0];

    private int lastHandler = -1;
    private int registered;

    private long nowNs;
    private long processed;
    private boolean running;
    private boolean stopped;

    /** Makes an empty queue at time zero whose wheel suits a machine with a few to a few dozen devices. */
    public EventQueue() {
        this(DEFAULT_SLOT_NS, DEFAULT_SLOTS);
    }

    /**
     * Makes an empty queue at time zero with a wheel of the given shape. The shape decides the speed, never the order:
     * good are slots of a quarter to a half of the mean gap between events, and a horizon ({@code slotNs * slots}) of
     * four mean delays or more.
     *
     * @param slotNs what one slot spans, a power of two from 1 ns to 2<sup>30</sup> ns
     * @param slots how many slots there are, a power of two from 64 to 2<sup>26</sup>; each takes about 8 bytes
     * @throws IllegalArgumentException if one is no power of two or out of its range
     */
    public EventQueue(int slotNs, int slots) {
        checkArgument(
                slotNs >= 1 && Integer.bitCount(slotNs) == 1, "slot must be a power of two ns, was %s ns", slotNs);
        checkArgument(
                slots >= MIN_SLOTS && slots <= MAX_SLOTS && Integer.bitCount(slots) == 1,
                "slots must be a power of two from 64 to 67108864, was %s",
                slots);
        slotShift = Integer.numberOfTrailingZeros(slotNs);
        slotMask = slots - 1;
        lists = new long[slots];
        occupied = new SlotBitmap(slots);
    }

    /**
     * Gives an entity its event. To be called while the simulation is set up: this is the only method that may
     * allocate.
     *
     * @param handler what is called when the event is due
     * @param code what it is called with
     * @return the event's number: 0 for the first, and so on
     */
    public int register(EventHandler handler, int code) {
        Objects.requireNonNull(handler, "handler");
        if (NODE * registered == nodes.length) {
            grow(Math.max(INITIAL_CAPACITY, 2 * registered));
        }
        if (lastHandler < 0 || handlers[lastHandler] != handler) {
            handlers[++lastHandler] = handler;
        }
        nodes[NODE * registered] = NOT_PENDING;
        nodes[NODE * registered + TARGET] = pair(lastHandler, code);
        return registered++;
    }

    private void grow(int capacity) {
        int before = nodes.length;
        nodes = Arrays.copyOf(nodes, NODE * capacity);
        for (int i = before; i < nodes.length; i += NODE) {
            nodes[i] = NOT_REGISTERED;
        }
        handlers = Arrays.copyOf(handlers, capacity);
        far.grow(capacity);
    }

    /**
     * Returns the time.
     *
     * @return nanoseconds since the run began
     */
    public long nowNs() {
        return nowNs;
    }

    /**
     * Schedules an event that is not pending, behind all that are due at that time.
     *
     * @param event its number
     * @param timeNs when it is due, now or later
     * @throws IllegalStateException if it is pending; it then stays as it was
     * @throws IllegalArgumentException if the time has passed
     * @throws IndexOutOfBoundsException if no event of that number is registered
     */
    public void schedule(int event, long timeNs) {
        if (nodes[NODE * event] != NOT_PENDING) {
            throw notSchedulable(event, timeNs);
        }
        if (timeNs < nowNs) {
            throw inThePast(event, timeNs);
        }
        insert(event, timeNs);
    }

    /**
     * Schedules an event, pending or not, behind all that are due at that time: also when it is pending for that very
     * time.
     *
     * @param event its number
     * @param timeNs when it is due, now or later
     * @throws IllegalArgumentException if the time has passed; the event then stays as it was
     * @throws IndexOutOfBoundsException if no event of that number is registered
     */
    public void reschedule(int event, long timeNs) {
        if (timeNs < nowNs) {
            throw inThePast(event, timeNs);
        }
        long beforeNs = nodes[NODE * event];
        if (beforeNs >= 0) {
            remove(event, beforeNs);
        } else if (beforeNs == NOT_REGISTERED) {
            throw notSchedulable(event, timeNs);
        }
        insert(event, timeNs);
    }

    /**
     * Takes an event back. No effect if it is not pending.
     *
     * @param event its number
     */
    public void cancel(int event) {
        long timeNs = nodes[NODE * event];
        if (timeNs >= 0) {
            remove(event, timeNs);
            nodes[NODE * event] = NOT_PENDING;
        }
    }

    /**
     * Returns whether an event is pending. It is not while its own handler runs, unless that has scheduled it again.
     *
     * @param event its number
     * @return whether it is due at some time to come
     */
    public boolean pending(int event) {
        return nodes[NODE * event] >= 0;
    }

    /**
     * Returns when a pending event is due.
     *
     * @param event its number
     * @return nanoseconds since the run began
     * @throws IllegalStateException if it is not pending
     */
    public long timeNs(int event) {
        long timeNs = nodes[NODE * event];
        checkState(timeNs >= 0, "event %s is not pending", event);
        return timeNs;
    }

    /**
     * Runs every event up to a time, those due at that very time included, and leaves the clock there. If a handler
     * throws or calls {@link #stop}, the clock stays at that event, which has run, and the rest is left pending; the
     * queue can run on from there.
     *
     * @param untilNs the last nanosecond to run, now or later
     * @return how many events ran
     * @throws IllegalArgumentException if the time has passed
     * @throws IllegalStateException if called from a handler
     */
    public long runUntil(long untilNs) {
        checkArgument(untilNs >= nowNs, "cannot run until %s ns: it is already %s ns", untilNs, nowNs);
        checkState(!running, "cannot run from within a handler");
        long before = processed;
        running = true;
        stopped = false;
        try {
            while (!stopped && runNext(untilNs)) {
                // runNext does it all
            }
        } finally {
            running = false;
        }
        if (!stopped) {
            nowNs = untilNs;
        }
        return processed - before;
    }

    /**
     * Makes {@link #runUntil} return after the event whose handler calls this. The clock stays at that event.
     *
     * @throws IllegalStateException if no event is being handled
     */
    public void stop() {
        checkState(running, "cannot stop: nothing is running");
        stopped = true;
    }

    /**
     * Returns how many events have run since construction, the present one included.
     *
     * @return the count
     */
    public long processed() {
        return processed;
    }

    private boolean runNext(long untilNs) {
        int slot = occupied.next(slotOf(nowNs));
        int event = slot < 0 ? -1 : (int) lists[slot];
        long timeNs = slot < 0 ? Long.MAX_VALUE : nodes[NODE * event];
        if (!far.isEmpty() && far.earliestNs() <= timeNs) {
            timeNs = far.earliestNs();
            if (timeNs > untilNs) {
                return false;
            }
            event = far.removeEarliest();
        } else {
            if (slot < 0 || timeNs > untilNs) {
                return false;
            }
            unlinkFirst(event, slot);
        }
        nodes[NODE * event] = NOT_PENDING;
        nowNs = timeNs;
        processed++;
        long target = nodes[NODE * event + TARGET];
        handlers[(int) (target >>> 32)].onEvent((int) target);
        return true;
    }

    private void insert(int event, long timeNs) {
        nodes[NODE * event] = timeNs;
        if ((timeNs >>> slotShift) - (nowNs >>> slotShift) <= slotMask) {
            link(event, timeNs, slotOf(timeNs));
        } else {
            nodes[NODE * event + LINKS] = IN_FAR;
            far.add(event, timeNs);
        }
    }

    private void remove(int event, long timeNs) {
        long links = nodes[NODE * event + LINKS];
        if (links == IN_FAR) {
            far.remove(event);
        } else {
            unlink(event, links, slotOf(timeNs));
        }
    }

    private void link(int event, long timeNs, int slot) {
        if (!occupied.contains(slot)) {
            occupied.add(slot);
            lists[slot] = pair(event, event);
            nodes[NODE * event + LINKS] = 0;
            return;
        }
        int first = (int) lists[slot];
        int last = (int) (lists[slot] >>> 32);
        if (nodes[NODE * last] <= timeNs) {
            linkAfter(last, event);
            nodes[NODE * event + LINKS] = pair(last, 0);
            lists[slot] = pair(event, first);
        } else if (timeNs < nodes[NODE * first]) {
            nodes[NODE * event + LINKS] = pair(0, first);
            linkBefore(first, event);
            lists[slot] = pair(last, event);
        } else {
            int before = before(last);
            while (nodes[NODE * before] > timeNs) {
                before = before(before);
            }
            int after = after(before);
            nodes[NODE * event + LINKS] = pair(before, after);
            linkAfter(before, event);
            linkBefore(after, event);
        }
    }

    private void unlink(int event, long links, int slot) {
        int first = (int) lists[slot];
        int last = (int) (lists[slot] >>> 32);
        int before = (int) (links >>> 32);
        int after = (int) links;
        if (event == first) {
            unlinkFirst(event, slot);
        } else if (event == last) {
            lists[slot] = pair(before, first);
        } else {
            linkAfter(before, after);
            linkBefore(after, before);
        }
    }

    private void unlinkFirst(int event, int slot) {
        int last = (int) (lists[slot] >>> 32);
        if (event == last) {
            occupied.remove(slot);
        } else {
            lists[slot] = pair(last, after(event));
        }
    }

    private int before(int event) {
        return (int) (nodes[NODE * event + LINKS] >>> 32);
    }

    private int after(int event) {
        return (int) nodes[NODE * event + LINKS];
    }

    private void linkBefore(int event, int before) {
        nodes[NODE * event + LINKS] = pair(before, after(event));
    }

    private void linkAfter(int event, int after) {
        nodes[NODE * event + LINKS] = pair(before(event), after);
    }

    private int slotOf(long timeNs) {
        return (int) (timeNs >>> slotShift) & slotMask;
    }

    private RuntimeException notSchedulable(int event, long timeNs) {
        long dueNs = nodes[NODE * event];
        return dueNs == NOT_REGISTERED
                ? new IndexOutOfBoundsException("there is no event " + event + ": " + registered + " are registered")
                : new IllegalStateException("cannot schedule event " + event + " at " + timeNs
                        + " ns: it is already pending at " + dueNs + " ns");
    }

    private IllegalArgumentException inThePast(int event, long timeNs) {
        return new IllegalArgumentException(
                "cannot schedule event " + event + " at " + timeNs + " ns: it is already " + nowNs + " ns");
    }

    private static long pair(int upper, int lower) {
        return ((long) upper << 32) | (lower & 0xFFFF_FFFFL);
    }
}
