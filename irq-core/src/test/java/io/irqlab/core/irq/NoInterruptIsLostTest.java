package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.irqlab.core.irq.LineProgram.Defect;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever happens to a line of any kind and in whichever order - raised, disabled, enabled, moderated, moved, unplugged,
 * suspended, freed: an event is handled, or can be seen to wait; no handler runs beside itself or after it was freed; the
 * depth is the number of disables and never negative; the mask is where the descriptor believes it is, and has a reason.
 */
final class NoInterruptIsLostTest {
    private static final long FIRST_SEED = 20_260_000;
    private static final int PROGRAMS = 12_000;

    @Test
    void inTwelveThousandRandomPrograms() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
            LineProgram program = LineProgram.random(seed);
            if (program.run(Defect.NONE).isPresent()) {
                LineProgram shrunk = program.shrunk(Defect.NONE);
                fail("seed %d: %s, after%n%s"
                        .formatted(seed, shrunk.run(Defect.NONE).orElseThrow(), shrunk));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DEAF_DEVICE, 2", "FORGETFUL_DEVICE, 5", "LEAKY_MASK, 3", "LOST_REPLAY, 4"})
    void aDefectIsFoundAndTheProgramShrunkToAFewSteps(Defect defect, int mostSteps) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 2_000; seed++) {
            LineProgram program = LineProgram.random(seed);
            Optional<String> fault = program.run(defect);
            if (fault.isPresent() && program.steps().size() > 10) {
                LineProgram shrunk = program.shrunk(defect);
                assertThat(shrunk.run(defect)).isPresent();
                assertThat(shrunk.steps()).as("seed %s", seed).hasSizeBetween(1, mostSteps);
                return;
            }
        }
        fail("no program of 2000 from seed %d found the fault".formatted(FIRST_SEED));
    }
}
