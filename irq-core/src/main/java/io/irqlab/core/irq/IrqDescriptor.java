package io.irqlab.core.irq;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Task;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one interrupt ({@code irq_desc}). It starts without a handler, disabled and masked, and is made by
 * {@link Interrupts}. Belongs to its run's thread, which also stands for {@code desc->lock}: each call is atomic.
 */
public final class IrqDescriptor implements IrqLine {
    /** Real-time priority of irq threads ({@code MAX_RT_PRIO / 2}). */
    public static final int THREAD_PRIORITY = 50;

    /** How long a caller that spins for the end of a handler takes for one look. */
    private static final long SPIN_NS = 100;

    private static final InstalledAction[] NO_ACTIONS = {};

    private final Interrupts interrupts;
    private final int irq;
    private final String name;
    private final FlowType flow;
    private final IrqChip chip;
    private final boolean managed;
    private final int replayArrives;
    private final long[] counts;
    private final HandlerRun run = new HandlerRun();
    private final SpuriousDetector spurious = new SpuriousDetector();

    private CpuMask affinity;
    private Cpu cpu;
    /** Where the chip sends; null while a managed line has no CPU. */
    private @Nullable Vector vector;
    /** Where it sent before, until the first interrupt has come from where it sends now. */
    private @Nullable Vector previousVector;

    private @Nullable CpuMask moveTo;

    private InstalledAction[] actions = NO_ACTIONS;
    /** Handlers that were freed while they, or their threads, could still run. */
    private InstalledAction[] leaving = NO_ACTIONS;

    private int depth = 1;
    private boolean masked = true;
    private boolean pending;
    private boolean inProgress;
    private boolean moderated;
    private boolean suspended;
    private boolean wakesUp;
    private boolean wakeUpArmed;
    private boolean spuriousDisabled;
    /** The interrupt that comes next is that of the poller. */
    private boolean polled;

    private boolean pollInProgress;
    private int threadsThatHold;
    private long threadsHandled;
    private long handled;
    private long refused;

    IrqDescriptor(
            Interrupts interrupts,
            int irq,
            String name,
            FlowType flow,
            IrqChip chip,
            CpuMask affinity,
            boolean managed) {
        this.interrupts = interrupts;
        this.irq = irq;
        this.name = name;
        this.flow = flow;
        this.chip = chip;
        this.managed = managed;
        this.affinity = affinity;
        this.counts = new long[interrupts.cpus().size()];
        this.replayArrives = interrupts.events().register(code -> trigger(), 0);
        Cpu target = interrupts.target(affinity, managed);
        this.cpu = target == null ? interrupts.cpus().get(firstOf(affinity)) : target;
        if (target != null) {
            sendTo(target, target);
        }
    }

    private static int firstOf(CpuMask mask) {
        return mask.stream().findFirst().orElseThrow();
    }

    // ---- what a driver does

    /**
     * Installs a handler ({@code request_threaded_irq}). The first one enables the line; what was pending is replayed.
     *
     * @param handlerName what {@code /proc/interrupts} calls it
     * @param action the handler
     * @param running the CPU that executes the call
     * @param flags what the driver says of it
     * @throws IllegalStateException if the line has handlers and is not shared by all, or they differ in
     *     {@link IrqFlag#ONESHOT}, or a handler that was freed may still run
     */
    public void requestIrq(String handlerName, IrqAction action, Cpu running, IrqFlag... flags) {
        Set<IrqFlag> set = EnumSet.noneOf(IrqFlag.class);
        set.addAll(Arrays.asList(flags));
        if (chip.oneshotSafe()) {
            set.remove(IrqFlag.ONESHOT);
        }
        checkState(
                actions.length == 0 || (set.contains(IrqFlag.SHARED) && allSay(IrqFlag.SHARED)),
                "irq %s (%s) has a handler already, and %s",
                irq,
                name,
                set.contains(IrqFlag.SHARED) ? "that one does not share" : "is not to be shared");
        checkState(
                actions.length == 0 || set.contains(IrqFlag.ONESHOT) == allSay(IrqFlag.ONESHOT),
                "irq %s (%s) is shared, and its handlers do not agree about ONESHOT",
                irq,
                name);
        checkState(
                actions.length > 0 || quiet(),
                "irq %s (%s) is requested while a handler that was freed may still run; await its end",
                irq,
                name);
        var installed = new InstalledAction(this, handlerName, action, set, cpu);
        boolean first = actions.length == 0;
        actions = append(actions, installed);
        spurious.reset();
        boolean anotherChance = spuriousDisabled;
        spuriousDisabled = false;
        if (first) {
            // Disables without a handler do not count, as in irq_startup.
            depth = 0;
            if (vector != null) {
                moveBeforeStart(running);
                start(running);
            }
        } else if (anotherChance) {
            // Another handler may know what to do with a line that nobody cared for.
            enable(running);
        }
    }

