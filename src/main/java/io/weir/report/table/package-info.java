/**
 * Tables as content, before a terminal or a browser gives them a form.
 *
 * <p>{@link io.weir.report.table.Table} is where to begin.
 */
package io.weir.report.table;
