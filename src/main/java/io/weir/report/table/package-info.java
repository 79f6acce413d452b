/**
 * Tables as content, before a terminal or a browser gives them a form.
 *
 * <p>{@link io.weir.report.table.Sheet} is where to begin: a table as a specification of columns.
 */
package io.weir.report.table;
