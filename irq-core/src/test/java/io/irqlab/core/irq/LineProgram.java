package io.irqlab.core.irq;

import io.irqlab.core.engine.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A short program of what devices, their drivers, a policy and an administrator do to one line. A program that fails can be
 * shrunk to one that a person can read.
 *
 * @param setup the line
 * @param steps what is done
 */
record LineProgram(LineSetup setup, List<Step> steps) {

    /** What is done. */
    enum Op {
        EVENT,
        EVENT_OF_THE_OTHER_DEVICE,
        RAISE_WITHOUT_EVENT,
        CPU_IS_BUSY,
        DISABLE,
        ENABLE,
        NEXT_HANDLER_DISABLES,
        NEXT_HANDLER_ENABLES,
        NEXT_HANDLED_OPENS_WINDOW,
        CLOSE_WINDOW,
        AFFINITY_0,
        AFFINITY_1,
        AFFINITY_2,
        AFFINITY_0_TO_2,
        UNPLUG_0,
        UNPLUG_1,
        UNPLUG_2,
        PLUG_ONE,
        SUSPEND,
        RESUME,
        FREE_FIRST,
        FREE_LAST,
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

    /** What is wrong with the hardware, so that the checks can be seen to fail. */
    enum Defect {
        NONE,
        /** An event within 2 us of the last message is lost. */
        DEAF_DEVICE,
        /** What the device keeps for a masked vector is lost when the vector moves. */
        FORGETFUL_DEVICE,
        /** The chip does not mask. */
        LEAKY_MASK,
        /** The message by which another CPU triggers a remembered event again is lost. */
        LOST_REPLAY
    }

    static LineProgram random(long seed) {
        RandomStream random = RandomStream.of(seed, "line-program");
        LineSetup setup = LineSetup.random(random);
        var steps = new ArrayList<Step>();
        Op[] ops = Op.values();
        for (int i = random.nextInt(30); i >= 0; i--) {
            Op op = random.nextInt(3) == 0 ? Op.EVENT : ops[random.nextInt(ops.length)];
            steps.add(new Step(random.nextInt(4) == 0 ? 0 : random.nextLong(3_000), op));
        }
        return new LineProgram(setup, List.copyOf(steps));
    }

    /**
     * Runs the program.
     *
     * @param defect what is wrong with the hardware
     * @return what went wrong, if anything
     */
    Optional<String> run(Defect defect) {
        try {
            new LineMachine(this, defect).run();
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e instanceof LineMachine.Violation ? e.getMessage() : e.toString());
        }
    }

    /** Leaves out steps, many or few together, then delays, then what is special about the line, as long as the program still fails. */
    LineProgram shrunk(Defect defect) {
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
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).delayNs() > 0) {
                var sooner = new ArrayList<>(steps);
                sooner.set(i, new Step(0, steps.get(i).op()));
                var quicker = new LineProgram(setup, List.copyOf(sooner));
                if (quicker.run(defect).isPresent()) {
                    return quicker.shrunk(defect);
                }
            }
        }
        for (LineSetup simpler : setup.simpler()) {
            var plainer = new LineProgram(simpler, steps);
            if (plainer.run(defect).isPresent()) {
                return plainer.shrunk(defect);
            }
        }
        return this;
    }

    @Override
    public String toString() {
        return steps.stream()
                .map(Step::toString)
                .collect(Collectors.joining(
                        "\n  ",
                        "%s line, traits %s, messages travel %d ns, handlers run %d ns%n  "
                                .formatted(setup.flow(), setup.traits(), setup.messageNs(), setup.handlerNs()),
                        ""));
    }
}
