package io.irqlab.core.spi;

import static io.irqlab.core.spi.FakeProvider.DELAY;
import static io.irqlab.core.spi.FakeProvider.RATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicySettingsTest {
    private static final Parameter SHIFT = new Parameter("shift", "", -5, 5, 0, false, "Either way.");

    @Test
    void whatIsNotWrittenHasItsDefault() {
        PolicySettings settings = check(Map.of("target_intr_rate", "5000"));

        assertThat(settings.get(DELAY)).isEqualTo(100);
        assertThat(settings.get(RATE)).isEqualTo(5_000);
    }

    @Test
    void theValuesAreInTheOrderOfDeclarationAndCannotBeChanged() {
        Map<String, Long> values = check(Map.of("target_intr_rate", "5000")).asMap();

        assertThat(values)
                .containsExactly(entry("delay_us", 100L), entry("target_intr_rate", 5_000L), entry("shift", 0L));
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> values.put("delay_us", 1L));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "500, 500", "1_00, 100", "007, 7"})
    void bothEndsOfTheRangeAndUnderscoresAreTaken(String text, long value) {
        assertThat(check(Map.of("delay_us", text)).get(DELAY)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"delay_us, 501, 0 to 500 us", "delay_us, -1, 0 to 500 us", "target_intr_rate, 0, 1 to 1000000"})
    void aValueOutOfItsRangeIsAFault(String name, String text, String range) {
        assertFaults(Map.of(name, text), "gsim: %s=%s is out of range; expected %s".formatted(name, text, range));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ten", "1.5", "10us", "0x10", "1 0", "_", "1e3"})
    void whatIsNoWholeNumberIsAFault(String text) {
        assertFaults(
                Map.of("delay_us", text),
                "gsim: delay_us='%s' is not a whole number; expected 0 to 500 us".formatted(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "-99999999999999999999"})
    void aNumberBeyondAnyRangeIsOutOfRangeToo(String text) {
        assertFaults(
                Map.of("delay_us", text), "gsim: delay_us=%s is out of range; expected 0 to 500 us".formatted(text));
    }

    @Test
    void anUnknownNameIsAFaultThatNamesTheNearestAndAllOthers() {
        assertFaults(
                Map.of("delay_ms", "5"),
                "gsim: 'delay_ms' is not a parameter, did you mean 'delay_us'?;"
                        + " known: delay_us, target_intr_rate, shift");
        assertFaults(
                Map.of("colour", "5"), "gsim: 'colour' is not a parameter; known: delay_us, target_intr_rate, shift");
    }

    @Test
    void aPolicyWithoutParametersSaysSo() {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicySettings.check("posted-msi", List.of(), Map.of("delay_us", "5")))
                .withMessage("posted-msi: 'delay_us' is not a parameter; posted-msi has none");
    }

    @Test
    void allFaultsAreReportedInTheOrderInWhichTheyWereWritten() {
        var written = new LinkedHashMap<String, String>();
        written.put("target_intr_rate", "fast");
        written.put("x", "1");
        written.put("delay_us", "900");
        written.put("shift", "6");

        assertFaults(
                written,
                "gsim: target_intr_rate='fast' is not a whole number; expected 1 to 1000000",
                "gsim: 'x' is not a parameter; known: delay_us, target_intr_rate, shift",
                "gsim: delay_us=900 is out of range; expected 0 to 500 us",
                "gsim: shift=6 is out of range; expected -5 to 5");
    }

    @Test
    void theMessageIsAllFaults() {
        assertThat(new PolicyConfigurationException(List.of("one", "two"))).hasMessage("one; two");
    }

    @Test
    void aParameterThatWasNotDeclaredHasNoValue() {
        PolicySettings settings = PolicySettings.check("gsim", List.of(DELAY), Map.of());

        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> settings.get(RATE))
                .withMessage("target_intr_rate was not declared by the provider");
    }

    private static PolicySettings check(Map<String, String> written) {
        return PolicySettings.check("gsim", List.of(DELAY, RATE, SHIFT), written);
    }

    private static void assertFaults(Map<String, String> written, String... faults) {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> check(written))
                .satisfies(e -> assertThat(e.faults()).containsExactly(faults));
    }

    // ---- changes in the middle of a run

    private static final Parameter FIXED = new Parameter("mode", "", 0, 1, 0, false, "Which.");

    private static final PolicyProvider PICKY =
            new FakeProvider("picky", PolicyLayer.DEVICE, FakeProvider.DELAY, FakeProvider.RATE, FIXED) {
                @Override
                public List<String> check(PolicySettings settings) {
                    return settings.get(FakeProvider.DELAY) < settings.get(FakeProvider.RATE)
                            ? List.of()
                            : List.of("delay_us must be less than target_intr_rate");
                }
            };

    @Test
    void aChangeKeepsWhatItDoesNotName() {
        PolicySettings before =
                PolicySettings.check("picky", PICKY.parameters(), Map.of("target_intr_rate", "500", "mode", "1"));

        PolicySettings after = before.with(PICKY, Map.of("delay_us", "7"));

        assertThat(after.asMap()).isEqualTo(Map.of("delay_us", 7L, "target_intr_rate", 500L, "mode", 1L));
        assertThat(before.get(FakeProvider.DELAY)).isEqualTo(100);
    }

    @Test
    void aChangeIsCheckedAsTheBeginningIs() {
        PolicySettings before = PolicySettings.check("picky", PICKY.parameters(), Map.of());
        var written = new java.util.LinkedHashMap<String, String>();
        written.put("delay_s", "1");
        written.put("delay_us", "501");
        written.put("mode", "1");

        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> before.with(PICKY, written))
                .satisfies(e -> assertThat(e.faults())
                        .containsExactly(
                                "picky: 'delay_s' is not a parameter, did you mean 'delay_us'?; known: delay_us,"
                                        + " target_intr_rate, mode",
                                "picky: delay_us=501 is out of range; expected 0 to 500 us",
                                "picky: mode is fixed for a run; may change: delay_us, target_intr_rate"));
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> before.with(PICKY, Map.of("target_intr_rate", "100")))
                .withMessage("picky: delay_us must be less than target_intr_rate");
    }

    @Test
    void aPolicyWithoutChangeableParametersSaysSo() {
        var provider = new FakeProvider("stiff", PolicyLayer.DEVICE, FIXED);

        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicySettings.check("stiff", provider.parameters(), Map.of())
                        .with(provider, Map.of("mode", "1")))
                .withMessage("stiff: mode is fixed for a run; may change: none of its parameters");
    }
}
