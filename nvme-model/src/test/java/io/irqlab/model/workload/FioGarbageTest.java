package io.irqlab.model.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whatever the input, there is a job file or a {@link FioSyntaxException} of one printable line, and nothing else. */
final class FioGarbageTest {
    private static final long SEED = Long.getLong("fio.garbage.seed", 20_261_130L);
    private static final int ROUNDS = 4_000;
    private static final String LETTERS = "[]=;#:,/-%\\$ \t\r\n{}.()x09kKmi\u00e9\u2028\ud800\u001b'\"";
    private static final List<String> VALUES = List.of(
            "",
            "0",
            "1",
            "-1",
            "4k",
            "4KiB",
            "4k/60:8k/40",
            "4k-64k",
            "0-3,8",
            "0x",
            "0x1f",
            "99999999999999999999",
            "/dev/nvme0n1",
            "a:b\\:c",
            "randread",
            "libaio",
            "io_uring",
            "psync",
            "split",
            "poisson",
            "100%",
            "50%",
            "30s",
            "1d",
            ",",
            ",,,",
            "4k,",
            ":",
            "/",
            "-",
            "${X}",
            "$ncpus",
            "roundrobin:4",
            "1000");

    private final List<String> options = new ArrayList<>();

    FioGarbageTest() {
        for (FioOption option : FioOptions.ALL) {
            options.add(option.name());
            options.addAll(option.aliases());
        }
    }

    @Test
    void randomLinesOfTheLanguageEndInAJobFileOrAOneLineMessage() {
        System.out.println("seed of FioGarbageTest: " + SEED + " (-Dfio.garbage.seed)");
        var random = new SplittableRandom(SEED);
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var text = new StringBuilder("[a]\nfilename=x\n");
            for (int lines = random.nextInt(6); lines > 0; lines--) {
                text.append(line(random)).append('\n');
            }
            accepted += check(text.toString()) ? 1 : 0;
        }
        assertThat(accepted).isBetween(ROUNDS / 20, ROUNDS * 19 / 20);
    }

    @Test
    void randomLettersEndInAOneLineMessage() {
        var random = new SplittableRandom(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            check(letters(random, 40));
        }
    }

    @Test
    void randomArgumentsEndInAJobFileOrAOneLineMessage() {
        var random = new SplittableRandom(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            var arguments = new ArrayList<>(List.of("--name=a", "--filename=x"));
            for (int more = random.nextInt(5); more > 0; more--) {
                arguments.add(random.nextInt(8) == 0 ? letters(random, 10) : "--" + line(random));
            }
            try {
                assertThat(FioJobFile.parseCommandLine(arguments).jobs()).isNotEmpty();
            } catch (FioSyntaxException e) {
                assertOnePrintableLine(e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", arguments: " + arguments, e);
            }
        }
    }

    @Test
    void aLongValueOfAnyOptionIsReadInNoTime() {
        for (String option : options) {
            for (String unit : List.of("0-4095,", "4k:", "4k,", "9", "/", "\\", "x")) {
                check("[a]\nfilename=x\n" + option + "=" + unit.repeat(20_000 / unit.length()));
            }
        }
    }

    private String line(RandomGenerator random) {
        return switch (random.nextInt(12)) {
            case 0 -> letters(random, 20);
            case 1 -> "[" + (random.nextBoolean() ? "global" : "b") + "]";
            case 2 -> pick(options, random);
            default -> pick(options, random) + "=" + value(random);
        };
    }

    private static String value(RandomGenerator random) {
        return random.nextInt(10) == 0 ? letters(random, 8) : pick(VALUES, random);
    }

    private static String letters(RandomGenerator random, int most) {
        var text = new StringBuilder();
        for (int i = random.nextInt(most); i > 0; i--) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static String pick(List<String> from, RandomGenerator random) {
        return from.get(random.nextInt(from.size()));
    }

    /** Returns whether a text was accepted. */
    private static boolean check(String text) {
        try {
            FioJobFile file = FioJobFile.parse("my.fio", text);
            assertThat(file.jobs()).isNotEmpty();
            file.notes().forEach(FioGarbageTest::assertOnePrintableLine);
            return true;
        } catch (FioSyntaxException e) {
            assertOnePrintableLine(e.getMessage());
            assertThat(e.getMessage()).startsWith("my.fio:");
            return false;
        } catch (RuntimeException e) {
            throw new AssertionError("seed " + SEED + ", input: " + text, e);
        }
    }

    private static void assertOnePrintableLine(String message) {
        assertThat(message).isNotBlank().hasSizeLessThan(1000).doesNotContainPattern("[\\p{Cntrl}\\u2028\\u2029]");
    }
}
