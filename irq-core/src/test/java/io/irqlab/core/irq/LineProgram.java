package io.irqlab.core.irq;

import static io.irqlab.core.cpu.TestCosts.costs;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.CpuCosts;
import io.irqlab.core.cpu.Routine;
import io.irqlab.core.cpu.Timeline;
import io.irqlab.core.engine.RandomStream;
import io.irqlab.core.spi.FlowPolicy;
import io.irqlab.core.spi.IrqLine;
import io.irqlab.core.spi.PolicyCpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A short program of what a device, its driver and a policy do to one line, with the checks that hold for each. A program
 * that fails can be shrunk to one that a person can read.
 *
 * @param threaded whether the driver reaps in its irq thread
 * @param messageNs how long a message of the device travels
 * @param handlerNs how long the handler runs
 * @param steps what is done
 */
record LineProgram(boolean threaded, long messageNs, long handlerNs, List<Step> steps) {

    /** What is done to the line. */
    enum Op {
        EVENT,
        DISABLE,
        ENABLE,
        NEXT_HANDLER_DISABLES,
        NEXT_HANDLER_ENABLES,
        NEXT_HANDLED_OPENS_WINDOW,
        CLOSE_WINDOW,
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
        for (int i = random.nextInt(30); i >= 0; i--) {
            Op op = random.nextInt(3) == 0 ? Op.EVENT : ops[random.nextInt(ops.length)];
            steps.add(new Step(random.nextInt(4) == 0 ? 0 : random.nextLong(3_000), op));
        }
        return new LineProgram(
                random.nextInt(3) == 0, random.nextInt(2) * 700L, random.nextLong(1_500), List.copyOf(steps));
    }

