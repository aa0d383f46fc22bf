package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.TestCosts;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.cpu.Vector;
import io.irqlab.core.irq.LineSetup.Trait;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs a {@link LineProgram}: three CPUs for the line and one more from which drivers and administrators act, devices, drivers
 * and a policy; and checks what must always hold.
 */
final class LineMachine implements FlowPolicy {
    private static final CpuCosts COSTS = costs().hardirq(300, 200)
            .contextSwitch(400)
            .wakeup(100)
            .ipi(250)
            .idleExit(350)
            .build();
    private static final long LONG_NS = 1_000_000;
    private static final int DEVICES = 2;

    /** What must hold did not. */
    static final class Violation extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    private final LineProgram program;
    private final LineSetup setup;
    private final Timeline run = new Timeline();
    private final List<Cpu> cpus;
    private final Cpu desk;
    private final CpuHotplug hotplug;
    private final Interrupts interrupts;
    private final FakeMsi msi = new FakeMsi(run);
    private final FakeWire wire = new FakeWire(run);
    private final IrqDescriptor line;
    /** The event to lose, or -1. */
    private final int replay;

    private final List<Vector> busyVectors = new ArrayList<>();

    /** The installed drivers, in the order of the line's handlers. */
    private final List<Driver> installed = new ArrayList<>();

    private final List<Driver> everInstalled = new ArrayList<>();

    private final boolean[] unseen = new boolean[DEVICES];
    private Driver active;
    private int driverDepth;
    private boolean windowOpen;
    /** The window's disable still counts: the line has not been freed since. */
    private boolean windowCounts;

    private Cpu windowCpu;
    private boolean suspended;
    private boolean lineSuspended;
    private boolean wakeUpArmed;
    private boolean maskedWhileDisabled;
    private boolean openWindow;
    private boolean disable;
    private boolean enable;

    LineMachine(LineProgram program, LineProgram.Defect defect) {
        this.program = program;
        this.setup = program.setup();
        CpuCosts costs = setup.has(Trait.COSTLESS) ? TestCosts.free() : COSTS;
        this.cpus = IntStream.range(0, 4)
                .mapToObj(number -> new Cpu(number, run.queue, costs))
                .toList();
        this.desk = cpus.get(3);
        this.hotplug = new CpuHotplug(cpus);
        this.interrupts = new Interrupts(hotplug, run.queue, this, report -> {
            throw new Violation("the line was called spurious: " + report);
        });
        if (setup.has(Trait.POSTED)) {
            cpus.forEach(cpu -> cpu.deliverThrough(new PostedMessages()));
        }
        IrqChip chip = setup.wired() ? wire : msi;
        // The line registers its replay next.
        this.replay = defect == LineProgram.Defect.LOST_REPLAY ? run.queue.register(code -> {}, 0) + 1 : -1;
        this.line = setup.has(Trait.MANAGED)
                ? interrupts.allocateManaged(1, "line", setup.flow(), chip, CpuMask.range(0, 1))
                : interrupts.allocate(1, "line", setup.flow(), chip, CpuMask.range(0, 2));
        line.setWake(setup.has(Trait.WAKES));
        msi.connect(line);
        wire.connect(line);
        msi.messageNs = setup.messageNs();
        msi.unlazy = setup.has(Trait.UNLAZY);
        wire.unlazy = msi.unlazy;
        msi.maskNs = setup.has(Trait.COSTLESS) ? 0 : 150;
        msi.maskable = !setup.has(Trait.UNMASKABLE);
        msi.maskedOnSuspend = setup.has(Trait.MASKED_ON_SUSPEND);
        msi.holds = setup.has(Trait.HOLDS);
        msi.deafNs = defect == LineProgram.Defect.DEAF_DEVICE ? 2_000 : 0;
        msi.forgetful = defect == LineProgram.Defect.FORGETFUL_DEVICE;
        msi.leaky = defect == LineProgram.Defect.LEAKY_MASK;
        for (Cpu cpu : cpus) {
            boolean[] begun = {false};
            busyVectors.add(cpu.allocateVector("busy", on -> {
                begun[0] = !begun[0];
                return begun[0] ? 2_000 : Routine.DONE;
            }));
        }
    }

