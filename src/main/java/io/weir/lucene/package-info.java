/**
 * Knowledge of Lucene's internals: ring 2, uses lucene-core only.
 *
 * <p>Each class names one piece of undocumented behavior as a predicate, with its source in Lucene.
 * No other package parses Lucene's file names, class names, stack frames or log messages.
 *
 * <p>{@link io.weir.lucene.SegmentFiles} reads the names of segment files, {@link
 * io.weir.lucene.CompoundSlices} those of slices of a compound file. {@link
 * io.weir.lucene.OpenHints} reads the context of an open, {@link io.weir.lucene.MappedInputs} the
 * class of an input. {@link io.weir.lucene.FieldInfosFile} and {@link
 * io.weir.lucene.FinishedSegment} read a segment before Lucene has opened it.
 *
 * <p>It also hides how versions of Lucene differ, from 9.12 to 10.6: a package-private {@code Link}
 * finds method handles, once. {@link io.weir.lucene.ForwardingIndexInput} forwards what any version
 * asks of an input, slices by a {@link io.weir.lucene.SliceHint}; {@link io.weir.lucene.InputCalls}
 * calls what only some have. {@link io.weir.lucene.ConstantScores} makes scorers. {@link
 * io.weir.lucene.LuceneGaps} lists what Weir does without.
 *
 * <p>{@link io.weir.lucene.Merges} classifies merges, their threads and their segments; {@link
 * io.weir.lucene.MergeAborts} knows where an exception ends a merge. {@link
 * io.weir.lucene.CallingMethod} finds out why Lucene asks for a file, {@link
 * io.weir.lucene.StackFrames} what a stack shows, {@link io.weir.lucene.ReaderMessages} what a
 * reopen logs.
 */
package io.weir.lucene;
