package io.irqlab.core.cpu;

import io.irqlab.core.engine.EventQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A run under test: what happens to it from outside at which time, and a log of what it did at which time. */
public final class Timeline {
    /** The run's events; a small wheel, since tests make many runs. */
    public final EventQueue queue = new EventQueue(64, 256);

    private final List<String> log = new ArrayList<>();

    /** Plans something that happens to the machine from outside. */
    public void at(long timeNs, Runnable action) {
        queue.schedule(queue.register(code -> action.run(), 0), timeNs);
    }

    /** Runs up to a time, that time included. */
    public void until(long timeNs) {
        queue.runUntil(timeNs);
    }

    /** Logs something with the present time. */
    public void note(String what) {
        log.add(queue.nowNs() + " " + what);
    }

    /** Returns what was noted so far: the time, a space, the note. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** Returns a routine without steps, to be told them. */
    public Script script(String name) {
        return new Script(name);
    }

    /**
     * A routine of given steps. It notes its name when it begins, the number of each further step, and "done" at its
     * end; called again after that, it begins anew.
     */
    public final class Script implements Routine {
        private final String name;
        private final List<Consumer<Cpu>> actions = new ArrayList<>();
        private final List<Long> durationsNs = new ArrayList<>();
        private Consumer<Cpu> lastAction = cpu -> {};
        private int next;

        private Script(String name) {
            this.name = name;
        }

        /** Adds a step that takes a time. */
        public Script step(long durationNs) {
            return step(durationNs, cpu -> {});
        }

        /** Adds a step that does something and then takes a time. */
        public Script step(long durationNs, Consumer<Cpu> action) {
            actions.add(action);
            durationsNs.add(durationNs);
            return this;
        }

        /** Does something in the step that ends the routine. */
        public Script end(Consumer<Cpu> action) {
            lastAction = action;
            return this;
        }

        @Override
        public long step(Cpu cpu) {
            if (next == actions.size()) {
                next = 0;
                note(name + " done");
                lastAction.accept(cpu);
                return DONE;
            }
            note(next == 0 ? name : name + " " + (next + 1));
            actions.get(next).accept(cpu);
            return durationsNs.get(next++);
        }
    }
}
