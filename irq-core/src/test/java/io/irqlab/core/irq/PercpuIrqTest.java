package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import org.junit.jupiter.api.Test;

/** An interrupt that every CPU has for itself. */
final class PercpuIrqTest {
    private final LineRig rig = new LineRig(2);
    private final boolean[] begun = new boolean[2];
    private final PercpuIrq pmu = rig.interrupts.allocatePercpu(16, "pmu", this::step);

    private long step(Cpu on) {
        begun[on.number()] = !begun[on.number()];
        rig.run.note((begun[on.number()] ? "pmu on " : "done on ") + on.number());
        return begun[on.number()] ? 1_000 : Routine.DONE;
    }

    @Test
    void theHandlerMayRunOnAllCpusAtOnce() {
        pmu.enable(rig.cpu(0));
        pmu.enable(rig.cpu(1));
        rig.run.at(100, () -> pmu.raise(rig.cpu(0)));
        rig.run.at(300, () -> pmu.raise(rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(rig.run.log()).containsExactly("100 pmu on 0", "300 pmu on 1", "1100 done on 0", "1300 done on 1");
        assertThat(pmu.handled(0)).isEqualTo(1);
        assertThat(pmu.handled(1)).isEqualTo(1);
    }

    @Test
    void eachCpuEnablesItForItselfAndThenTakesWhatWaited() {
        pmu.enable(rig.cpu(0));
        rig.run.at(100, () -> pmu.raise(rig.cpu(1)));
        rig.run.at(200, () -> pmu.raise(rig.cpu(1)));
        rig.run.until(500);
        assertThat(pmu.pending(1)).isTrue();
        assertThat(pmu.enabled(1)).isFalse();
        rig.run.at(1_000, () -> pmu.enable(rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(rig.run.log()).containsExactly("1000 pmu on 1", "2000 done on 1");
        assertThat(pmu.pending(1)).isFalse();
    }

    @Test
    void oneThatWaitsInTheCpuWhenItIsDisabledIsKept() {
        pmu.enable(rig.cpu(0));
        rig.run.at(100, () -> pmu.raise(rig.cpu(0)));
        rig.run.at(200, () -> pmu.raise(rig.cpu(0)));
        rig.run.at(300, () -> pmu.disable(rig.cpu(0)));
        rig.run.until(5_000);
        assertThat(rig.run.log()).containsExactly("100 pmu on 0", "1100 done on 0");
        assertThat(pmu.pending(0)).isTrue();
        assertThat(pmu.handled(0)).isEqualTo(1);

        pmu.enable(rig.cpu(0));
        rig.run.until(10_000);
        assertThat(pmu.handled(0)).isEqualTo(2);
    }

    @Test
    void anEventOfACpuThatIsOfflineWaitsForIt() {
        pmu.enable(rig.cpu(1));
        rig.run.at(100, () -> rig.hotplug.down(rig.cpu(1)));
        rig.run.at(500, () -> pmu.raise(rig.cpu(1)));
        rig.run.at(1_000, () -> rig.hotplug.up(rig.cpu(1)));
        rig.run.until(5_000);

        assertThat(rig.run.log()).containsExactly("1000 pmu on 1", "2000 done on 1");
    }

    @Test
    void whatWaitsInADyingCpuComesBackWithIt() {
        pmu.enable(rig.cpu(1));
        rig.keepBusy(1, 1_000);
        pmu.raise(rig.cpu(1));
        rig.run.at(500, () -> rig.interrupts.offline(rig.cpu(1), rig.cpu(0)));
        rig.run.until(5_000);
        assertThat(pmu.handled(1)).isZero();
        assertThat(pmu.pending(1)).isTrue();

        rig.interrupts.online(rig.cpu(1));
        rig.run.until(10_000);
        assertThat(pmu.handled(1)).isEqualTo(1);
    }

    @Test
    void enablingTwiceIsAnError() {
        pmu.enable(rig.cpu(0));

        assertThatIllegalStateException()
                .isThrownBy(() -> pmu.enable(rig.cpu(0)))
                .withMessage("irq 16 (pmu) is enabled on cpu 0 already");
    }

    @Test
    void itSharesNoNumberWithALine() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rig.interrupts.allocatePercpu(16, "other", on -> Routine.DONE))
                .withMessage("irq 16 is in use");
        assertThat(pmu.irq()).isEqualTo(16);
        assertThat(pmu.name()).isEqualTo("pmu");
    }
}