    /**
     * Installs a handler under the line's own name.
     *
     * @param action the handler
     * @param running the CPU that executes the call
     * @param flags what the driver says of it
     * @see #requestIrq(String, IrqAction, Cpu, IrqFlag...)
     */
    public void requestIrq(IrqAction action, Cpu running, IrqFlag... flags) {
        requestIrq(name, action, running, flags);
    }

    /**
     * Removes a handler ({@code free_irq}): no call of it begins from now on. The last one disables and masks the line; what is
     * pending, and what the device raises from then on, waits for the next request. A call that is under way goes on, and so does
     * a thread that such a call wakes; the caller must wait until {@link #quiet}, for instance by {@link #synchronizeIrq},
     * before it takes away what the handler uses.
     *
     * @param action the handler
     * @param running the CPU that executes the call
     */
    public void freeIrq(IrqAction action, Cpu running) {
        InstalledAction removed = Stream.of(actions)
                .filter(installed -> installed.action == action)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("irq " + irq + " (" + name + ") has no such handler to free"));
        removed.removed = true;
        if (runsHandlers() || removed.busy()) {
            leaving = append(leaving, removed);
        }
        actions = Stream.of(actions).filter(installed -> installed != removed).toArray(InstalledAction[]::new);
        if (actions.length == 0) {
            shutDown(running);
        }
    }

    private void shutDown(Cpu running) {
        depth = 1;
        suspended = false;
        wakeUpArmed = false;
        spuriousDisabled = false;
        polled = false;
        maskLine(running);
    }

    private static InstalledAction[] append(InstalledAction[] to, InstalledAction one) {
        InstalledAction[] all = Arrays.copyOf(to, to.length + 1);
        all[to.length] = one;
        return all;
    }

    /**
     * Returns whether no handler of the line runs, in hardirq context or in its thread, and no window is open.
     *
     * @return true if a caller of {@code synchronize_irq} would not wait
     */
    public boolean quiet() {
        return !inProgress && noneBusy(actions) && noneBusy(leaving);
    }

    private void forgetThoseThatLeft() {
        if (leaving.length > 0 && !inProgress && noneBusy(leaving)) {
            leaving = NO_ACTIONS;
        }
    }

    private static boolean noneBusy(InstalledAction[] some) {
        for (InstalledAction installed : some) {
            if (installed.busy()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns what a task runs to wait for the end of the handlers ({@code synchronize_irq}): it spins until the line is
     * {@link #quiet}. A task that may hold up an irq thread on its CPU asks {@link #quiet} itself, and sleeps between.
     *
     * @return a routine whose steps the task's own steps pass on until it is done
     */
    public Routine synchronizeIrq() {
        return running -> quiet() ? Routine.DONE : SPIN_NS;
    }

    @Override
    public void disable(PolicyCpu running) {
        depth++;
        if (depth == 1 && chip.disablesAtOnce()) {
            maskLine((Cpu) running);
        }
    }

    @Override
    public void enable(PolicyCpu running) {
        int own = (suspended ? 1 : 0) + (actions.length == 0 ? 1 : 0);
        checkState(depth > own, "unbalanced enable of irq %s (%s)", irq, name);
        depth--;
        if (depth > 0 || vector == null) {
            return;
        }
        start((Cpu) running);
    }

    private void start(Cpu running) {
        boolean replays = pending && flow != FlowType.LEVEL; // a level is still asserted, or it is not
        pending = false;
        long came = handled + refused;
        if (masked && threadsThatHold == 0 && !masksForHandlers()) {
            unmask(running);
        }
        // An interrupt that the unmasking let through at once stands for what was pending too.
        if (replays && handled + refused == came) {
            retrigger(running);
        }
    }

    /**
     * Sets the CPUs on which the line may fire, as a write of {@code smp_affinity_list} does. If its CPU is not among them, it
     * moves with its next interrupt that is handled, which still comes to the old one; while the line is disabled it stays. It
     * also stays, with the affinity that it had, if by then none of the CPUs is online and has a free vector.
     *
     * @param cpus the CPUs
     * @throws IllegalStateException if the line's affinity is managed by the kernel
     * @throws IllegalArgumentException if none of the CPUs is online
     */
    public void setAffinity(CpuMask cpus) {
        checkState(!managed, "the affinity of irq %s (%s) is managed and cannot be changed", irq, name);
        checkArgument(interrupts.anyOnline(cpus), "none of the CPUs %s for irq %s (%s) is online", cpus, irq, name);
        if (cpus.contains(cpu.number()) && vector != null) {
            affinity = cpus;
            moveTo = null;
        } else {
            moveTo = cpus;
        }
    }

    /**
     * Says whether the line may wake a suspended machine ({@code enable_irq_wake}).
     *
     * @param on true if it may
     */
    public void setWake(boolean on) {
        wakesUp = on;
    }

    // ---- what a flow policy does

    @Override
    public boolean moderatable() {
        return actions.length == 1
                && flow != FlowType.LEVEL
                && !allSay(IrqFlag.ONESHOT)
                && chip.maskable()
                && !chip.slowBus();
    }

    @Override
    public void moderate(PolicyCpu running) {
        checkState(!moderated, "irq %s (%s) is moderated already", irq, name);
        checkState(moderatable(), "irq %s (%s) cannot be moderated", irq, name);
        checkState(!inProgress, "irq %s (%s) cannot be moderated while its handler runs", irq, name);
        inProgress = true;
        moderated = true;
        disable(running);
    }

    @Override
    public void unmoderate(PolicyCpu running) {
        checkState(moderated, "irq %s (%s) is not moderated", irq, name);
        inProgress = false;
        moderated = false;
        if (actions.length > 0) {
            enable(running);
        }
    }

    private boolean allSay(IrqFlag flag) {
        for (InstalledAction installed : actions) {
            if (!installed.flags.contains(flag)) {
                return false;
            }
        }
        return true;
    }

    // ---- how an interrupt arrives

    /**
     * Takes an interrupt of the device: its message, edge or level has passed everything between device and CPU. A message
     * goes through the platform's delivery, if a policy has changed that.
     */
    public void raise() {
        Vector target = vector;
        if (target != null && flow == FlowType.EDGE) {
            target.cpu().deliver(target);
        } else {
            trigger();
        }
    }

    /** Raises the line's vector itself. */
    private void trigger() {
        Vector target = vector;
        if (target == null) {
            pending = true;
        } else {
            target.cpu().raise(target);
        }
    }

    /** Triggers a remembered event again: from another CPU by a message to that which takes the line. */
    void replay(Cpu running) {
        pending = false;
        retrigger(running);
    }

    private void retrigger(Cpu running) {
        if (running == cpu) {
            trigger();
        } else if (!interrupts.events().pending(replayArrives)) {
            long wayNs =
                    running.costs().ipiNs() + running.costs().virtualization().ipiNs();
            interrupts.events().schedule(replayArrives, interrupts.events().nowNs() + wayNs);
        }
    }

    // ---- what the flow handlers do

    /** The first interrupt from where the line moved to: nothing comes from where it was any more. */
    void arrived(Cpu running) {
        Vector previous = previousVector;
        if (previous == null || running != cpu || previous.cpu().pending(previous)) {
            return;
        }
        // What was posted there and not looked at comes here instead.
        boolean posted = previous.cpu().withdraw(previous);
        previous.cpu().releaseVector(previous);
        previousVector = null;
        if (posted) {
            trigger();
        }
    }

    boolean mayHandle(Cpu running) {
        if (wakeUpArmed) {
            wakeUpArmed = false;
            suspended = true;
            depth++;
            interrupts.wokenUpBy(this);
        }
        boolean asked = polled;
        polled = false;
        if (actions.length == 0 || (depth > 0 && !asked) || inProgress) {
            return false;
        }
        pollInProgress = asked;
        return true;
    }

    /** Whether the line is masked for handlers that may yet wake a thread that holds it; their flow unmasks it. */
    private boolean masksForHandlers() {
        return runsHandlers() && flow != FlowType.EDGE && allSay(IrqFlag.ONESHOT);
    }

    /** Whether handlers run, on another CPU than that which asks. */
    boolean runsHandlers() {
        return inProgress && !moderated;
    }

    /** Remembers an event that cannot be handled now, and stops the source. */
    void refuse(Cpu running) {
        remember();
        maskLine(running);
    }

    void remember() {
        refused++;
        pending = true;
    }

    void count(Cpu running) {
        handled++;
        counts[running.number()]++;
    }

    void ack(Cpu running) {
        chip.ack(running);
        moveIfWanted(running);
    }

    void eoi(Cpu running) {
        chip.eoi(running);
        moveIfWanted(running);
    }

    void eoiUnhandled(Cpu running) {
        if (!chip.eoiIfHandled()) {
            chip.eoi(running);
        }
        moveIfWanted(running);
    }

    void maskForThreads(Cpu running) {
        if (allSay(IrqFlag.ONESHOT)) {
            maskLine(running);
        }
    }

    void beginHandling() {
        pending = false;
        inProgress = true;
        run.begin(actions);
    }

    long handlerStep(Cpu running) {
        return run.step(running);
    }

    void endHandling(Cpu running) {
        inProgress = false;
        forgetThoseThatLeft();
        if (pollInProgress) {
            pollInProgress = false;
            return; // nobody had said that there was an interrupt
        }
        boolean stuck = spurious.note(
                run.result(),
                run.wokeThread(),
                threadsHandled,
                interrupts.events().nowNs());
        if (stuck && !spuriousDisabled && actions.length > 0) {
            spuriousDisabled = true;
            disable(running);
            interrupts.nobodyCared(this, running);
        }
    }

    /** Asks the policy, unless the line has moved and its next interrupt is being handled already: that one's end will ask. */
    boolean opensWindow(Cpu running) {
        return !inProgress && interrupts.opensWindow(this, running);
    }

    /** Whether an event arrived while the handlers ran, and can be handled now. */
    boolean mustHandleAgain() {
        return pending && depth == 0 && actions.length > 0 && !inProgress;
    }

    void unmaskForReplay(Cpu running) {
        if (masked) {
            unmask(running);
        }
    }

    void unmaskIfReleased(Cpu running) {
        if (depth == 0 && masked && threadsThatHold == 0 && vector != null && !masksForHandlers()) {
            unmask(running);
        }
    }

    void maskLine(Cpu running) {
        if (!masked && chip.maskable()) {
            masked = true;
            chip.mask(running);
            running.spend(running.costs().virtualization().maskNs());
        }
    }

    private void unmask(Cpu running) {
        masked = false;
        running.spend(running.costs().virtualization().maskNs());
        chip.unmask(running);
    }

    // ---- threads

    void threadHolds() {
        threadsThatHold++;
    }

    void threadReturned(IrqReturn result) {
        if (result == IrqReturn.HANDLED) {
            threadsHandled++;
        }
        forgetThoseThatLeft();
    }

    /** A thread has done what the line was masked for; the flow unmasks it itself if it is in the middle of handlers. */
    void threadReleases(Cpu running) {
        threadsThatHold--;
        if (!inProgress) {
            unmaskIfReleased(running);
        }
    }

    // ---- moving

    private void moveIfWanted(Cpu running) {
        CpuMask wanted = moveTo;
        if (wanted == null || previousVector != null || depth > 0) {
            return;
        }
        moveTo = null;
        Cpu target = interrupts.target(wanted, false);
        if (target == null) {
            return;
        }
        affinity = wanted;
        boolean wasMasked = masked;
        maskLine(running);
        previousVector = vector;
        sendTo(target, running);
        if (!wasMasked && masked) {
            unmask(running);
        }
    }

    /** A line that starts goes at once where its next interrupt would send it. */
    private void moveBeforeStart(Cpu running) {
        if (masked) {
            moveIfWanted(running);
        }
    }

    private void sendTo(Cpu target, Cpu running) {
        Vector now = target.allocateVector(name, newFlow());
        vector = now;
        cpu = target;
        chip.route(running, now);
        for (InstalledAction installed : actions) {
            installed.follow();
        }
    }

    /** The flow's state belongs to a vector: just after a move the line may be taken on two CPUs. */
    private Routine newFlow() {
        return switch (flow) {
            case EDGE -> new EdgeFlow(this);
            case FASTEOI -> new FasteoiFlow(this);
            case LEVEL -> new LevelFlow(this);
        };
    }

    /** Leaves a CPU that goes offline; what waits there is triggered again where the line goes. */
    void leave(Cpu dying, Cpu running) {
        boolean lost = false;
        Vector previous = previousVector;
        if (previous != null && previous.cpu() == dying) {
            lost = dying.withdraw(previous);
            dying.releaseVector(previous);
            previousVector = null;
        }
        Vector present = vector;
        if (present != null && present.cpu() == dying) {
            lost |= dying.withdraw(present);
            dying.releaseVector(present);
            vector = null;
            goElsewhere(running);
        }
        polled &= !lost;
        if (lost && vector == null) {
            pending = true;
        } else if (lost) {
            retrigger(running);
        }
    }

    private void goElsewhere(Cpu running) {
        boolean wasMasked = masked;
        maskLine(running);
        affinity = affinity();
        moveTo = null;
        Cpu target = interrupts.target(affinity, managed);
        if (target == null && !managed) {
            target = interrupts.target(interrupts.online(), false);
            affinity = target == null ? affinity : interrupts.online();
        }
        if (target == null) {
            return; // it has no CPU until one that it may have, with a free vector, comes back
        }
        sendTo(target, running);
        if (!wasMasked && masked) {
            unmask(running);
        }
    }

    /** Takes a CPU that has come online if it has none: a managed line only one of its own. */
    void returnTo(Cpu back, Cpu running) {
        if (vector == null && (!managed || affinity.contains(back.number())) && back.hasFreeVector()) {
            affinity = affinity().contains(back.number()) ? affinity() : interrupts.online();
            moveTo = null;
            sendTo(back, running);
            if (depth == 0) {
                start(running);
            }
        }
    }

    // ---- suspend and resume

    void suspend(Cpu running) {
        if (actions.length == 0 || anySays(IrqFlag.NO_SUSPEND)) {
            return;
        }
        if (wakesUp) {
            wakeUpArmed = true;
            return;
        }
        suspended = true;
        disable(running);
        if (chip.maskedOnSuspend()) {
            maskLine(running);
        }
    }

    void resume(Cpu running) {
        wakeUpArmed = false;
        if (suspended) {
            suspended = false;
            enable(running);
        }
    }

    private boolean anySays(IrqFlag flag) {
        for (InstalledAction installed : actions) {
            if (installed.flags.contains(flag)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Looks at a line that was switched off as spurious, as the kernel does ten times a second: another of its handlers may
     * have an event by now. So it does this for shared lines only.
     */
    void poll() {
        if (spuriousDisabled && vector != null && !inProgress && allSay(IrqFlag.SHARED)) {
            polled = true;
            trigger();
        }
    }

    // ---- what is known of it

    @Override
    public int irq() {
        return irq;
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Returns the CPU that takes the interrupt.
     *
     * @return the effective CPU; the last one while the line has none
     */
    public Cpu cpu() {
        return cpu;
    }

    /**
     * Returns the CPUs on which the line may fire.
     *
     * @return what was set, or all that were online if all of those went offline
     */
    public CpuMask affinity() {
        CpuMask wanted = moveTo;
        return wanted == null ? affinity : wanted;
    }

    /**
     * Returns whether the line has a CPU.
     *
     * @return false for a managed line all of whose CPUs are offline, or if its last CPU went when no other had a free vector
     */
    public boolean started() {
        return vector != null;
    }

    /**
     * Returns the irq thread of the first handler.
     *
     * @return the thread
     * @throws IllegalStateException if there is none
     */
    public Task thread() {
        checkState(actions.length > 0, "irq %s (%s) has no handler", irq, name);
        return actions[0].thread();
    }

    /**
     * Returns how many more disables than enables there were.
     *
     * @return zero if the line is enabled
     */
    public int depth() {
        return depth;
    }

    /**
     * Returns whether the chip keeps the source from sending.
     *
     * @return true if masked
     */
    public boolean masked() {
        return masked;
    }

    /**
     * Returns whether an event waits for the line to be enabled, or for a handler on another CPU to return.
     *
     * @return true if pending
     */
    public boolean pending() {
        return pending || interrupts.events().pending(replayArrives);
    }

    /**
     * Returns whether a handler runs, or the line is inside a window.
     *
     * @return true if in progress
     */
    public boolean inProgress() {
        return inProgress;
    }

    /**
     * Returns whether nobody cared for the line's interrupts, so that it was disabled.
     *
     * @return true if so
     */
    public boolean spuriousDisabled() {
        return spuriousDisabled;
    }

    /**
     * Returns how often handlers were called for it; what {@code /proc/interrupts} counts.
     *
     * @return a count since the run began
     */
    public long handled() {
        return handled;
    }

    /**
     * Returns how often handlers were called for it on one CPU.
     *
     * @param onCpu the CPU's number
     * @return a count since the run began
     */
    public long handled(int onCpu) {
        return counts[onCpu];
    }

    /**
     * Returns how often it came while it could not be handled (disabled, inside a window, or handled on another CPU).
     *
     * @return a count since the run began; {@code /proc/interrupts} does not show these
     */
    public long refused() {
        return refused;
    }

    /**
     * Returns how often its handlers said that there was nothing to do.
     *
     * @return a count since the run began
     */
    public long unhandled() {
        return spurious.unhandledEver();
    }

    FlowType flow() {
        return flow;
    }

    IrqChip chip() {
        return chip;
    }

    /** The names of the handlers, as requested. */
    List<String> handlerNames() {
        return Stream.of(actions).map(installed -> installed.name).toList();
    }

    @Override
    public String toString() {
        return irq + ":" + name;
    }
}
