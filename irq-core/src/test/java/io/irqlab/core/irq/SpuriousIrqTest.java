package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.cpu.Cpu;
import io.irqlab.core.cpu.Routine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A line whose interrupts are nobody's is switched off, reported, and looked at now and then. */
final class SpuriousIrqTest {
    private static final long MS = 1_000_000;

    private final TestMachine machine = new TestMachine(2);
    private final Cpu other = machine.cpu(1);
    private final FakeChip chip = new FakeChip(machine.run, FlowType.EDGE);
    private final IrqDescriptor line = machine.line(9, "acpi", chip, 0);
    private final FakeAction action = new FakeAction(on -> Routine.DONE, on -> Routine.DONE);

    @Test
    void of100000Interrupts99900UnhandledAreNotEnough() {
        line.requestIrq(action, other);
        events(99_900, IrqReturn.NONE);
        events(100, IrqReturn.HANDLED);
        assertThat(line.spuriousDisabled()).isFalse();
        assertThat(line.depth()).isZero();
        assertThat(machine.reports).isEmpty();
        assertThat(line.unhandled()).isEqualTo(99_900);

        // The next ones are counted afresh.
        events(99_900, IrqReturn.NONE);
        events(100, IrqReturn.HANDLED);
        assertThat(line.spuriousDisabled()).isFalse();
    }

    @Test
    void but99901AreAndTheReportSaysWhichLineWhereAndWhoWasAsked() {
        line.requestIrq("acpi", action, other, IrqFlag.SHARED);
        var second = new FakeAction(on -> Routine.DONE);
        second.result = IrqReturn.NONE;
        line.requestIrq("i801_smbus", second, other, IrqFlag.SHARED);
        machine.run.until(5 * MS);
        events(99_901, IrqReturn.NONE);
        events(98, IrqReturn.HANDLED);
        assertThat(line.spuriousDisabled()).isFalse();
        events(1, IrqReturn.HANDLED);

        assertThat(line.spuriousDisabled()).isTrue();
        assertThat(line.depth()).isEqualTo(1);
        assertThat(machine.reports)
                .containsExactly(new SpuriousIrq(9, "acpi", 0, 5 * MS, List.of("acpi", "i801_smbus")));
        assertThat(machine.reports.get(0))
                .hasToString("irq 9 (acpi): nobody cared, on cpu 0 at 5000000 ns; asked: acpi, i801_smbus");
    }

