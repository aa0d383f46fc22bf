package io.irqlab.policy.coalesce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.irqlab.core.spi.Policy;
import io.irqlab.core.spi.PolicyConfigurationException;
import io.irqlab.core.spi.PolicyContext;
import io.irqlab.core.spi.PolicyCpu;
import io.irqlab.core.spi.PolicyRegistry;
import io.irqlab.core.spi.PolicySettings;
import io.irqlab.core.spi.PolicyStack;
import io.irqlab.model.nvme.InterruptCoalescing;
import io.irqlab.model.nvme.NvmeDrive;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NvmeCoalescingTest {
    private final NvmeCoalescingProvider provider = new NvmeCoalescingProvider();

    @Test
    void itSetsTheFeatureOnEveryDriveWhenTheRunBegins() {
        NvmeDrive first = mock(NvmeDrive.class);
        NvmeDrive second = mock(NvmeDrive.class);
        PolicyContext context = mock(PolicyContext.class);
        when(context.settings())
                .thenReturn(PolicySettings.check(
                        "nvme-coalescing", provider.parameters(), Map.of("threshold", "16", "time_us", "200")));
        when(context.devices(NvmeDrive.class)).thenReturn(List.of(first, second));

        Policy policy = provider.create(context);
        policy.start();

        var expected = new InterruptCoalescing(16, 200_000);
        verify(first).setInterruptCoalescing(expected);
        verify(second).setInterruptCoalescing(expected);
        assertThat(policy.counters()).containsEntry("set_features", 2L);
    }

    @Test
    void aChangeIsAnotherSetFeaturesCommandToEveryDrive() {
        NvmeDrive drive = mock(NvmeDrive.class);
        PolicyContext context = mock(PolicyContext.class);
        PolicySettings settings = PolicySettings.check("nvme-coalescing", provider.parameters(), Map.of());
        when(context.settings()).thenReturn(settings);
        when(context.devices(NvmeDrive.class)).thenReturn(List.of(drive));
        Policy policy = provider.create(context);
        policy.start();

        policy.settingsChanged(settings.with(provider, Map.of("threshold", "16")), mock(PolicyCpu.class));

        verify(drive).setInterruptCoalescing(new InterruptCoalescing(8, 100_000));
        verify(drive).setInterruptCoalescing(new InterruptCoalescing(16, 100_000));
        assertThat(policy.counters()).containsEntry("set_features", 2L);
    }

    @Test
    void itClaimsTheFeatureSoThatPoliciesOfOtherDevicesCanStandBesideIt() {
        assertThat(provider.claims()).containsExactly("nvme-interrupt-coalescing");
    }

    @Test
    void aTimeBetweenTheStepsOfTheFeatureIsRefused() {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(
                        () -> PolicyStack.parse("nvme-coalescing:time_us=150", PolicyRegistry.of(List.of(provider))))
                .withMessage("nvme-coalescing: time_us=150 is not a step of the feature; expected a multiple of 100");
    }

    @Test
    void theRangesAreThoseOfTheRegister() {
        PolicyRegistry registry = PolicyRegistry.of(List.of(provider));

        PolicyStack.parse("nvme-coalescing:threshold=256,time_us=25500", registry);
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse("nvme-coalescing:threshold=257,time_us=25600", registry))
                .withMessage("nvme-coalescing: threshold=257 is out of range; expected 1 to 256 completions; "
                        + "nvme-coalescing: time_us=25600 is out of range; expected 0 to 25500 us");
    }
}
