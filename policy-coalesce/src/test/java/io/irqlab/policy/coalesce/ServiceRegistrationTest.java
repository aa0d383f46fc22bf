package io.irqlab.policy.coalesce;

import static org.assertj.core.api.Assertions.assertThat;

import io.irqlab.core.spi.PolicyProvider;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A policy is named twice, for the module path and for the class path, and both lists must agree. */
final class ServiceRegistrationTest {
    @Test
    void bothListsNameTheSameProviders() throws Exception {
        Path classes = Path.of(NvmeCoalescingProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        assertThat(ofModule(classes)).isNotEmpty().containsExactlyInAnyOrderElementsOf(ofServicesFile(classes));
    }

    private static List<String> ofModule(Path classes) {
        return ModuleFinder.of(classes).findAll().iterator().next().descriptor().provides().stream()
                .filter(provides -> provides.service().equals(PolicyProvider.class.getName()))
                .flatMap(provides -> provides.providers().stream())
                .toList();
    }

    private static List<String> ofServicesFile(Path classes) throws IOException {
        return Files.readAllLines(classes.resolve("META-INF/services").resolve(PolicyProvider.class.getName()));
    }
}
