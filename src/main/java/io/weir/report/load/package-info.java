/**
 * The report of a run of {@code weir load}: {@link io.weir.report.load.LoadPage} for a browser,
 * {@link io.weir.report.load.LoadText} for a terminal. {@link io.weir.report.load.Saturations} says
 * where an arm saturates over its rounds.
 */
package io.weir.report.load;
