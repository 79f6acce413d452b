/**
 * Pages: files that need no network. A {@link io.weir.report.html.Page} is a list of sections, made
 * of the blocks of {@link io.weir.report.html.Html}, of tables and of chart figures.
 *
 * <p>{@link io.weir.report.html.HtmlReport} is the page of a stress run or a sweep.
 */
package io.weir.report.html;
