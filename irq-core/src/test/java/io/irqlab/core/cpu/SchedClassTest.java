package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Stop before fifo by priority before fair. */
final class SchedClassTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(0, run.queue, TestCosts.free());

    @Test
    void aTaskOfAHigherClassOrPriorityPreemptsAtOnceInTheMiddleOfAStep() {
        Task.fair(cpu, "fair", run.script("fair").step(1_000)).start();
        run.at(
                100,
                () -> Task.fifo(cpu, "fifo1", 1, run.script("fifo1").step(1_000))
                        .start());
        run.at(
                200,
                () -> Task.fifo(cpu, "fifo99", 99, run.script("fifo99").step(1_000))
                        .start());
        run.at(300, () -> Task.stop(cpu, "stop", run.script("stop").step(1_000)).start());
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 fair",
                        "100 fifo1",
                        "200 fifo99",
                        "300 stop",
                        "1300 stop done",
                        "2200 fifo99 done",
                        "3100 fifo1 done",
                        "4000 fair done");
        assertThat(cpu.contextSwitches()).isEqualTo(7);
    }

    @Test
    void aTaskOfALowerClassOrPriorityWaitsUntilAllHigherOnesSleep() {
        Task.stop(cpu, "stop", run.script("stop").step(1_000)).start();
        run.at(100, () -> Task.fair(cpu, "fair", run.script("fair").step(1_000)).start());
        run.at(
                200,
                () -> Task.fifo(cpu, "fifo1", 1, run.script("fifo1").step(1_000))
                        .start());
        run.at(
                300,
                () -> Task.fifo(cpu, "fifo99", 99, run.script("fifo99").step(1_000))
                        .start());
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 stop",
                        "1000 stop done",
                        "1000 fifo99",
                        "2000 fifo99 done",
                        "2000 fifo1",
                        "3000 fifo1 done",
                        "3000 fair",
                        "4000 fair done");
        assertThat(cpu.contextSwitches()).isEqualTo(4);
    }

    @Test
    void equalFifoTasksRunInTheOrderOfTheirArrivalEachUntilItSleeps() {
        for (String name : new String[] {"a", "b", "c"}) {
            Task.fifo(cpu, name, 50, run.script(name).step(5_000_000).step(5_000_000))
                    .start();
        }
        run.until(100_000_000);

        assertThat(run.log())
                .containsExactly(
                        "0 a",
                        "5000000 a 2",
                        "10000000 a done",
                        "10000000 b",
                        "15000000 b 2",
                        "20000000 b done",
                        "20000000 c",
                        "25000000 c 2",
                        "30000000 c done");
    }

    @Test
    void aPreemptedFifoTaskKeepsItsTurnBeforeEqualsThatWait() {
        Task.fifo(cpu, "first", 50, run.script("first").step(1_000)).start();
        run.at(
                100,
                () -> Task.fifo(cpu, "second", 50, run.script("second").step(1_000))
                        .start());
        run.at(
                200,
                () -> Task.fifo(cpu, "high", 51, run.script("high").step(300)).start());
        run.at(
                300,
                () -> Task.fifo(cpu, "third", 50, run.script("third").step(1_000))
                        .start());
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 first",
                        "200 high",
                        "500 high done",
                        "1300 first done",
                        "1300 second",
                        "2300 second done",
                        "2300 third",
                        "3300 third done");
    }

    @Test
    void anEqualStopOrFifoTaskDoesNotPreempt() {
        Task.stop(cpu, "first", run.script("first").step(1_000)).start();
        run.at(
                100,
                () -> Task.stop(cpu, "second", run.script("second").step(1_000)).start());
        run.at(
                5_000,
                () -> Task.fifo(cpu, "third", 50, run.script("third").step(1_000))
                        .start());
        run.at(
                5_100,
                () -> Task.fifo(cpu, "fourth", 50, run.script("fourth").step(1_000))
                        .start());
        run.until(10_000);

        assertThat(run.log())
                .containsExactly(
                        "0 first",
                        "1000 first done",
                        "1000 second",
                        "2000 second done",
                        "5000 third",
                        "6000 third done",
                        "6000 fourth",
                        "7000 fourth done");
    }

    @Test
    void aTaskThatWakesAHigherOneIsPreemptedBeforeItsStepsTimePasses() {
        Task high = Task.fifo(cpu, "high", 1, run.script("high").step(300));
        Task.fair(cpu, "low", run.script("low").step(1_000, on -> high.wake(on)).step(1_000))
                .start();
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 low", "0 high", "300 high done", "1300 low 2", "2300 low done");
    }

    @Test
    void butItLeavesFirstIfThatStepWasItsLast() {
        Task high = Task.fifo(cpu, "high", 1, run.script("high").step(300));
        Task.fair(cpu, "low", run.script("low").end(on -> {
                    high.wake(on);
                    on.spend(50);
                }))
                .start();
        run.until(10_000);

        assertThat(run.log()).containsExactly("0 low done", "50 high", "350 high done");
    }

    @Test
    void aTaskThatIsPreemptedWhileItIsSwitchedInIsSwitchedInAgain() {
        Cpu costly = new Cpu(1, run.queue, costs().contextSwitch(1_000).build());
        Task.fair(costly, "low", run.script("low").step(500)).start();
        run.at(
                400,
                () -> Task.fifo(costly, "high", 1, run.script("high").step(300)).start());
        run.until(10_000);

        assertThat(run.log()).containsExactly("1400 high", "1700 high done", "2700 low", "3200 low done");
        assertThat(costly.contextSwitches()).isEqualTo(3);
        assertThat(costly.times().systemNs()).isEqualTo(3_200);
    }

    @Test
    void theRestOfAStepSurvivesPreemptionInTheSwitchBackToIt() {
        Cpu costly = new Cpu(1, run.queue, costs().contextSwitch(1_000).build());
        Task high = Task.fifo(costly, "high", 1, run.script("high").step(300));
        Task.fair(costly, "low", run.script("low").step(500)).start();
        run.at(1_200, () -> high.start());
        run.at(3_000, () -> high.start());
        run.until(10_000);

        // Low runs from 1000, has 300 ns left at 1200; its switch back, from 2500, is cut short at 3000.
        assertThat(run.log())
                .containsExactly(
                        "1000 low", "2200 high", "2500 high done", "4000 high", "4300 high done", "5600 low done");
    }

    @Test
    void anInterruptDuringAContextSwitchDelaysIt() {
        Cpu costly = new Cpu(1, run.queue, costs().contextSwitch(1_000).build());
        Vector vector = costly.allocateVector("irq", run.script("irq").step(300));
        Task.fair(costly, "task", run.script("task").step(500)).start();
        run.at(400, () -> costly.raise(vector));
        run.until(10_000);

        assertThat(run.log()).containsExactly("400 irq", "700 irq done", "1300 task", "1800 task done");
        assertThat(costly.contextSwitches()).isEqualTo(1);
    }

    @Test
    void manyTasksWaitInTheirOrder() {
        Task.fifo(cpu, "0", 50, run.script("0").step(1_000)).start();
        for (int i = 1; i < 20; i++) {
            String name = "" + i;
            run.at(
                    i,
                    () -> Task.fifo(cpu, name, 50, run.script(name).step(1_000)).start());
            run.at(i, () -> Task.stop(cpu, "stop", on -> Routine.DONE).start()); // puts task 0 back each time
        }
        run.until(100_000);

        assertThat(run.log().stream().filter(entry -> !entry.contains("done")))
                .containsExactly(IntStream.range(0, 20)
                        .mapToObj(i -> i * 1_000 + " " + i)
                        .toArray(String[]::new));
    }

    @Test
    void fifoPrioritiesAre1To99() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Task.fifo(cpu, "task", 0, on -> Routine.DONE))
                .withMessage("fifo priority must be 1 to 99, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Task.fifo(cpu, "task", 100, on -> Routine.DONE))
                .withMessage("fifo priority must be 1 to 99, was 100");
    }
}
