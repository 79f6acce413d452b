/**
 * Documents to index: ring 4, uses the JDK, commons-compress and zstd-jni.
 *
 * <p>{@link io.weir.corpus.DocumentSource} is a source of documents, which {@link
 * io.weir.corpus.DocumentSources} chooses by its specification. It opens a {@link
 * io.weir.corpus.DocumentReader}, which returns one {@link io.weir.corpus.CorpusDocument} after the
 * other, with at most one in memory. Every reader returns the same documents in the same order.
 * Unusable input is recorded in {@link io.weir.corpus.ReadProblems}, and reading continues. A
 * broken corpus ends at the break; it is an error only if there is no good document before.
 *
 * <p>Behind that:
 *
 * <ul>
 *   <li><b>Synthetic text.</b> {@code SyntheticText} makes document i of a seed from {@code
 *       SplitMix64}, with words that {@code ZipfSampler} draws from the {@code Vocabulary}. It is
 *       pinned to the byte on every JVM: own generator, integer arithmetic, {@code StrictMath}, no
 *       hash order, no locale.
 *   <li><b>A file.</b> {@code FileSource} detects {@code Compression} and {@code FileFormat} from
 *       the content before any work starts, then {@code LineFileReader} (over {@code LineSplitter}
 *       and {@code LineColumns}) or {@code WikipediaReader} (StAX over {@code Utf8Reader}) reads
 *       it.
 *   <li><b>A tree of text files.</b> {@code TreeSource}, walked in a fixed order by {@code
 *       TreeWalk} and read by {@code TreeReader}.
 * </ul>
 *
 * <p>All text is UTF-8. Invalid bytes become U+FFFD, and the document is kept; {@code Utf8} tells
 * where they were. {@code DocumentDate} reads dates; a document whose date cannot be read carries
 * the epoch and is counted as undated, not as malformed.
 */
package io.weir.corpus;
