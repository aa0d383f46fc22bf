/**
 * Small programs that show the library in use, each for one question, each under 80 lines.
 *
 * <p>Every program takes the same steps: load a scenario, name policies, run, print. Nothing calls them but their test.
 */
@NullMarked
package io.irqlab.examples;

import org.jspecify.annotations.NullMarked;
