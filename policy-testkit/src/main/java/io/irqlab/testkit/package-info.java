/**
 * The checks that every policy must pass, for authors of policies.
 *
 * <p>An author extends the kit's abstract class in a test and says how to find the provider; JUnit runs the rules. The
 * kit's own tests run broken policies and demand that each rule fails on them.
 */
@NullMarked
package io.irqlab.testkit;

import org.jspecify.annotations.NullMarked;
