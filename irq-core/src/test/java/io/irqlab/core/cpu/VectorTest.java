package io.irqlab.core.cpu;

import static io.irqlab.core.cpu.TestCosts.costs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

final class VectorTest {
    private final Timeline run = new Timeline();
    private final Cpu cpu = new Cpu(3, run.queue, costs().hardirq(300, 200).build());

    @Test
    void deviceVectorsAreNumberedUpwardsFrom0x21() {
        assertThat(cpu.allocateVector("a", on -> Routine.DONE).number()).isEqualTo(0x21);
        assertThat(cpu.allocateVector("b", on -> Routine.DONE).number()).isEqualTo(0x22);
        assertThat(cpu.deviceVectors()).extracting(Vector::name).containsExactly("a", "b");
    }

    @Test
    void aCpuHas191OfThem() {
        for (int i = 0; i < 190; i++) {
            cpu.allocateVector("v" + i, on -> Routine.DONE);
        }

        assertThat(cpu.allocateVector("last", on -> Routine.DONE).number()).isEqualTo(0xDF);
        assertThatIllegalStateException()
                .isThrownBy(() -> cpu.allocateVector("nvme0q7", on -> Routine.DONE))
                .withMessage("cpu3 has no free vector for nvme0q7");
    }

    @Test
    void eachVectorsEntriesAndTimeAreCountedWithEntryAndExit() {
        Vector shorter = cpu.allocateVector("shorter", run.script("shorter").step(100));
        Vector longer = cpu.allocateVector("longer", run.script("longer").step(1_000, on -> on.spend(50)));
        run.at(0, () -> cpu.raise(shorter));
        run.at(2_000, () -> cpu.raise(longer));
        run.at(5_000, () -> cpu.raise(shorter));
        run.until(10_000);

        assertThat(shorter.count()).isEqualTo(2);
        assertThat(shorter.timeNs()).isEqualTo(2 * (300 + 100 + 200));
        assertThat(longer.count()).isEqualTo(1);
        assertThat(longer.timeNs()).isEqualTo(300 + 1_050 + 200);
        assertThat(cpu.times().hardirqNs()).isEqualTo(1_200 + 1_550);
    }

    @Test
    void hardirqsAreCountedBySource() {
        Vector first = cpu.allocateVector("first", on -> Routine.DONE);
        Vector second = cpu.allocateVector("second", on -> Routine.DONE);
        HrTimer timer = new HrTimer(cpu, on -> {});
        run.at(0, () -> cpu.raise(first));
        run.at(1_000, () -> cpu.raise(second));
        run.at(2_000, () -> cpu.raise(second));
        run.at(3_000, () -> timer.arm(cpu, 100, 0));
        run.at(4_000, () -> timer.arm(cpu, 100, 0));
        run.at(5_000, () -> Task.fair(cpu, "task", on -> Routine.DONE).start());
        run.until(10_000);

        assertThat(cpu.hardirqs(Vector.Source.DEVICE)).isEqualTo(3);
        assertThat(cpu.hardirqs(Vector.Source.TIMER)).isEqualTo(2);
        assertThat(cpu.hardirqs(Vector.Source.IPI)).isEqualTo(1);
        assertThat(first.source()).isEqualTo(Vector.Source.DEVICE);
        assertThat(cpu.deviceVectors()).containsExactly(first, second);
    }
}
