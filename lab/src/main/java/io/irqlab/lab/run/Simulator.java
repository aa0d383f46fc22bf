package io.irqlab.lab.run;

import static java.util.Objects.requireNonNull;

import io.irqlab.core.LatencyRecorder;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.lab.scenario.InvalidInputException;
import io.irqlab.lab.scenario.PolicyChange;
import io.irqlab.lab.scenario.Scenario;
import io.irqlab.model.machine.Machine;
import io.irqlab.model.machine.RunStatistics;
import io.irqlab.model.workload.FioSyntaxException;
import java.util.List;

/** Runs a scenario once. Called from several threads at a time, each for a run of its own. */
@FunctionalInterface
public interface Simulator {

    /**
     * Runs a scenario.
     *
     * @param scenario machine, load and times
     * @param policy the policies
     * @param seed of all randomness
     * @param recorders takers of the latencies, one for each drive
     * @return what the measured part of the run counted
     * @throws InvalidInputException if the scenario's files do not fit together
     */
    RunStatistics run(Scenario scenario, PolicyStack policy, long seed, List<? extends LatencyRecorder> recorders);

    /**
     * Returns the simulator of the machine model.
     *
     * @return the simulator
     */
    static Simulator ofModel() {
        return Simulator::runMachine;
    }

    private static RunStatistics runMachine(
            Scenario scenario, PolicyStack policy, long seed, List<? extends LatencyRecorder> recorders) {
        Machine machine;
        try {
            machine = Machine.assemble(
                    scenario.machine(),
                    scenario.jobs(),
                    policy,
                    PolicyChange.ofStack(scenario.changes(), policy),
                    seed,
                    recorders);
        } catch (FioSyntaxException e) {
            throw new InvalidInputException(requireNonNull(e.getMessage()));
        }
        return machine.run(scenario.warmupNs(), scenario.durationNs());
    }
}
