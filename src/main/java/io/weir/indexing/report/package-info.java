/**
 * How a run of {@code weir index} is shown: {@link io.weir.indexing.report.IndexingAnswer} in
 * sentences, {@link io.weir.indexing.report.IndexingTables} as tables, both on a terminal by {@link
 * io.weir.indexing.report.IndexingText} and in a page by {@link
 * io.weir.indexing.report.IndexingReport}.
 *
 * <p>Rounds of one cell are put together by {@code CellSummary}.
 */
package io.weir.indexing.report;
