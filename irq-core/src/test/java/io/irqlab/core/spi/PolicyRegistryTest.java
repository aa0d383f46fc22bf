package io.irqlab.core.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyRegistryTest {
    @TempDir
    private Path directory;

    @Test
    void providersAreSortedByName() {
        var gsim = new FakeProvider("gsim", PolicyLayer.FLOW);
        var dim = new FakeProvider("dim", PolicyLayer.DEVICE);
        PolicyRegistry registry = PolicyRegistry.of(List.of(gsim, dim));

        assertThat(registry.providers()).containsExactly(dim, gsim);
        assertThat(registry.provider("gsim")).isSameAs(gsim);
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void twoProvidersOfOneNameAreAFaultThatNamesBothClasses() {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyRegistry.of(
                        List.of(new FakeProvider("gsim", PolicyLayer.FLOW), new Other("gsim", PolicyLayer.DRIVER))))
                .withMessage("two policies are named 'gsim': io.irqlab.core.spi.FakeProvider and"
                        + " io.irqlab.core.spi.PolicyRegistryTest$Other");
    }

    @Test
    void anUnknownNameIsAFault() {
        PolicyRegistry registry = PolicyRegistry.of(List.of(new FakeProvider("gsim", PolicyLayer.FLOW)));

        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> registry.provider("gsin"))
                .withMessage("no policy is named 'gsin', did you mean 'gsim'?; known: gsim, none");
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyRegistry.of(List.of()).provider("gsim"))
                .withMessage("no policy is named 'gsim'; known: none");
    }

    @Test
    void providersOfAnyJarAreFound() throws IOException {
        PolicyRegistry registry = load("io.irqlab.core.spi.FakeProvider");

        assertThat(registry.providers()).extracting(PolicyProvider::name).containsExactly("loaded");
        assertThat(registry.problems()).isEmpty();
    }

    @Test
    void withoutAnyThereAreNoPolicies() throws IOException {
        PolicyRegistry registry = load("# nothing");

        assertThat(registry.providers()).isEmpty();
        assertThat(PolicyStack.parse("none", registry).entries()).isEmpty();
    }

    @Test
    void aBrokenProviderDoesNotHideTheOthers() throws IOException {
        PolicyRegistry registry = load("""
                io.irqlab.core.spi.Missing
                io.irqlab.core.spi.PolicyRegistryTest$Throwing
                io.irqlab.core.spi.PolicyRegistryTest$NotAProvider
                io.irqlab.core.spi.FakeProvider
                """);

        assertThat(registry.providers()).extracting(PolicyProvider::name).containsExactly("loaded");
        // What follows the colon are the class library's words.
        assertThat(registry.problems())
                .allSatisfy(problem -> assertThat(problem).startsWith("a policy provider could not be loaded: "))
                .satisfiesExactly(
                        problem -> assertThat(problem).contains("io.irqlab.core.spi.Missing"),
                        problem -> assertThat(problem).contains("PolicyRegistryTest$Throwing"),
                        problem -> assertThat(problem).contains("PolicyRegistryTest$NotAProvider"));
    }

    private PolicyRegistry load(String services) throws IOException {
        Path file = Files.writeString(directory.resolve("services"), services);
        return PolicyRegistry.load(new Jar(file.toUri().toURL()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "GSIM", "gsim_two", "-gsim", "gsim-", "gsim--two", "2gsim", "gsim two", "gsim+two", "none"})
    void aNameIsLowerCaseWordsJoinedByDashes(String name) {
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyRegistry.of(List.of(new FakeProvider(name, PolicyLayer.FLOW))))
                .withMessage("io.irqlab.core.spi.FakeProvider is named '" + name
                        + "'; expected lower-case words joined by dashes, and not 'none'");
    }

    @Test
    void aProviderWithoutAProperNameDoesNotHideTheOthersEither() throws IOException {
        PolicyRegistry registry = load("""
                io.irqlab.core.spi.PolicyRegistryTest$Nameless
                io.irqlab.core.spi.PolicyRegistryTest$ThrowingName
                io.irqlab.core.spi.FakeProvider
                """);

        assertThat(registry.providers()).extracting(PolicyProvider::name).containsExactly("loaded");
        assertThat(registry.problems())
                .containsExactly(
                        "a policy provider could not be loaded: io.irqlab.core.spi.PolicyRegistryTest$Nameless"
                                + " is named 'null'; expected lower-case words joined by dashes, and not 'none'",
                        "a policy provider could not be loaded: no name today");
    }

    @Test
    void twoJarsWithOneNameTakeNothingFromTheOthers() throws IOException {
        PolicyRegistry registry = load("""
                io.irqlab.core.spi.FakeProvider
                io.irqlab.core.spi.PolicyRegistryTest$Twin
                io.irqlab.core.spi.PolicyRegistryTest$Single
                """);
        String twins = "two policies are named 'loaded': io.irqlab.core.spi.FakeProvider and"
                + " io.irqlab.core.spi.PolicyRegistryTest$Twin";

        assertThat(registry.providers()).extracting(PolicyProvider::name).containsExactly("single");
        assertThat(registry.problems()).containsExactly(twins);
        assertThat(PolicyStack.parse("single", registry).entries()).hasSize(1);
        assertThatExceptionOfType(PolicyConfigurationException.class)
                .isThrownBy(() -> PolicyStack.parse("loaded", registry))
                .withMessage(twins + "; remove one of their jars");
    }

    @Test
    void aClassLoaderThatAlwaysFailsIsNotAskedForEver() {
        PolicyRegistry registry = PolicyRegistry.load(new ClassLoader(null) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                throw new IOException("no such medium");
            }
        });

        assertThat(registry.providers()).isEmpty();
        assertThat(registry.problems()).hasSize(2);
        assertThat(registry.problems().get(0)).startsWith("a policy provider could not be loaded: ");
        assertThat(registry.problems().get(1))
                .isEqualTo("no more policy providers were looked for after 1000 failures");
    }

    /** A provider with the name of another. */
    public static final class Twin extends FakeProvider {}

    /** A provider with a name of its own. */
    public static final class Single extends FakeProvider {
        public Single() {
            super("single", PolicyLayer.DEVICE);
        }
    }

    /** Another class, for the message. */
    private static final class Other extends FakeProvider {
        Other(String name, PolicyLayer layer) {
            super(name, layer);
        }
    }

    /** A provider that cannot be made. */
    public static final class Throwing extends FakeProvider {
        public Throwing() {
            throw new IllegalArgumentException("broken");
        }
    }

    /** A provider without a name. */
    public static final class Nameless extends FakeProvider {
        @Override
        public String name() {
            return null;
        }
    }

    /** A provider whose name cannot be asked for. */
    public static final class ThrowingName extends FakeProvider {
        @Override
        public String name() {
            throw new IllegalStateException("no name today");
        }
    }

    /** No provider at all. */
    public static final class NotAProvider {}

    /** What a jar with providers looks like: this package's test classes, and a file that registers some. */
    private static final class Jar extends ClassLoader {
        private static final String PACKAGE = "io.irqlab.core.spi.";
        private final URL services;

        Jar(URL services) {
            super(PolicyRegistryTest.class.getClassLoader());
            this.services = services;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean inJar = name.equals(PACKAGE + "FakeProvider")
                    || name.startsWith(PACKAGE + "FakeProvider$")
                    || name.startsWith(PACKAGE + "PolicyRegistryTest$");
            if (!inJar) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }

        private Class<?> define(String name) {
            String file = name.substring(PACKAGE.length()) + ".class";
            try (InputStream in = PolicyRegistryTest.class.getResourceAsStream(file)) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            return name.equals("META-INF/services/" + PolicyProvider.class.getName())
                    ? Collections.enumeration(List.of(services))
                    : super.getResources(name);
        }
    }
}
