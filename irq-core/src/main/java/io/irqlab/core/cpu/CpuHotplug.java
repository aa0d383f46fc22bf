package io.irqlab.core.cpu;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

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
    private final List<Listener> listeners = new ArrayList<>();

    /**
     * Creates the hotplug machinery of a machine.
     *
     * @param cpus its CPUs; a CPU's place is its number
     */
    public CpuHotplug(List<Cpu> cpus) {
        this.cpus = ImmutableList.copyOf(cpus);
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
    public @org.jspecify.annotations.Nullable Cpu firstOnline(CpuMask mask) {
        return mask.stream()
                .filter(cpu -> cpu < cpus.size() && cpus.get(cpu).online())
                .mapToObj(cpus::get)
                .findFirst()
                .orElse(null);
    }

    void checkNotLast(Cpu cpu) {
        checkState(cpus.stream().anyMatch(other -> other != cpu && other.online()), "%s is the last CPU online", cpu);
    }
}
