package io.irqlab.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NearestNameTest {
    private static final List<String> NAMES =
            List.of("gsim", "none", "nvme-coalescing", "nvme-watermark-poll", "delay_us", "adaptive-coalescing");

    @ParameterizedTest
    @CsvSource({
        "gsin, gsim", // another letter
        "gsm, gsim", // one too few
        "gssim, gsim", // one too many
        "gism, gsim", // two swapped
        "gsimxx, gsim", // two too many
        "delay_ms, delay_us",
        "delay-us, delay_us",
        "nvme-coalesce, nvme-coalescing",
        "nvme-watermarkpoll, nvme-watermark-poll",
        "gsim, gsim"
    })
    void aTypingErrorIsUnderstood(String written, String meant) {
        assertThat(NearestName.of(written, NAMES)).contains(meant);
    }

    @Test
    void twoLettersOrAThirdOfThemMayDiffer() {
        assertThat(NearestName.of("abc", List.of("a12"))).contains("a12");
        assertThat(NearestName.of("abcdefgh", List.of("abcde123"))).isEmpty();
        assertThat(NearestName.of("abcdefghi", List.of("abcdef123"))).contains("abcdef123");
        assertThat(NearestName.of("abcdefghi", List.of("abcde1234"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "xy", "gsimxxx", "posted-msi", "poll"})
    void whatIsTooFarFromAllNamesIsNot(String written) {
        assertThat(NearestName.of(written, NAMES)).isEmpty();
    }

    @Test
    void swappedNeighboursAreOneFaultAndOnlyThey() {
        assertThat(NearestName.of("abcd", List.of("badc"))).contains("badc");
        assertThat(NearestName.of("abcdefgh", List.of("abcdeg12"))).isEmpty();
        assertThat(NearestName.of("abcdefgh", List.of("abcde1f2"))).isEmpty();
    }

    @Test
    void aNameThatSharesNoLetterIsNotMeant() {
        assertThat(NearestName.of("ab", List.of("cd", "c", "d"))).isEmpty();
        assertThat(NearestName.of("ab", List.of("cd", "cb"))).contains("cb");
        assertThat(NearestName.of("a", List.of("b", "ab"))).isEmpty();
    }

    @Test
    void theCloserOfTwoIsMeantAndOfEqualsTheFirstInTheAlphabet() {
        assertThat(NearestName.of("coalesce", List.of("coalescers", "coalesced")))
                .contains("coalesced");
        assertThat(NearestName.of("bat", List.of("rat", "cat", "hat"))).contains("cat");
    }

    @Test
    void withoutNamesThereIsNone() {
        assertThat(NearestName.of("gsim", List.of())).isEmpty();
    }

    @Test
    void ofEqualsTheOneOfTheSameLengthIsMeantThenTheOneThatBeginsAlike() {
        assertThat(NearestName.of("machine.drives.nvme9", List.of("machine.drives.nvme", "machine.drives.nvmex")))
                .contains("machine.drives.nvmex");
        assertThat(NearestName.of("gsin", List.of("asin", "gsim"))).contains("gsim");
    }
}
