package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes CPUs of a machine out of use and back ({@code kernel/cpu.c}). Parts of the kernel that keep something on a CPU
 * register as listeners.
 */
public final class CpuHotplug {
    /** A part of the kernel that keeps something on CPUs. */
    public interface Listener {
        /**
         * Called when a CPU goes offline: it runs nothing any more, and what it kept must move.
         *
         * @param dying the CPU
         * @param survivor the CPU that does the work, and pays for it
         */
        void offline(Cpu dying, Cpu survivor);

        /**
         * Called when a CPU is in use again.
         *
         * @param cpu the CPU
         */
        void online(Cpu cpu);
    }

    private final ImmutableList<Cpu> cpus;
    private final ImmutableList<Task> stoppers;
    private final List<Listener> listeners = new ArrayList<>();

    /**
     * Creates the hotplug machinery of a machine.
     *
     * @param cpus its CPUs; a CPU's place is its number
     */
    public CpuHotplug(List<Cpu> cpus) {
        this.cpus = ImmutableList.copyOf(cpus);
        this.stoppers = cpus.stream()
                .map(cpu -> Task.stop(cpu, "cpuhp", dying -> takeDown(cpu)))
                .collect(toImmutableList());
        cpus.forEach(cpu -> cpu.joins(this));
    }

    /**
     * Adds a listener.
     *
     * @param listener called after those that were added before it when a CPU comes, and before them when one goes
     */
    public void add(Listener listener) {
        listeners.add(listener);
    }

    /**
     * Asks a CPU to go offline, as a write of 0 to its {@code online} file does. It goes as soon as it has run a thread of
     * the stop class, so not in the middle of a hardirq, and not while it is locked up.
     *
     * @param cpu the CPU, online; not the last one
     */
    public void down(Cpu cpu) {
        checkState(cpu.online(), "%s is offline already", cpu);
        checkState(cpus.stream().anyMatch(other -> other != cpu && other.online()), "%s is the last CPU online", cpu);
        Task stopper = stoppers.get(cpu.number());
        if (stopper.state == Task.State.SLEEPING) {
            stopper.start();
        }
    }

    private long takeDown(Cpu dying) {
        Cpu survivor = cpus.stream()
                .filter(cpu -> cpu != dying && cpu.online())
                .findFirst()
                .orElse(null);
        if (survivor == null) {
            // All others went while the request waited: the last one stays.
            return Routine.DONE;
        }
        dying.goOffline(survivor);
        for (Listener listener : Lists.reverse(listeners)) {
            listener.offline(dying, survivor);
        }
        return Routine.DONE;
    }

    /**
     * Takes a CPU back into use.
     *
     * @param cpu the CPU, offline
     */
    public void up(Cpu cpu) {
        checkState(!cpu.online(), "%s is online already", cpu);
        cpu.comeOnline();
        for (Cpu other : cpus) {
            cpu.bringTimersHome(other);
        }
        for (Listener listener : listeners) {
            listener.online(cpu);
        }
    }

    /**
     * Returns the machine's CPUs.
     *
     * @return by number
     */
    public List<Cpu> cpus() {
        return cpus;
    }

    /**
     * Returns the first CPU in use of a set.
     *
     * @param mask where to look
     * @return it, or null if all are offline
     */
    public @Nullable Cpu firstOnline(CpuMask mask) {
        for (int number = 0; number < cpus.size(); number++) {
            if (mask.contains(number) && cpus.get(number).online()) {
                return cpus.get(number);
            }
        }
        return null;
    }

    /** The first CPU in use of a set, or of the machine if all of the set are offline. */
    Cpu substituteFor(CpuMask mask) {
        Cpu allowed = firstOnline(mask);
        for (int number = 0; allowed == null; number++) {
            Cpu any = cpus.get(number);
            allowed = any.online() ? any : null;
        }
        return allowed;
    }
}
