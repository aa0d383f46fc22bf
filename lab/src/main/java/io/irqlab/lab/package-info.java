/**
 * The {@code irqlab} command.
 *
 * <p>This is the outermost layer: it may call every other module, and none calls it. Here alone are wall-clock time,
 * threads (between runs, never inside one) and output. The command stands on three packages that programs may use as
 * well: {@code scenario} loads files, {@code run} runs them, {@code report} prints what came out.
 *
 * <p>Exit statuses: 0 when the work was done, 1 when a run or the output failed, 2 when the input was wrong; then one
 * line on standard error says what. Standard output has nothing but reports: those of the runs that finished, whatever
 * became of the others, and none if the input was wrong. What a policy prints goes to standard error.
 */
@NullMarked
package io.irqlab.lab;

import org.jspecify.annotations.NullMarked;
