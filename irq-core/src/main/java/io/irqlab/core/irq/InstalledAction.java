package io.irqlab.core.irq;

import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One handler of a line, and its thread. */
final class InstalledAction {
    final IrqAction action;
    final String name;
    final Set<IrqFlag> flags;
    private final IrqDescriptor descriptor;
    private final @Nullable Task thread;
    boolean removed;
    /** The thread is to call its function once more ({@code IRQTF_RUNTHREAD}). */
    private boolean wanted;

    private boolean running;
    /** The line stays masked for this thread's sake. */
    private boolean holdsLine;

    private boolean mustMove;

    InstalledAction(IrqDescriptor descriptor, String name, IrqAction action, Set<IrqFlag> flags, Cpu cpu) {
        this.descriptor = descriptor;
        this.name = name;
        this.action = action;
        this.flags = flags;
        this.thread = flags.contains(IrqFlag.THREADED)
                ? Task.fifo(
                        cpu, "irq/" + descriptor.irq() + "-" + name, IrqDescriptor.THREAD_PRIORITY, this::threadStep)
                : null;
    }

    void wakeThread(Cpu cpu) {
        Task task = thread;
        checkState(task != null, "the handler %s of %s woke its thread, and has none", name, descriptor);
        if (flags.contains(IrqFlag.ONESHOT) && descriptor.flow() != FlowType.EDGE && !holdsLine) {
            holdsLine = true;
            descriptor.threadHolds();
        }
        wanted = true;
        task.wake(cpu);
    }

    /** One call of the thread function for each time it was wanted; wishes that come while it runs are one more call. */
    private long threadStep(Cpu cpu) {
        Task task = thread();
        if (!running) {
            if (!wanted) {
                return Routine.DONE;
            }
            if (mustMove) {
                move(task);
                return 0;
            }
            wanted = false;
            running = true;
        }
        long durationNs = action.threadStep(cpu);
        if (durationNs != Routine.DONE || task.sleeping()) {
            return durationNs;
        }
        running = false;
        descriptor.threadReturned(action.threadResult());
        if (wanted) {
            return 0;
        }
        if (holdsLine) {
            holdsLine = false;
            descriptor.threadReleases(cpu);
        }
        return Routine.DONE;
    }

    /** The line fires on another CPU from now on; the thread follows before its function runs next. */
    void follow() {
        mustMove = true;
    }

    private void move(Task task) {
        mustMove = false;
        // A managed line may have lost its last CPU meanwhile; the thread then stays where it is.
        if (descriptor.cpu().online()) {
            task.setAffinity(CpuMask.of(descriptor.cpu().number()));
        }
    }

    /** Whether the thread is to run, or runs. */
    boolean busy() {
        return wanted || running;
    }

    Task thread() {
        Task task = thread;
        checkState(task != null, "the handler %s of %s has no thread", name, descriptor);
        return task;
    }
}
