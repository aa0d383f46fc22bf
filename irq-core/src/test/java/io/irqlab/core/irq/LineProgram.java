package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.CpuHotplug;
import io.irqlab.core.cpu.CpuMask;
import io.irqlab.core.cpu.HrTimer;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.engine.EventQueue;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A short program of what devices, drivers, a flow policy and an administrator do to one line of a machine of three CPUs, with
 * the checks that hold for each. A program that fails can be shrunk to one that a person can read.
 *
 * @param setup what the line is like
 * @param steps what is done
 */
record LineProgram(Setup setup, List<Step> steps) {

    /**
     * A line with its handlers.
     *
     * @param flow how it flows
     * @param handlers one, or two that share it
     * @param threaded whether they reap in their threads
     * @param oneshot whether it stays masked for these
     * @param atOnce whether disabling masks at once
     * @param managed whether it fires on the first of CPUs 1 and 2 that is online, and nowhere else
     * @param messageNs how long a message travels
     * @param handlerNs how long a handler runs
     */
    record Setup(
            FlowType flow,
            int handlers,
            boolean threaded,
            boolean oneshot,
            boolean atOnce,
            boolean managed,
            long messageNs,
            long handlerNs) {}

    /** What is done to the line. */
    enum Op {
        EVENT,
        EVENT_OF_THE_OTHER_DEVICE,
        DISABLE,
        ENABLE,
        NEXT_HANDLER_DISABLES,
        NEXT_HANDLER_ENABLES,
        NEXT_HANDLED_OPENS_WINDOW,
        MOVE_TO_CPU_0,
        MOVE_TO_CPU_1,
        MOVE_TO_CPU_2,
        UNPLUG_CPU_1,
        UNPLUG_CPU_2,
        REPLUG_CPU_1,
        REPLUG_CPU_2,
        SUSPEND,
        RESUME,
        FREE,
        REQUEST,
        REST
    }

    /** A step, some time after the one before. */
    record Step(long delayNs, Op op) {
        @Override
        public String toString() {
            return "+" + delayNs + " " + op;
        }
    }

    static LineProgram random(long seed) {
        RandomStream random = RandomStream.of(seed, "line-program");
        var steps = new ArrayList<Step>();
        Op[] ops = Op.values();
        for (int i = random.nextInt(40); i >= 0; i--) {
            Op op = random.nextInt(3) == 0 ? Op.EVENT : ops[random.nextInt(ops.length)];
            steps.add(new Step(random.nextInt(4) == 0 ? 0 : random.nextLong(3_000), op));
        }
        boolean threaded = random.nextInt(3) == 0;
        FlowType flow = FlowType.values()[random.nextInt(3)];
        // A level that only the thread ends must stay masked until then, or it starves the thread.
        boolean oneshot = threaded && (flow == FlowType.LEVEL || random.nextInt(2) == 0);
        var setup = new Setup(
                flow,
                1 + random.nextInt(2),
                threaded,
                oneshot,
                random.nextInt(2) == 0,
                random.nextInt(3) == 0,
                random.nextInt(2) * 700L,
                random.nextLong(1_500));
        return new LineProgram(setup, List.copyOf(steps));
    }

