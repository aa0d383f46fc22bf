package io.irqlab.lab;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.time.Clock;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import java.util.stream.BaseStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the compiler cannot hold: the model knows virtual time alone, repeats its results everywhere, and is layered. */
@AnalyzeClasses(packages = "io.irqlab", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String CORE = "io.irqlab.core..";
    private static final String MODEL = "io.irqlab.model..";
    private static final String POLICIES = "io.irqlab.policy..";

    /** Rules over no classes pass; this one sees to it that there are some. */
    @ArchTest
    static void everyModuleIsLookedAt(JavaClasses classes) {
        assertThat(List.of(CORE, MODEL, POLICIES, "io.irqlab.lab"))
                .allSatisfy(layer ->
                        assertThat(classes.that(resideInAPackage(layer))).isNotEmpty());
    }

    @ArchTest
    static final ArchRule MODEL_CODE_KNOWS_ONLY_VIRTUAL_TIME = noModelClasses()
            .should()
            .accessTargetWhere(call("nanoTime|currentTimeMillis", System.class))
            .orShould()
            .accessTargetWhere(target(owner(resideInAPackage("java.time..")))
                    .and(target(nameMatching("now")))
                    .as("the present time of java.time"))
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .because("time is virtual and passed in");

    @ArchTest
    static final ArchRule MODEL_CODE_DRAWS_ONLY_SEEDED_NUMBERS = noModelClasses()
            .should()
            .dependOnClassesThat()
            .areAssignableTo(RandomGenerator.class)
            .orShould()
            .accessTargetWhere(call("random", Math.class, StrictMath.class))
            .orShould()
            .accessTargetWhere(call("shuffle", Collections.class))
            .because("each source of randomness has a RandomStream, derived from the run's seed");

    @ArchTest
    static final ArchRule MODEL_CODE_RUNS_ON_ONE_THREAD = noModelClasses()
            .should()
            .dependOnClassesThat(assignableTo(Thread.class)
                    .or(assignableTo(Executor.class))
                    .or(assignableTo(CompletableFuture.class))
                    .or(assignableTo(Timer.class))
                    .or(belongToAnyOf(Executors.class))
                    .as("are threads or start some"))
            .orShould()
            .accessTargetWhere(target(nameMatching("parallel|parallelStream"))
                    .and(target(owner(assignableTo(BaseStream.class).or(assignableTo(Iterable.class)))))
                    .as("parallel streams"))
            .because("a run belongs to one thread; parallelism is between runs");

    @ArchTest
    static final ArchRule RESULTS_DO_NOT_DEPEND_ON_THE_PROCESSOR = noModelClasses()
            .should()
            .accessTargetWhere(
                    call("exp|expm1|log|log10|log1p|pow|cbrt|hypot|a?(sin|cos|tan)|atan2|(sin|cos|tan)h", Math.class))
            .because("StrictMath gives the same bits everywhere");

    @ArchTest
    static final ArchRule RESULTS_DO_NOT_DEPEND_ON_HASH_ORDER = noModelClasses()
            .should()
            .accessTargetWhere(call("<init>", HashMap.class, HashSet.class, IdentityHashMap.class))
            .orShould()
            .accessTargetWhere(call("of|ofEntries|copyOf", Map.class, Set.class).and(hasArguments()))
            .orShould()
            .accessTargetWhere(call("to(Unmodifiable)?(Map|Set)|groupingBy|partitioningBy", Collectors.class))
            .orShould()
            .accessTargetWhere(call("identityHashCode", System.class))
            .because("their order differs between runs; take an immutable, linked, tree or enum collection");

    @ArchTest
    static final ArchRule THE_CORE_KNOWS_NO_DEVICE = noClasses()
            .that()
            .resideInAPackage(CORE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(MODEL, POLICIES);

    @ArchTest
    static final ArchRule POLICIES_DO_NOT_KNOW_EACH_OTHER =
            slices().matching("io.irqlab.policy.(*)..").should().notDependOnEachOther();

    @ArchTest
    static final ArchRule THE_SPI_SPEAKS_NO_LIBRARYS_LANGUAGE = noMethods()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage("io.irqlab.core.spi..")
            .and()
            .areNotPrivate()
            .should()
            .haveRawReturnType(resideInAPackage("com.google.."))
            .orShould()
            .haveRawParameterTypes(DescribedPredicate.anyElementThat(resideInAPackage("com.google..")))
            .because("authors of policies should not have to follow our versions of libraries");

    private static GivenClassesConjunction noModelClasses() {
        return noClasses().that().resideInAnyPackage(CORE, MODEL, POLICIES);
    }

    /** An empty map has no order: {@code Map.of()} is harmless. */
    private static DescribedPredicate<JavaAccess<?>> hasArguments() {
        return DescribedPredicate.describe(
                "with arguments",
                access -> access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                        && !target.getRawParameterTypes().isEmpty());
    }

    private static DescribedPredicate<JavaAccess<?>> call(String name, Class<?>... owners) {
        return target(owner(belongToAnyOf(owners)))
                .and(target(nameMatching(name)))
                .as(
                        "%s of %s",
                        name, Stream.of(owners).map(Class::getSimpleName).toList());
    }
}
