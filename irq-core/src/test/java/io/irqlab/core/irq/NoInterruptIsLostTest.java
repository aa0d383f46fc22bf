package io.irqlab.core.irq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to an edge-triggered line and in whichever order: an event is handled, or can be seen to wait; no
 * handler runs beside itself; the depth is the number of disables and never negative; the mask is where the descriptor
 * believes it is.
 */
final class NoInterruptIsLostTest {
    private static final long FIRST_SEED = 20_260_000;
    private static final int PROGRAMS = 10_000;

    @Test
    void inTenThousandRandomPrograms() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + PROGRAMS; seed++) {
            LineProgram program = LineProgram.random(seed);
            if (program.run(0).isPresent()) {
                LineProgram shrunk = program.shrunk(0);
                fail("seed %d: %s, after %s".formatted(seed, shrunk.run(0).orElseThrow(), shrunk));
            }
        }
    }

    @Test
    void aDeviceThatLosesEventsIsFoundAndTheProgramShrunkToAFewSteps() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + 1_000; seed++) {
            LineProgram program = LineProgram.random(seed);
            Optional<String> fault = program.run(2_000);
            if (fault.isPresent() && program.steps().size() > 10) {
                LineProgram shrunk = program.shrunk(2_000);
                assertThat(shrunk.run(2_000)).get().asString().contains("an event of an enabled line was lost");
                assertThat(shrunk.steps()).as("seed %s", seed).hasSize(2);
                return;
            }
        }
        fail("no program of 1000 from seed %d found the fault".formatted(FIRST_SEED));
    }
}