    void run() {
        request();
        for (LineProgram.Step step : program.steps()) {
            run.until(run.queue.nowNs() + step.delayNs());
            check();
            act(step.op());
            check();
        }
        settle();
        for (int i = 0; i < 3; i++) {
            event(0);
            event(1);
            rest();
            require(!unseen[0] && !unseen[1], "an event after all is well again was lost");
        }
        long vectors = cpus.stream()
                .flatMap(cpu -> cpu.deviceVectors().stream())
                .filter(vector -> vector.name().equals("line"))
                .count();
        require(vectors == 1, "the line has " + vectors + " vectors at the end");
        require(
                !setup.has(Trait.THREADED) || line.thread().cpu() == line.cpu(),
                "the thread has not followed the line to " + line.cpu());
    }

    /** Undoes all that keeps the line from working. */
    private void settle() {
        openWindow = false;
        disable = false;
        enable = false;
        if (suspended) {
            resume();
        }
        closeWindow(desk);
        run.until(run.queue.nowNs() + LONG_NS); // so that an unplug that was asked for has happened
        closeWindow(desk);
        check();
        for (Cpu cpu : cpus) {
            if (!cpu.online()) {
                hotplug.up(cpu);
            }
        }
        rest();
        if (installed.isEmpty()) {
            request();
        }
        while (driverDepth > 0) {
            enable(desk);
            check();
        }
        rest();
        require(line.depth() == 0 && line.started(), "the line does not work at the end");
        require(!line.pending() && !line.masked() && !waits(), "an enabled line at rest has an event");
        require(line.quiet(), "an enabled line at rest is not quiet");
    }

    private void act(LineProgram.Op op) {
        switch (op) {
            case EVENT -> event(0);
            case EVENT_OF_THE_OTHER_DEVICE -> event(1);
            case RAISE_WITHOUT_EVENT -> {
                if (!setup.wired() && installed.size() > 0) {
                    line.raise();
                }
            }
            case CPU_IS_BUSY -> {
                if (line.cpu().online()) {
                    line.cpu().deliver(busyVectors.get(line.cpu().number()));
                }
            }
            case DISABLE -> disable(desk);
            case ENABLE -> enable(desk);
            case NEXT_HANDLER_DISABLES -> disable = true;
            case NEXT_HANDLER_ENABLES -> enable = true;
            case NEXT_HANDLED_OPENS_WINDOW -> openWindow = true;
            case CLOSE_WINDOW -> closeWindow(windowCpu);
            case AFFINITY_0 -> setAffinity(CpuMask.of(0));
            case AFFINITY_1 -> setAffinity(CpuMask.of(1));
            case AFFINITY_2 -> setAffinity(CpuMask.of(2));
            case AFFINITY_0_TO_2 -> setAffinity(CpuMask.range(0, 2));
            case UNPLUG_0 -> unplug(0);
            case UNPLUG_1 -> unplug(1);
            case UNPLUG_2 -> unplug(2);
            case PLUG_ONE -> plugOne();
            case SUSPEND -> suspend();
            case RESUME -> resume();
            case FREE_FIRST -> free(0);
            case FREE_LAST -> free(installed.size() - 1);
            case REQUEST -> request();
            case REST -> rest();
        }
    }

    private void rest() {
        run.until(run.queue.nowNs() + LONG_NS);
        check();
        checkAtRest();
    }

    // ---- the devices

    /** The second device is there only while its driver is; the first also before that, unless the second is alone. */
    private boolean speaks(int device) {
        return installed.isEmpty() ? device == 0 : installed.stream().anyMatch(driver -> driver.device == device);
    }

    private void event(int wanted) {
        int device = speaks(wanted) ? wanted : 1 - wanted;
        unseen[device] = true;
        if (setup.wired()) {
            wire.raise(device);
        } else {
            msi.event();
        }
    }

    private void served(int device) {
        unseen[device] = false;
        wire.lower(device);
    }

    private boolean waits() {
        return setup.wired() ? wire.asserted() : msi.waits();
    }

    // ---- the drivers

    private void request() {
        if (installed.size() == (setup.has(Trait.SHARED) ? DEVICES : 1)) {
            expectRefusal("a handler too many", () -> line.requestIrq(new Driver(0), desk));
            return;
        }
        if (installed.isEmpty() && !line.quiet()) {
            expectRefusal("a handler beside a freed one", () -> line.requestIrq(new Driver(0), desk, setup.flags()));
            return;
        }
        if (!line.quiet()) {
            return; // the driver's free_irq still waits
        }
        var driver = new Driver(speaks(0) && !installed.isEmpty() ? 1 : 0);
        if (installed.isEmpty()) {
            driverDepth = 0;
        }
        installed.add(driver);
        everInstalled.add(driver);
        line.requestIrq(driver, desk, setup.flags());
    }

