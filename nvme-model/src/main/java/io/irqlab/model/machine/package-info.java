/**
 * Whole machines: their description ({@link io.irqlab.model.machine.MachineProfile} and its parts), their assembly and
 * run ({@link io.irqlab.model.machine.Machine}), and what a run counted ({@link io.irqlab.model.machine.RunStatistics}).
 *
 * <p>Profiles are plain values; where they come from (files, code) is the caller's matter. Every time is in nanoseconds.
 */
@NullMarked
package io.irqlab.model.machine;

import org.jspecify.annotations.NullMarked;
