/**
 * What comes out of a run of {@code weir index}: {@link io.weir.indexing.result.IndexingResult} is
 * all of it, {@link io.weir.indexing.result.CellResult} one cell's part, as plain records.
 *
 * <p>{@link io.weir.indexing.result.IndexingFiles} names the files of the run directory.
 */
package io.weir.indexing.result;
