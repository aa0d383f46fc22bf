package io.irqlab.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyStackTest {
    private final PolicyRegistry registry = PolicyRegistry.of(List.of(
            new FakeProvider("gsim", PolicyLayer.FLOW, FakeProvider.DELAY, FakeProvider.RATE),
            new FakeProvider("gsim-two", PolicyLayer.FLOW),
            new FakeProvider("nvme-watermark-poll", PolicyLayer.DRIVER),
            new FakeProvider("picky", PolicyLayer.DEVICE, FakeProvider.DELAY, FakeProvider.RATE) {
                @Override
                public List<String> check(PolicySettings settings) {
                    return settings.get(FakeProvider.DELAY) < settings.get(FakeProvider.RATE)
                            ? List.of()
                            : List.of("delay_us must be less than target_intr_rate", "so it is");
                }
            }));

    @ParameterizedTest
    @ValueSource(strings = {"none", "  none "})
    void noneIsTheStockPath(String text) {
        PolicyStack stack = PolicyStack.parse(text, registry);

        assertThat(stack.entries()).isEmpty();
        assertThat(stack.text()).isEqualTo("none");
        assertThat(PolicyStack.none()).hasToString("none");
        assertThat(PolicyStack.none().entries()).isEmpty();
    }

    @Test
    void aNameAloneHasAllDefaults() {
        PolicyStack stack = PolicyStack.parse("gsim", registry);

        assertThat(stack.entries()).hasSize(1);
        assertThat(stack.entries().get(0).provider()).isSameAs(registry.provider("gsim"));
        assertThat(stack.entries().get(0).settings().get(FakeProvider.DELAY)).isEqualTo(100);
    }

    @Test
    void aStackKeepsItsOrderItsSettingsAndItsText() {
        PolicyStack stack = PolicyStack.parse(
                " nvme-watermark-poll + gsim : delay_us = 7 , target_intr_rate=1_000 +picky ", registry);

        assertThat(stack.entries())
                .extracting(entry -> entry.provider().name())
                .containsExactly("nvme-watermark-poll", "gsim", "picky");
        assertThat(stack.entries().get(1).settings().asMap()).containsValues(7L, 1_000L);
        assertThat(stack.text()).isEqualTo("nvme-watermark-poll + gsim : delay_us = 7 , target_intr_rate=1_000 +picky");
        assertThat(stack).hasToString(stack.text());
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> stack.entries().clear());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t"})
    void anEmptyTextIsNoWayToSayNone(String text) {
        assertFaults(text, "the policy is empty; write 'none' for no policy");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+", "++"})
    void aMissingNameIsAFault(String text) {
        String fault = "'%s': a policy name is missing; expected NAME or NAME:PARAMETER=VALUE,..., joined by '+'"
                .formatted(text);
        assertFaults(text, text.length() == 1 ? new String[] {fault, fault} : new String[] {fault, fault, fault});
    }

    @ParameterizedTest
    @ValueSource(strings = {"gsim+", "+gsim", "gsim++nvme-watermark-poll", ":delay_us=5", "gsim+ :x=1"})
    void soIsOneBesideAGoodName(String text) {
        assertFaults(
                text,
                "'%s': a policy name is missing; expected NAME or NAME:PARAMETER=VALUE,..., joined by '+'"
                        .formatted(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none+gsim", "gsim+none", "none:delay_us=5", "none:"})
    void noneStandsAlone(String text) {
        assertFaults(text, "'%s': 'none' stands alone and takes no parameters".formatted(text));
    }

    @Test
    void anUnknownNameIsAFaultThatNamesTheNearestAndAllOthers() {
        assertFaults(
                "gsin",
                "no policy is named 'gsin', did you mean 'gsim'?;"
                        + " known: gsim, gsim-two, nvme-watermark-poll, picky, none");
        assertFaults(
                "completely-different",
                "no policy is named 'completely-different';"
                        + " known: gsim, gsim-two, nvme-watermark-poll, picky, none");
        assertFaults(
                "nome",
                "no policy is named 'nome', did you mean 'none'?;"
                        + " known: gsim, gsim-two, nvme-watermark-poll, picky, none");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "delay_us", "=5", "100"})
    void whatIsNoSettingIsAFault(String setting) {
        assertFaults("gsim:" + setting, "gsim: '%s' is not a setting; expected PARAMETER=VALUE".formatted(setting));
    }

    @Test
    void aSettingIsGivenOnce() {
        assertFaults("gsim:delay_us=5,target_intr_rate=7,delay_us=5", "gsim: 'delay_us' is given twice");
    }

    @Test
    void everyFaultOfEveryPolicyIsReported() {
        assertFaults(
                "gsim:delay_us=900,colour=3,rubbish,target_intr_rate=x+nonsense+nvme-watermark-poll:budget=4",
                "gsim: 'rubbish' is not a setting; expected PARAMETER=VALUE",
                "gsim: delay_us=900 is out of range; expected 0 to 500 us",
                "gsim: 'colour' is not a parameter; known: delay_us, target_intr_rate",
                "gsim: target_intr_rate='x' is not a whole number; expected 1 to 1000000",
                "no policy is named 'nonsense'; known: gsim, gsim-two, nvme-watermark-poll, picky, none",
                "nvme-watermark-poll: 'budget' is not a parameter; nvme-watermark-poll has none");
    }

    @Test
    void whatTheProviderFindsWrongWithTheValuesTogetherIsAFault() {
        assertFaults(
                "picky:delay_us=400,target_intr_rate=300",
                "picky: delay_us must be less than target_intr_rate",
                "picky: so it is");
    }

    @Test
    void twoPoliciesOfOneLayerConflict() {
        assertFaults(
                "gsim+nvme-watermark-poll+gsim-two",
                "'gsim' and 'gsim-two' both claim the hook 'flow'; a stack holds one policy for each hook");
        assertFaults(
                "nvme-watermark-poll+nvme-watermark-poll",
                "'nvme-watermark-poll' and 'nvme-watermark-poll' both claim the hook 'driver';"
                        + " a stack holds one policy for each hook");
    }

    @Test
    void aConflictIsReportedBesideOtherFaults() {
        assertFaults(
                "gsim+nope+gsim-two",
                "no policy is named 'nope', did you mean 'none'?;"
                        + " known: gsim, gsim-two, nvme-watermark-poll, picky, none",
                "'gsim' and 'gsim-two' both claim the hook 'flow'; a stack holds one policy for each hook");
    }

    private void assertFaults(String text, String... faults) {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse(text, registry))
                .withMessage(String.join("; ", faults))
                .satisfies(e -> assertThat(e.faults()).containsExactly(faults));
    }

    /** A device policy that sets some features. */
    private static FakeProvider ofFeatures(String name, String... claims) {
        return new FakeProvider(name, PolicyLayer.DEVICE) {
            @Override
            public List<String> claims() {
                return List.of(claims);
            }
        };
    }

    private final PolicyRegistry devices = PolicyRegistry.of(List.of(
            ofFeatures("static", "nvme-interrupt-coalescing"),
            ofFeatures("adaptive", "nvme-interrupt-coalescing", "nvme-vector-configuration"),
            ofFeatures("nic-itr", "nic-throttling"),
            ofFeatures("watcher"),
            new FakeProvider("whole-a", PolicyLayer.DEVICE),
            new FakeProvider("whole-b", PolicyLayer.DEVICE)));

    @Test
    void devicePoliciesOfDifferentFeaturesStandSideBySide() {
        assertThat(PolicyStack.parse("static+nic-itr+watcher", devices).entries())
                .hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "adaptive+nic-itr+static|'adaptive' and 'static' both claim the hook 'nvme-interrupt-coalescing'; a stack"
                        + " holds one policy for each hook",
                "whole-a+whole-b|'whole-a' and 'whole-b' both claim the hook 'device'; a stack holds one policy for each"
                        + " hook",
                "watcher+static+watcher|'watcher' is given twice",
            })
    void policiesThatClaimOneHookAreBothNamed(String text, String message) {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse(text, devices))
                .withMessage(message);
    }

    @Test
    void aFlowPolicyClaimsItsLayersHookWhateverItSays() {
        PolicyRegistry flows = PolicyRegistry.of(
                List.of(new FakeProvider("a", PolicyLayer.FLOW), new FakeProvider("b", PolicyLayer.FLOW) {
                    @Override
                    public List<String> claims() {
                        return List.of("b");
                    }
                }));

        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse("a+b", flows))
                .withMessage("'a' and 'b' both claim the hook 'flow'; a stack holds one policy for each hook");
    }
}
