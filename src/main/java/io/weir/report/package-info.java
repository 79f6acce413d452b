/**
 * Renderers of a finished run: ring 5, uses {@code run} and {@code host}.
 *
 * <p>Every renderer starts from a run directory, so a run can be rendered again later and
 * elsewhere. The rooms; each uses only rooms above it in this list:
 *
 * <ol>
 *   <li>{@link io.weir.report.model} reads the directory; {@link io.weir.report.compare} compares
 *       arms and runs.
 *   <li>{@link io.weir.report.words}: sentences and the spelling of figures.
 *   <li>{@link io.weir.report.table} and {@link io.weir.report.chart}: what to show, without a
 *       form.
 *   <li>{@link io.weir.report.svg} and {@link io.weir.report.text}: pictures, and what a terminal
 *       shows.
 *   <li>{@link io.weir.report.html}: the page.
 * </ol>
 */
package io.weir.report;
