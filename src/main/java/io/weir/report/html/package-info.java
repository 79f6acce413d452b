/**
 * The page {@code report.html}: one file that needs no network.
 *
 * <p>{@link io.weir.report.html.HtmlReport} is where to begin.
 */
package io.weir.report.html;
