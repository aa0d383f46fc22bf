/**
 * Small programs that show the library in use, each for one question, each under 80 lines.
 *
 * <p>Every program has its constants on top, then the same steps: describe a machine, name a policy, run, print. Nothing
 * calls them.
 */
@NullMarked
package io.irqlab.examples;

import org.jspecify.annotations.NullMarked;
