/**
 * Renderers of a finished run: ring 5, uses the result records and {@code host}.
 *
 * <p>Every renderer starts from a run directory, so a run can be rendered again later and
 * elsewhere: {@link io.weir.report.ResultTable} for a terminal, {@link io.weir.report.HtmlReport}
 * for a browser.
 */
package io.weir.report;
