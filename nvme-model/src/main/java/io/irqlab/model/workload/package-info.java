/**
 * Who submits I/O, and when: fio jobs and recorded traces.
 *
 * <p>{@link io.irqlab.model.workload.FioJobFile} reads a job file, or the arguments of a fio command line, into one
 * {@link io.irqlab.model.workload.JobSpec} for each job. Words, defaults, units and precedence are those of fio 3.x, so
 * that a file from a mailing list means here what it means there. Options fall into three classes: honoured; noted,
 * since they cannot matter to a model without page cache, file system and log files; and refused, since they would
 * matter and the model has nothing for them. {@code docs/fio-options.md} lists all three.
 *
 * <p>Left out of the language: {@code include}, environment variables and fio's keywords ({@code $ncpus}), since a
 * result must follow from its files alone; arithmetic in parentheses; jobs that wait for one another
 * ({@code stonewall}), since the model runs one group of jobs.
 */
@NullMarked
package io.irqlab.model.workload;

import org.jspecify.annotations.NullMarked;