    @Test
    void theCountBeginsWithTheFirstThatIsUnhandled() {
        line.requestIrq(action, other);
        events(50_000, IrqReturn.HANDLED);
        events(99_999, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isFalse();
        events(1, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void theLineIsDisabledLazily() {
        line.requestIrq(action, other);
        events(100_000, IrqReturn.NONE);
        assertThat(line.masked()).isFalse();
        events(1, IrqReturn.NONE);
        assertThat(line.masked()).isTrue();
        assertThat(line.handled()).isEqualTo(100_000);
        assertThat(line.refused()).isEqualTo(1);
    }

    @Test
    void moreThan100MsWithoutAnUnhandledOneForgetTheUnhandledBefore() {
        line.requestIrq(action, other);
        events(50_000, IrqReturn.NONE);
        machine.run.until(100 * MS + 1);
        events(50_000, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isFalse();
    }

    @Test
    void but100MsAreNotLongEnough() {
        line.requestIrq(action, other);
        events(50_000, IrqReturn.NONE);
        machine.run.until(100 * MS);
        events(50_000, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void threadsThatHandleSomethingBetweenTwoInterruptsCount() {
        line.requestIrq(action, other, IrqFlag.THREADED);
        events(200_100, IrqReturn.WAKE_THREAD);
        assertThat(line.unhandled()).isZero();
        assertThat(line.spuriousDisabled()).isFalse();
    }

    @Test
    void threadsThatNeverHandleAnythingAreJudgedAtTheNextInterrupt() {
        line.requestIrq(idleThread(), other, IrqFlag.THREADED);
        events(1, null);
        assertThat(line.unhandled()).isZero(); // nobody knows yet, and it does not count
        events(99_999, null);
        assertThat(line.spuriousDisabled()).isFalse();
        assertThat(line.unhandled()).isEqualTo(99_999);
        events(1, null);
        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void aSharedLineThatWasSwitchedOffIsPolledEvery100Ms() {
        var asked = new FakeAction(on -> {
            machine.run.note("asked");
            return Routine.DONE;
        });
        line.requestIrq(action, other, IrqFlag.SHARED);
        events(100_000, IrqReturn.NONE);
        line.freeIrq(action, other);
        assertThat(line.depth()).isEqualTo(1);

        line.requestIrq(action, other, IrqFlag.SHARED);
        line.requestIrq(asked, other, IrqFlag.SHARED);
        asked.result = IrqReturn.NONE;
        machine.run.until(MS);
        events(100_000, IrqReturn.NONE);
        int before = machine.run.log().size();
        machine.run.until(350 * MS);

        assertThat(machine.run.log().subList(before, machine.run.log().size()))
                .containsExactly("100000000 asked", "200000000 asked", "300000000 asked");
        assertThat(line.spuriousDisabled()).isTrue();
        assertThat(line.depth()).isEqualTo(1);
    }

    @Test
    void whatThePollFindsIsHandledAndNotCounted() {
        line.requestIrq(action, other, IrqFlag.SHARED);
        events(100_000, IrqReturn.NONE);
        chip.event(); // refused
        action.result = IrqReturn.HANDLED;
        machine.run.until(150 * MS);
        assertThat(line.pending()).isFalse();
        assertThat(line.handled()).isEqualTo(100_001);
        assertThat(line.masked()).isTrue();
        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void aLineThatIsNotSharedIsNotPolled() {
        line.requestIrq(action, other);
        events(100_000, IrqReturn.NONE);
        machine.run.until(1_000 * MS);
        assertThat(line.handled()).isEqualTo(100_000);
    }

    @Test
    void anotherHandlerGetsTheLineAnotherChance() {
        line.requestIrq(action, other, IrqFlag.SHARED);
        events(100_000, IrqReturn.NONE);
        events(1, IrqReturn.NONE); // refused, and replayed to both
        line.requestIrq(new FakeAction(on -> Routine.DONE), other, IrqFlag.SHARED);
        assertThat(line.spuriousDisabled()).isFalse();
        assertThat(line.depth()).isZero();
        events(100_000, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isFalse();
        assertThat(line.handled()).isEqualTo(200_001);
    }

    @Test
    void aNewHandlerMakesTheCountBeginAfresh() {
        line.requestIrq(action, other);
        events(99_999, IrqReturn.NONE);
        line.freeIrq(action, other);
        line.requestIrq(action, other);
        events(99_999, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isFalse();
        events(1, IrqReturn.NONE);
        assertThat(line.spuriousDisabled()).isTrue();
    }

    @Test
    void whatADriverHasDisabledAnotherHandlerDoesNotEnable() {
        line.requestIrq(action, other, IrqFlag.SHARED);
        events(100_000, IrqReturn.NONE);
        line.disable(other);
        assertThat(line.depth()).isEqualTo(2);
        line.requestIrq(new FakeAction(on -> Routine.DONE), other, IrqFlag.SHARED);
        assertThat(line.depth()).isEqualTo(1);
        assertThat(line.spuriousDisabled()).isFalse();
        line.enable(other);
        assertThat(line.depth()).isZero();
    }

    private void events(int count, IrqReturn said) {
        if (said != null) {
            action.result = said;
        }
        for (int i = 0; i < count; i++) {
            chip.event();
            machine.run.until(machine.run.queue.nowNs());
        }
    }

    private static IrqAction idleThread() {
        return new IrqAction() {
            @Override
            public long handlerStep(Cpu on) {
                return Routine.DONE;
            }

            @Override
            public IrqReturn result() {
                return IrqReturn.WAKE_THREAD;
            }

            @Override
            public IrqReturn threadResult() {
                return IrqReturn.NONE;
            }
        };
    }
}