    /**
     * Runs the program.
     *
     * @param defect what is broken in the chip, to see a failure
     * @return what went wrong, if anything
     */
    Optional<String> run(TestSource.Defect defect) {
        try {
            new Machine(this, defect).run();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Leaves out steps, many or few together, as long as the program still fails. */
    LineProgram shrunk(TestSource.Defect defect) {
        for (int count = steps.size() / 2; count > 0; count--) {
            for (int from = 0; from + count <= steps.size(); from++) {
                var fewer = new ArrayList<>(steps);
                fewer.subList(from, from + count).clear();
                var shorter = new LineProgram(setup, List.copyOf(fewer));
                if (shorter.run(defect).isPresent()) {
                    return shorter.shrunk(defect);
                }
            }
        }
        return this;
    }

    /** The line with everything around it. */
    private static final class Machine implements FlowPolicy {
        private static final CpuCosts COSTS = costs().hardirq(300, 200)
                .timer(50, 100)
                .contextSwitch(400)
                .wakeup(100)
                .ipi(250)
                .idleExit(350)
                .build();
        private static final long LONG_NS = 1_000_000;
        private static final long WINDOW_NS = 5_000;

        private final LineProgram program;
        private final Setup setup;
        private final EventQueue queue = new EventQueue(64, 256);
        private final List<Cpu> cpus =
                List.of(new Cpu(0, queue, COSTS), new Cpu(1, queue, COSTS), new Cpu(2, queue, COSTS));
        private final CpuHotplug hotplug = new CpuHotplug(cpus);
        private final Interrupts interrupts =
                new Interrupts(hotplug, queue, this, report -> require(false, "nobody cared for a healthy line"));
        private final TestSource source;
        private final IrqDescriptor line;
        private final List<Driver> drivers = new ArrayList<>();
        private final List<HrTimer> windowEnds = new ArrayList<>();
        private final boolean[] unplugRequested = new boolean[3];

        private int running;
        private int driverDepth;
        private int windowOnCpu = -1;
        private boolean openWindow;
        private boolean disable;
        private boolean enable;
        private boolean suspended;
        private boolean disabledBySuspend;
        private boolean freed;
        private boolean accepted;

        Machine(LineProgram program, TestSource.Defect defect) {
            this.program = program;
            this.setup = program.setup;
            this.source = new TestSource(queue, setup.flow, setup.atOnce, setup.messageNs, defect);
            this.line = setup.managed
                    ? interrupts.allocateManaged(7, "line", setup.flow, source, CpuMask.of(1, 2))
                    : interrupts.allocate(7, "line", setup.flow, source, CpuMask.of(1));
            source.connect(line);
            for (int i = 0; i < setup.handlers; i++) {
                drivers.add(new Driver());
            }
            cpus.forEach(cpu -> windowEnds.add(new HrTimer(cpu, on -> closeWindow(cpu.number(), on))));
        }

        private Cpu elsewhere() {
            return cpus.get(0);
        }

        void run() {
            request();
            for (Step step : program.steps) {
                runFor(step.delayNs);
                check();
                act(step.op);
                check();
            }
            settle();
            runFor(LONG_NS);
            check();
            checkAtRest();
            require(line.depth() == 0 && !line.pending() && !line.masked(), "a line that is enabled is not free");
            require(!source.hasSomething(), "the chip of an enabled line at rest has an event");
            require(line.quiet(), "a line at rest is not quiet");
        }

        /** Undoes everything that may keep an event from its handler. */
        private void settle() {
            openWindow = false;
            disable = false;
            enable = false;
            runFor(LONG_NS);
            for (int cpu = 1; cpu < 3; cpu++) {
                replug(cpu);
            }
            if (suspended) {
                resume();
            }
            runFor(LONG_NS);
            if (freed) {
                require(line.quiet(), "a line without handlers does not become quiet");
                request();
            }
            while (driverDepth > 0) {
                driverDepth--;
                line.enable(elsewhere());
            }
        }

        private void runFor(long ns) {
            queue.runUntil(queue.nowNs() + ns);
        }

        private void act(Op op) {
            accepted = line.inProgress() && running == 0 && windowOnCpu < 0;
            switch (op) {
                case EVENT -> event(0);
                case EVENT_OF_THE_OTHER_DEVICE -> event(drivers.size() - 1);
                case DISABLE -> {
                    if (!freed) {
                        driverDepth++;
                        line.disable(elsewhere());
                    }
                }
                case ENABLE -> enable(elsewhere());
                case NEXT_HANDLER_DISABLES -> disable = true;
                case NEXT_HANDLER_ENABLES -> enable = true;
                case NEXT_HANDLED_OPENS_WINDOW -> openWindow = true;
                case MOVE_TO_CPU_0 -> move(0);
                case MOVE_TO_CPU_1 -> move(1);
                case MOVE_TO_CPU_2 -> move(2);
                case UNPLUG_CPU_1 -> unplug(1);
                case UNPLUG_CPU_2 -> unplug(2);
                case REPLUG_CPU_1 -> replug(1);
                case REPLUG_CPU_2 -> replug(2);
                case SUSPEND -> {
                    if (!suspended) {
                        suspended = true;
                        interrupts.suspendDeviceIrqs(elsewhere());
                        disabledBySuspend = !freed;
                    }
                }
                case RESUME -> {
                    if (suspended) {
                        resume();
                    }
                }
                case FREE -> free();
                case REQUEST -> {
                    if (freed && !suspended && line.quiet()) {
                        request();
                    }
                }
                case REST -> {
                    runFor(LONG_NS);
                    checkAtRest();
                }
            }
        }

        private void event(int device) {
            drivers.get(device).unseen++;
            source.event();
        }

        private void enable(Cpu on) {
            if (driverDepth > 0) {
                driverDepth--;
                line.enable(on);
                return;
            }
            if (line.depth() > 0) {
                return; // that would be the driver's fault, and undo what another has disabled
            }
            boolean refused = false;
            try {
                line.enable(on);
            } catch (IllegalStateException e) {
                refused = true;
            }
            require(refused, "an unbalanced enable was taken");
        }

        private void move(int cpu) {
            if (!setup.managed && cpus.get(cpu).online()) {
                line.setAffinity(CpuMask.of(cpu));
            }
        }

        private void unplug(int cpu) {
            if (cpus.get(cpu).online() && !unplugRequested[cpu]) {
                unplugRequested[cpu] = true;
                hotplug.down(cpus.get(cpu));
            }
        }

        private void replug(int cpu) {
            if (!cpus.get(cpu).online()) {
                unplugRequested[cpu] = false;
                hotplug.up(cpus.get(cpu));
            }
        }

        private void resume() {
            interrupts.resumeDeviceIrqs(elsewhere());
            suspended = false;
            disabledBySuspend = false;
        }

        private void free() {
            if (freed) {
                return;
            }
            freed = true;
            disabledBySuspend = false;
            driverDepth = 0;
            boolean came = line.inProgress() && windowOnCpu < 0;
            drivers.forEach(driver -> line.freeIrq(driver, elsewhere()));
            if (came) {
                // Their interrupt has come; those whose turn had not are not called any more.
                drivers.forEach(driver -> driver.unseen = 0);
                source.deassert();
            }
        }

        private void request() {
            freed = false;
            for (Driver driver : drivers) {
                var flags = new ArrayList<IrqFlag>();
                if (setup.threaded) {
                    flags.add(IrqFlag.THREADED);
                }
                if (setup.oneshot) {
                    flags.add(IrqFlag.ONESHOT);
                }
                if (setup.handlers > 1) {
                    flags.add(IrqFlag.SHARED);
                }
                line.requestIrq(driver, elsewhere(), flags.toArray(IrqFlag[]::new));
            }
        }

        // ---- the policy

        @Override
        public boolean onHandled(IrqLine handled, PolicyCpu on) {
            if (!openWindow || suspended) {
                return false;
            }
            openWindow = false;
            windowOnCpu = on.number();
            handled.moderate(on);
            windowEnds.get(on.number()).arm((Cpu) on, WINDOW_NS, 0);
            return true;
        }

        private void closeWindow(int cpu, Cpu on) {
            if (cpu >= 0 && windowOnCpu == cpu) {
                windowOnCpu = -1;
                windowEnds.get(cpu).cancel();
                line.unmoderate(on);
            }
        }

        @Override
        public void onCpuOffline(int cpu, PolicyCpu on) {
            closeWindow(cpu, (Cpu) on);
        }

        @Override
        public void onSuspend(PolicyCpu on) {
            closeWindow(windowOnCpu, (Cpu) on);
        }

        // ---- what always holds

        private void check() {
            int depth = freed ? 1 : driverDepth + (windowOnCpu >= 0 ? 1 : 0) + (disabledBySuspend ? 1 : 0);
            require(line.depth() == depth, "the depth is " + line.depth() + " and should be " + depth);
            require(line.masked() == source.masked, "descriptor and chip disagree about the mask");
            require(line.inProgress() || (running == 0 && windowOnCpu < 0), "a handler runs that is not in progress");
            int vectors =
                    cpus.stream().mapToInt(cpu -> cpu.deviceVectors().size()).sum();
            require(vectors <= 2, "the line has " + vectors + " vectors");
            require(
                    line.handled(0) + line.handled(1) + line.handled(2) == line.handled(),
                    "the counts of the CPUs do not add up");
        }

        private void checkAtRest() {
            require(running == 0, "a handler does not end");
            for (Driver driver : drivers) {
                require(
                        driver.unseen == 0 || line.depth() > 0 || !line.started(),
                        "an event of an enabled line was lost");
                require(
                        driver.unseen == 0 || line.pending() || source.hasSomething(),
                        "an event of a line that is off is not to be seen");
            }
        }

        private void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new IllegalStateException("at " + queue.nowNs() + " ns " + otherwise);
            }
        }

        /** One device's driver. */
        private final class Driver implements IrqAction {
            private int unseen;
            private int step;
            private int threadSteps;
            private IrqReturn result = IrqReturn.NONE;

            @Override
            public long handlerStep(Cpu on) {
                switch (step) {
                    case 0 -> {
                        running++;
                        require(running == 1, "handlers of the line run beside each other");
                        require(on.online(), "a handler runs on a CPU that is offline");
                        // One that shares the line is called even if the one before it has disabled the line.
                        // So is one whose interrupt was accepted just before somebody disabled the line.
                        require(
                                line.depth() == 0 || drivers.get(0) != this || accepted,
                                "the handler of a disabled line begins");
                        accepted = false;
                        require(!freed, "a handler begins that was freed");
                        step = 1;
                        return program.setup.handlerNs / 2;
                    }
                    case 1 -> {
                        step = 2;
                        result = unseen == 0 ? IrqReturn.NONE : IrqReturn.HANDLED;
                        if (setup.threaded) {
                            result = IrqReturn.WAKE_THREAD;
                        } else {
                            look();
                        }
                        if (disable && !freed) {
                            disable = false;
                            driverDepth++;
                            line.disable(on);
                        }
                        if (enable && !freed) {
                            enable = false;
                            enable(on);
                        }
                        return program.setup.handlerNs / 2;
                    }
                    default -> {
                        require(step == 2, "a handler beside itself");
                        step = 0;
                        running--;
                        return Routine.DONE;
                    }
                }
            }

            private void look() {
                unseen = 0;
                if (drivers.stream().allMatch(driver -> driver.unseen == 0)) {
                    source.deassert();
                }
            }

            @Override
            public IrqReturn result() {
                return result;
            }

            @Override
            public long threadStep(Cpu on) {
                require(on.online(), "a thread runs on a CPU that is offline");
                threadSteps++;
                if (threadSteps == 1) {
                    look();
                    return program.setup.handlerNs;
                }
                threadSteps = 0;
                return Routine.DONE;
            }
        }
    }
}
