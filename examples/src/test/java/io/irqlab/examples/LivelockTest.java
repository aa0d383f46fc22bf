package io.irqlab.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.examples.LivelockModel.Driver;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The curves have the shape of Mogul and Ramakrishnan's. */
final class LivelockTest {
    /** 3 us to receive a packet, 4 us to consume it, and what the kernel adds: some 140 000 a second at most. */
    private static final int SATURATION = 140_000;

    @ParameterizedTest
    @EnumSource
    void belowSaturationEverythingIsDelivered(Driver driver) {
        for (int offered = 20_000; offered <= 120_000; offered += 20_000) {
            LivelockModel run = Livelock.run(offered, driver);

            assertThat(run.delivered()).isBetween(run.arrived() - 100, run.arrived());
            assertThat(run.dropped()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyPacketIsDeliveredDroppedOrOnItsWay(Driver driver) {
        for (int offered = 100_000; offered <= 700_000; offered += 100_000) {
            LivelockModel run = Livelock.run(offered, driver);

            assertThat(run.delivered() + run.dropped() + run.queued()).isEqualTo(run.arrived());
        }
    }

    @Test
    void drainedInHardirqThroughputFallsToNothing() {
        long peak = peak(Driver.HARDIRQ);

        assertThat(Livelock.run(2 * SATURATION, Driver.HARDIRQ).delivered()).isLessThan(peak / 2);
        assertThat(Livelock.run(320_000, Driver.HARDIRQ).delivered()).isLessThan(peak / 10);
        assertThat(Livelock.run(4 * SATURATION, Driver.HARDIRQ).delivered()).isLessThan(peak / 1_000);
    }

    @Test
    void polledWithABudgetAloneItFallsToTheTasksShare() {
        long peak = peak(Driver.POLL);

        assertThat(Livelock.run(4 * SATURATION, Driver.POLL).delivered()).isBetween(peak / 20, peak / 2);
    }

    @Test
    void polledWithABudgetAndFeedbackItHolds() {
        long peak = peak(Driver.POLL_WITH_FEEDBACK);

        for (int offered = SATURATION; offered <= 4 * SATURATION; offered += SATURATION) {
            assertThat(Livelock.run(offered, Driver.POLL_WITH_FEEDBACK).delivered())
                    .isGreaterThan(peak * 8 / 10);
        }
    }

    @Test
    void theExampleDrawsWhatItPrints(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("livelock.svg");
        PrintStream before = System.out;
        var bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            Livelock.main(new String[] {file.toString()});
        } finally {
            System.setOut(before);
        }

        assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).hasSize(1 + Livelock.STEPS);
        assertThat(Files.readString(file)).contains("<svg", "<path"); // words are drawn as outlines
    }

    private static long peak(Driver driver) {
        long peak = 0;
        for (int offered = 100_000; offered <= 200_000; offered += 10_000) {
            peak = Math.max(peak, Livelock.run(offered, driver).delivered());
        }
        return peak;
    }
}
