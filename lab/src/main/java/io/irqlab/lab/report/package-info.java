/**
 * What a run reports, and the forms in which it is printed: a table, JSON and CSV.
 *
 * <p>{@link io.irqlab.lab.report.RunReport} mirrors the JSON object; the table and the CSV rows are made from it as
 * well. The same configuration and seed give the same bytes, the two wall-clock fields of the JSON aside.
 */
@NullMarked
package io.irqlab.lab.report;

import org.jspecify.annotations.NullMarked;