    /**
     * Runs the program.
     *
     * @param deafNs for how long the device loses events after each message, to see a failure; 0 if it is to work
     * @return what went wrong, if anything
     */
    Optional<String> run(long deafNs) {
        try {
            new Machine(this, deafNs).run();
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    /** Leaves out steps, many or few together, as long as the program still fails. */
    LineProgram shrunk(long deafNs) {
        for (int count = steps.size() / 2; count > 0; count--) {
            for (int from = 0; from + count <= steps.size(); from++) {
                var fewer = new ArrayList<>(steps);
                fewer.subList(from, from + count).clear();
                var shorter = new LineProgram(threaded, messageNs, handlerNs, List.copyOf(fewer));
                if (shorter.run(deafNs).isPresent()) {
                    return shorter.shrunk(deafNs);
                }
            }
        }
        return this;
    }

    /** The line with everything around it. */
    private static final class Machine implements IrqAction, FlowPolicy {
        private static final CpuCosts COSTS = costs().hardirq(300, 200)
                .contextSwitch(400)
                .ipi(250)
                .idleExit(350)
                .build();
        private static final long LONG_NS = 1_000_000;

        private final LineProgram program;
        private final Timeline run = new Timeline();
        private final Cpu cpu = new Cpu(0, run.queue, COSTS);
        private final Cpu other = new Cpu(1, run.queue, COSTS);
        private final FakeMsi msi = new FakeMsi(run);
        private final IrqDescriptor line = TestInterrupts.edge(run.queue, 1, "line", cpu, msi, this);

        private int events;
        private int unseenEvents;
        private int driverDepth;
        private boolean windowOpen;
        private boolean openWindow;
        private boolean disable;
        private boolean enable;
        private int handlerStep;

        Machine(LineProgram program, long deafNs) {
            this.program = program;
            msi.connect(line);
            msi.deafNs = deafNs;
            msi.messageNs = program.messageNs;
            msi.maskNs = 150;
        }

        void run() {
            line.requestIrq(this, other, IrqFlag.THREADED);
            for (Step step : program.steps) {
                run.until(run.queue.nowNs() + step.delayNs);
                check();
                act(step.op);
                check();
            }
            openWindow = false;
            disable = false;
            enable = false;
            closeWindow();
            while (driverDepth > 0) {
                driverDepth--;
                line.enable(other);
            }
            run.until(run.queue.nowNs() + LONG_NS);
            check();
            checkAtRest();
            require(line.depth() == 0 && !line.pending() && !msi.pending, "an enabled line at rest has an event");
            require(events == 0 || line.handled() > 0, "no event was handled");
        }

        private void act(Op op) {
            switch (op) {
                case EVENT -> {
                    newEvent();
                    msi.event();
                }
                case DISABLE -> {
                    driverDepth++;
                    line.disable(other);
                }
                case ENABLE -> enable(other);
                case NEXT_HANDLER_DISABLES -> disable = true;
                case NEXT_HANDLER_ENABLES -> enable = true;
                case NEXT_HANDLED_OPENS_WINDOW -> openWindow = true;
                case CLOSE_WINDOW -> closeWindow();
                case REST -> {
                    run.until(run.queue.nowNs() + LONG_NS);
                    checkAtRest();
                }
            }
        }

        private void newEvent() {
            events++;
            unseenEvents++;
        }

        private void enable(Cpu on) {
            if (driverDepth > 0) {
                driverDepth--;
                line.enable(on);
                return;
            }
            if (windowOpen) {
                return; // that would be the driver's fault, and end the window
            }
            boolean refused = false;
            try {
                line.enable(on);
            } catch (IllegalStateException e) {
                refused = true;
            }
            require(refused, "an unbalanced enable was taken");
        }

        private void closeWindow() {
            if (windowOpen) {
                windowOpen = false;
                line.unmoderate(cpu);
            }
        }

        // ---- the policy and the driver

        @Override
        public boolean onHandled(IrqLine handled, PolicyCpu on) {
            boolean opened = openWindow;
            if (opened) {
                openWindow = false;
                windowOpen = true;
                handled.moderate(on);
            }
            return opened;
        }

        @Override
        public long handlerStep(Cpu on) {
            switch (handlerStep) {
                case 0 -> {
                    require(on == cpu, "the handler runs on another cpu");
                    require(line.depth() == 0, "the handler of a disabled line begins");
                    handlerStep = 1;
                    return program.handlerNs / 2;
                }
                case 1 -> {
                    handlerStep = 2;
                    if (!program.threaded) {
                        unseenEvents = 0;
                    }
                    if (disable) {
                        disable = false;
                        driverDepth++;
                        line.disable(on);
                    }
                    if (enable) {
                        enable = false;
                        enable(on);
                    }
                    return program.handlerNs / 2;
                }
                default -> {
                    require(handlerStep == 2, "a handler beside itself");
                    handlerStep = 0;
                    return Routine.DONE;
                }
            }
        }

        @Override
        public IrqReturn result() {
            return program.threaded ? IrqReturn.WAKE_THREAD : IrqReturn.HANDLED;
        }

        @Override
        public long threadStep(Cpu on) {
            if (unseenEvents > 0) {
                unseenEvents = 0;
                return program.handlerNs;
            }
            return Routine.DONE;
        }

        // ---- what always holds

        private void check() {
            int depth = driverDepth + (windowOpen ? 1 : 0);
            require(line.depth() == depth, "the depth is " + line.depth() + " and should be " + depth);
            require(line.masked() == msi.masked, "descriptor and chip disagree about the mask");
            require(!line.masked() || line.pending(), "a line is masked without a reason");
            boolean inProgress = handlerStep > 0 || windowOpen;
            require(line.inProgress() == inProgress, "in progress should be " + inProgress);
        }

        private void checkAtRest() {
            require(handlerStep == 0, "a handler does not end");
            if (unseenEvents > 0) {
                require(line.depth() > 0, "an event of an enabled line was lost");
                require(line.pending() || msi.pending, "an event of a disabled line is not to be seen");
            }
        }

        private void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new IllegalStateException("at " + run.queue.nowNs() + " ns " + otherwise);
            }
        }
    }
}
