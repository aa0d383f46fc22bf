/**
 * Scenario and profile files: what a run runs on, with the provenance of every number.
 *
 * <p>A scenario file names a machine file, a fio job file and the policies to compare; a machine file names a costs
 * file and drive files. All are YAML, read as a stream of plain scalars (no tags, no aliases, no types of a reader's
 * choice) within limits of size and depth. Every value of a profile is a mapping of {@code value}, {@code unit},
 * {@code grade} and {@code source}. Whatever is wrong in a file ends in one
 * {@link io.irqlab.lab.scenario.InvalidInputException} that names file, line and key.
 *
 * <p>The command and the runner call {@link io.irqlab.lab.scenario.ScenarioCatalog}; the file formats are its own
 * matter.
 */
@NullMarked
package io.irqlab.lab.scenario;

import org.jspecify.annotations.NullMarked;
