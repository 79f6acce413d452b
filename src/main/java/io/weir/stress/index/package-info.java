/**
 * The index of a stress run. {@link io.weir.stress.index.IndexSchema} turns documents into Lucene's
 * and {@link io.weir.stress.index.DocumentKeys} names them; {@link
 * io.weir.stress.index.IndexBuilder} builds the index that every arm starts from, and {@link
 * io.weir.stress.index.IndexStamp} tells later runs what it holds.
 */
package io.weir.stress.index;
