package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.irqlab.core.irq.TestSource.Defect;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever happens to a line and in whichever order: an event is handled, or can be seen to wait; no handler runs beside
 * itself; the depth is the number of disables and never negative; the mask is where the descriptor believes it is.
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
                fail("seed %d: %s, after %s"
                        .formatted(seed, shrunk.run(Defect.NONE).orElseThrow(), shrunk));
            }
        }
    }

    /** The harness sees what is broken, and shows it in few steps. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBrokenChipIsFoundAndTheProgramShrunkToAFewSteps(Defect defect) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 2_000; seed++) {
            LineProgram program = LineProgram.random(seed);
            Optional<String> fault = program.run(defect);
            if (fault.isPresent() && program.steps().size() > 20) {
                LineProgram shrunk = program.shrunk(defect);
                assertThat(shrunk.run(defect)).as("seed %s", seed).isPresent();
                assertThat(shrunk.steps()).as("seed %s: %s", seed, shrunk).hasSizeLessThanOrEqualTo(9);
                return;
            }
        }
        fail("no program of 2000 from seed %d found the fault".formatted(FIRST_SEED));
    }
}
