/**
 * What Weir knows of Lucene's insides: ring 2, uses lucene-core alone.
 *
 * <p>Each class names one piece of undocumented behavior as a predicate, with its source in Lucene.
 * No other package parses a file name, a class name, a stack frame or a log message of Lucene's.
 *
 * <p>{@link io.weir.lucene.SegmentFiles} reads the names of segment files, {@link
 * io.weir.lucene.CompoundSlices} those of slices of a compound file. {@link
 * io.weir.lucene.OpenHints} reads the context of an open, {@link io.weir.lucene.MappedInputs} the
 * class of an input. {@link io.weir.lucene.FieldInfosFile} and {@link
 * io.weir.lucene.FinishedSegment} read a segment before Lucene has opened it.
 *
 * <p>{@link io.weir.lucene.Merges} tells merges, their threads and their segments apart; {@link
 * io.weir.lucene.MergeAborts} says where an exception ends one. {@link
 * io.weir.lucene.CallingMethod} says what Lucene does when it asks for a file, {@link
 * io.weir.lucene.StackFrames} what a stack shows, {@link io.weir.lucene.ReaderMessages} what a
 * reopen logs.
 */
package io.weir.lucene;
