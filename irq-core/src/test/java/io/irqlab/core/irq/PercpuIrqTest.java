package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Interrupts that every CPU has for itself. */
final class PercpuIrqTest {
    private final TestMachine machine = new TestMachine(2);
    private final boolean[] running = new boolean[2];
    private final PercpuIrq pmu = machine.interrupts.allocatePercpu(23, "arm-pmu", on -> {
        running[on.number()] = !running[on.number()];
        machine.run.note((running[on.number()] ? "begins" : "ends") + " on " + on.number());
        return running[on.number()] ? 100 : -1;
    });

    @Test
    void theHandlerMayRunOnAllCpusAtOnce() {
        pmu.enable(machine.cpu(0));
        pmu.enable(machine.cpu(1));
        machine.run.at(100, () -> pmu.raise(machine.cpu(0)));
        machine.run.at(150, () -> pmu.raise(machine.cpu(1)));
        machine.run.until(10_000);
        assertThat(machine.run.log())
                .containsExactly("100 begins on 0", "150 begins on 1", "200 ends on 0", "250 ends on 1");
        assertThat(pmu.handled(0)).isEqualTo(1);
        assertThat(pmu.handled(1)).isEqualTo(1);
    }

    @Test
    void eachCpuEnablesItForItselfAndAnEventIsKeptUntilThen() {
        pmu.enable(machine.cpu(1));
        machine.run.at(100, () -> pmu.raise(machine.cpu(0)));
        machine.run.at(150, () -> pmu.raise(machine.cpu(0)));
        machine.run.at(500, () -> pmu.enable(machine.cpu(0)));
        machine.run.until(10_000);
        assertThat(machine.run.log()).containsExactly("500 begins on 0", "600 ends on 0");
    }

    @Test
    void afterItsDisableAnEventWaitsForTheNextEnable() {
        pmu.enable(machine.cpu(0));
        pmu.disable(machine.cpu(0));
        machine.run.at(100, () -> pmu.raise(machine.cpu(0)));
        machine.run.until(200);
        assertThat(machine.run.log()).isEmpty();
        pmu.enable(machine.cpu(0));
        machine.run.until(10_000);
        assertThat(machine.run.log()).containsExactly("200 begins on 0", "300 ends on 0");
    }

    @Test
    void anEventWhileTheHandlerRunsIsTakenAfterIt() {
        pmu.enable(machine.cpu(0));
        machine.run.at(100, () -> pmu.raise(machine.cpu(0)));
        machine.run.at(150, () -> pmu.raise(machine.cpu(0)));
        machine.run.at(160, () -> pmu.raise(machine.cpu(0)));
        machine.run.until(10_000);
        assertThat(pmu.handled(0)).isEqualTo(2);
    }

    @Test
    void enablingTwiceIsAnError() {
        pmu.enable(machine.cpu(0));
        assertThatIllegalStateException()
                .isThrownBy(() -> pmu.enable(machine.cpu(0)))
                .withMessage("irq 23 (arm-pmu) is enabled on cpu 0 already");
    }

    @Test
    void anEventForAnOfflineCpuIsTakenWhenItIsBack() {
        pmu.enable(machine.cpu(1));
        machine.run.at(100, () -> machine.hotplug.down(machine.cpu(1)));
        machine.run.at(200, () -> pmu.raise(machine.cpu(1)));
        machine.run.at(900, () -> machine.hotplug.up(machine.cpu(1)));
        machine.run.until(10_000);
        assertThat(machine.run.log()).containsExactly("900 begins on 1", "1000 ends on 1");
    }

    @Test
    void numbersAreUsedOnce() {
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.interrupts.allocatePercpu(23, "other", on -> -1))
                .withMessage("irq 23 is in use");
        assertThatIllegalStateException()
                .isThrownBy(() -> machine.line(23, "other", new FakeChip(machine.run, FlowType.EDGE), 0))
                .withMessage("irq 23 is in use");
        assertThat(machine.cpu(0).deviceVectors()).hasSize(1);
        assertThat(pmu.irq()).isEqualTo(23);
        assertThat(pmu.name()).isEqualTo("arm-pmu");
    }
}
