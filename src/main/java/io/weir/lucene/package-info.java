/**
 * What Weir knows of Lucene's insides: ring 2, uses lucene-core alone.
 *
 * <p>Each class names one piece of undocumented behavior as a predicate, with its source in Lucene.
 * No other package parses a file name, a class name, a stack frame or a log message of Lucene's.
 *
 * <p>{@link io.weir.lucene.SegmentFiles} reads the names of segment files; {@link
 * io.weir.lucene.MergeAborts} knows where an exception ends a merge and nothing else.
 */
package io.weir.lucene;