    private void free(int index) {
        if (installed.isEmpty()) {
            expectRefusal("a free too many", () -> line.freeIrq(new Driver(0), desk));
            return;
        }
        Driver driver = installed.remove(index);
        served(driver.device);
        if (installed.isEmpty()) {
            driverDepth = 0;
            windowCounts = false;
            lineSuspended = false;
            wakeUpArmed = false;
        }
        line.freeIrq(driver, desk);
    }

    private void disable(Cpu on) {
        if (!installed.isEmpty()) {
            driverDepth++;
            line.disable(on);
        }
    }

    private void enable(Cpu on) {
        if (driverDepth > 0) {
            driverDepth--;
            line.enable(on);
            if (replay >= 0) {
                run.queue.cancel(replay);
            }
        } else if (!windowCounts) { // that would be the driver's fault, and end the window
            expectRefusal("an unbalanced enable", () -> line.enable(on));
        }
    }

    private void expectRefusal(String what, Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            return;
        }
        throw violation(what + " was taken");
    }

    /** A driver of one device. */
    private final class Driver implements IrqAction {
        private final int device;
        private int step;
        private boolean inThread;
        /** It was freed, and the line was quiet since: what it used may be gone. */
        private boolean gone;

        private IrqReturn result = IrqReturn.NONE;

        Driver(int device) {
            this.device = device;
        }

        @Override
        public long handlerStep(Cpu on) {
            if (step == 0) {
                require(active == null, "a handler begins beside another");
                require(on.online(), "a handler begins on " + on + ", which is offline");
                require(installed.contains(this), "a handler begins after it was freed");
                // Where nothing takes time, a wake-up on another CPU may disable the line just after the flow's last
                // look.
                boolean justNow = setup.has(Trait.COSTLESS) && setup.has(Trait.WAKES);
                require(
                        setup.has(Trait.SHARED) || justNow || line.depth() == 0,
                        "the handler of a disabled line begins");
                active = this;
                step = 1;
                return setup.handlerNs() / 2;
            }
            require(active == this, "a handler beside itself");
            if (step == 1) {
                step = 2;
                result = !unseen[device]
                        ? IrqReturn.NONE
                        : setup.has(Trait.THREADED) ? IrqReturn.WAKE_THREAD : IrqReturn.HANDLED;
                if (!setup.has(Trait.THREADED)) {
                    served(device);
                }
                if (disable) {
                    disable = false;
                    disable(on);
                }
                if (enable) {
                    enable = false;
                    enable(on);
                }
                return setup.handlerNs() / 2;
            }
            step = 0;
            active = null;
            return Routine.DONE;
        }

        @Override
        public IrqReturn result() {
            return result;
        }

        @Override
        public long threadStep(Cpu on) {
            require(on.online(), "a thread runs on " + on + ", which is offline");
            require(!gone, "a thread runs after its handler was freed and the line was quiet");
            require(
                    !setup.has(Trait.ONESHOT)
                            || setup.has(Trait.UNMASKABLE)
                            || setup.flow() == FlowType.EDGE
                            || line.masked(),
                    "a thread runs while its ONESHOT line is not masked");
            if (unseen[device]) {
                inThread = true;
                served(device);
                return setup.handlerNs();
            }
            inThread = false;
            return Routine.DONE;
        }
    }

    // ---- the policy

    @Override
    public boolean onHandled(IrqLine handled, PolicyCpu on) {
        boolean opened = openWindow && !suspended;
        if (opened) {
            openWindow = false;
            windowOpen = true;
            windowCounts = true;
            windowCpu = cpus.get(on.number());
            handled.moderate(on);
        }
        return opened;
    }

    @Override
    public void onCpuOffline(int cpu, PolicyCpu running) {
        if (windowOpen && windowCpu.number() == cpu) {
            closeWindow(running);
        }
    }

    @Override
    public void onSuspend(PolicyCpu running) {
        closeWindow(running);
    }

    private void closeWindow(PolicyCpu running) {
        if (windowOpen) {
            windowOpen = false;
            windowCounts = false;
            line.unmoderate(running);
        }
    }

    // ---- the administrator

    private void setAffinity(CpuMask mask) {
        boolean possible = !setup.has(Trait.MANAGED) && hotplug.firstOnline(mask) != null;
        boolean done;
        try {
            line.setAffinity(mask);
            done = true;
        } catch (IllegalStateException | IllegalArgumentException e) {
            done = false;
        }
        require(done == possible, "setting the affinity to " + mask + (done ? " was taken" : " was refused"));
    }

    private void unplug(int cpu) {
        if (cpus.get(cpu).online()) {
            hotplug.down(cpus.get(cpu));
        }
    }

    private void plugOne() {
        cpus.stream().filter(cpu -> !cpu.online()).findFirst().ifPresent(hotplug::up);
    }

    private void suspend() {
        if (!suspended) {
            suspended = true;
            boolean sleeps = !installed.isEmpty() && !setup.has(Trait.NO_SUSPEND);
            wakeUpArmed = sleeps && setup.has(Trait.WAKES);
            lineSuspended = sleeps && !setup.has(Trait.WAKES);
            interrupts.suspendDeviceIrqs(desk);
        }
    }

    private void resume() {
        if (suspended) {
            suspended = false;
            wakeUpArmed = false;
            lineSuspended = false;
            interrupts.resumeDeviceIrqs(desk);
        }
    }

    // ---- what always holds

    private boolean chipMasked() {
        return setup.wired() ? wire.masked : msi.masked;
    }

    private void check() {
        if (line.quiet()) {
            everInstalled.forEach(driver -> driver.gone |= !installed.contains(driver));
        }
        boolean wokeUp = wakeUpArmed && interrupts.wakeUps().contains(line);
        int depth = installed.isEmpty() ? 1 : driverDepth + (windowCounts ? 1 : 0) + (lineSuspended || wokeUp ? 1 : 0);
        require(line.depth() == depth, "the depth is " + line.depth() + " and should be " + depth);
        require(line.masked() == chipMasked(), "descriptor and chip disagree about the mask");
        maskedWhileDisabled = line.depth() > 0
                && (maskedWhileDisabled || !line.started() || (lineSuspended && setup.has(Trait.MASKED_ON_SUSPEND)));
        boolean reason = line.pending()
                || maskedWhileDisabled
                || installed.isEmpty()
                || !line.started()
                || !line.quiet()
                || (line.depth() > 0
                        && (setup.has(Trait.UNLAZY) || setup.has(Trait.ONESHOT) || setup.flow() == FlowType.LEVEL));
        require(!line.masked() || reason, "a line is masked without a reason");
        require(
                !(setup.has(Trait.UNLAZY) && installed.size() > 0 && line.depth() > 0 && !windowOpen)
                        || line.masked()
                        || wokeUp
                        || setup.has(Trait.UNMASKABLE),
                "a line that disables at once is not masked");
        require(line.inProgress() || (active == null && !windowOpen), "a handler or a window is not in progress");
        require(!line.started() || line.cpu().online(), "the line fires on " + line.cpu() + ", which is offline");
        boolean hasCpu =
                !setup.has(Trait.MANAGED) || cpus.get(0).online() || cpus.get(1).online();
        checkCounts();
        require(line.started() == hasCpu, "the line " + (hasCpu ? "has no cpu" : "has a cpu that is not its own"));
    }

    private void checkCounts() {
        long handled = 0;
        int vectors = 0;
        for (Cpu cpu : cpus) {
            handled += line.handled(cpu.number());
            for (Vector vector : cpu.deviceVectors()) {
                vectors += vector.name().equals("line") ? 1 : 0;
            }
        }
        require(handled == line.handled(), "the counts of the cpus do not add up");
        require(
                vectors <= 2 && vectors >= (line.started() ? 1 : 0),
                "the line has " + vectors + " vectors, more than where it is and where it was");
    }

    private void checkAtRest() {
        require(active == null && line.inProgress() == windowOpen, "a handler does not end");
        require(everInstalled.stream().noneMatch(driver -> driver.inThread), "a thread does not end");
        require(windowOpen || line.quiet(), "a line at rest is not quiet");
        if (unseen[0] || unseen[1]) {
            require(line.depth() > 0 || !line.started(), "an event of an enabled line was lost");
            require(line.pending() || waits(), "an event of a disabled line is not to be seen");
        }
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw violation(otherwise);
        }
    }

    private Violation violation(String what) {
        return new Violation("at " + run.queue.nowNs() + " ns " + what);
    }
}
