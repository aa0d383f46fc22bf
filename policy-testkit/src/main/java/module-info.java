/**
 * The checks that every policy must pass, for authors of policies.
 *
 * <p>To be used from tests: it stands on JUnit and AssertJ.
 */
module io.irqlab.testkit {
    requires transitive io.irqlab.model;
    requires transitive org.junit.jupiter.api;
    requires org.assertj.core;
    requires static transitive org.jspecify;

// exports io.irqlab.testkit;
}
