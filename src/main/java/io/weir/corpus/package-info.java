/**
 * Documents to index: ring 4, uses the JDK and commons-compress.
 *
 * <p>{@link io.weir.corpus.DocumentSource} says where documents come from and opens a {@link
 * io.weir.corpus.DocumentReader}, which gives one {@link io.weir.corpus.CorpusDocument} after the
 * other: the same ones in the same order each time, with no more than one in memory. What cannot be
 * used is counted and named in {@link io.weir.corpus.ReadProblems}, and reading goes on; a corpus
 * that breaks keeps what came before the break, and only one without a single good document is an
 * error.
 *
 * <p>Behind that:
 *
 * <ul>
 *   <li><b>Synthetic text.</b> {@code SyntheticText} makes document i of a seed from {@code
 *       SplitMix64}, with words that {@code ZipfSampler} draws from the {@code Vocabulary}. It is
 *       pinned to the byte on every JVM: own generator, integer arithmetic, {@code StrictMath}, no
 *       hash order, no locale.
 *   <li><b>A file.</b> {@code FileSource} tells {@code Compression} and {@code FileFormat} by
 *       content before any work starts, then {@code LineFileReader} (over {@code LineSplitter} and
 *       {@code LineColumns}) or {@code WikipediaReader} (StAX over {@code Utf8Reader}) reads it.
 *   <li><b>A tree of text files.</b> {@code TreeSource}, walked in a fixed order by {@code
 *       TreeWalk} and read by {@code TreeReader}.
 * </ul>
 *
 * <p>All text is UTF-8. Invalid bytes become U+FFFD, and the document is kept; {@code Utf8} tells
 * where they were. {@code DocumentDate} reads dates; a document whose date cannot be read carries
 * the epoch and is counted as undated, not as malformed.
 */
package io.weir.corpus;
