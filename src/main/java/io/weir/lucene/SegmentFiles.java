package io.weir.lucene;

import java.util.Objects;
import java.util.Set;
import org.apache.lucene.index.IndexFileNames;

/**
 * Recognizes the files of a segment, and those of commits, by their names.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexFileNames} (the shape of a name), {@code
 * Lucene90CompoundFormat}, {@code Lucene99SegmentInfoFormat}, {@code
 * Lucene103BlockTreeTermsWriter}, {@code Lucene94FieldInfosFormat} (extensions). Elasticsearch
 * 9.5.3, {@code ES87BloomFilterPostingsFormat} (the filter of a terms dictionary).
 */
public final class SegmentFiles {

  private static final String SEGMENT = "_";
  private static final String SEGMENT_INFO = "si";
  private static final String TEMPORARY = "tmp";
  private static final String COMPOUND_DATA = "cfs";
  private static final String COMPOUND_ENTRIES = "cfe";
  private static final String TERMS = "tim";
  private static final String TERMS_INDEX = "tip";
  private static final String TERMS_FILTER = "bfi";
  private static final String FIELD_INFOS = "fnm";
  private static final String STORED_FIELDS = "fdt";
  private static final String TERM_VECTORS = "tvd";
  private static final String VECTORS = "vec";
  private static final String OF_VECTORS = "ve";
  private static final String VECTOR_GRAPH = "vex";

  private static final Set<String> READ_ONCE_BY_MERGES =
      Set.of(STORED_FIELDS, TERM_VECTORS, "doc", "pos", "pay", "kdd");

  private static final Set<String> MAPPED_BY_MERGES = Set.of("dvd", "nvd", "vex", "veq", "veb");

  private SegmentFiles() {}

  /** The name of the segment that a file, temporary or not, belongs to. */
  public static String segmentOf(String name) {
    return IndexFileNames.parseSegmentName(name);
  }

  /**
   * Whether the file lists the segments of a commit that has not finished. It is renamed then.
   *
   * <p>Source: Lucene 10.5.1, {@code SegmentInfos.prepareCommit} and {@code finishCommit}.
   */
  public static boolean isPendingCommit(String name) {
    return name.startsWith(IndexFileNames.PENDING_SEGMENTS);
  }

  /** Whether this is the segment info, which Lucene writes after all other files of a segment. */
  public static boolean isSegmentInfo(String name) {
    return has(name, SEGMENT_INFO);
  }

  /**
   * Whether these are the field infos of a segment, which a merge writes when it has computed all
   * else.
   *
   * <p>Source: Lucene 9.12.2 and 10.5.1, {@code SegmentMerger.merge}.
   */
  public static boolean isFieldInfos(String name) {
    return has(name, FIELD_INFOS);
  }

  /**
   * Whether the file has graphs of vectors. A merge creates it before it writes their vectors.
   *
   * <p>Source: Lucene 9.12.3 and 10.5.1, {@code Lucene99HnswVectorsWriter}.
   */
  public static boolean isVectorGraph(String name) {
    return has(name, VECTOR_GRAPH);
  }

  /**
   * Whether the file has vectors, graphs of them, or what describes them.
   *
   * <p>Source: Lucene 9.12.3 and 10.5.1, all formats of vectors: {@code vec}, {@code veq}, {@code
   * veb}, {@code vex} and, beginning with {@code vem}, their metadata.
   */
  public static boolean isOfVectors(String name) {
    String extension = IndexFileNames.getExtension(name);
    return extension != null && extension.startsWith(OF_VECTORS);
  }

  /**
   * Whether a merge creates the file only when it has written all vectors and graphs.
   *
   * <p>Source: Lucene 9.12.3 and 10.5.1, {@code SegmentMerger.merge}.
   */
  public static boolean isWrittenAfterVectors(String name) {
    return has(name, TERM_VECTORS) || isFieldInfos(name);
  }

  /** The name of a segment's info. */
  public static String segmentInfoOf(String segment) {
    return IndexFileNames.segmentFileName(segment, "", SEGMENT_INFO);
  }

  /** Whether the file is temporary, that is, deleted before its segment is complete. */
  public static boolean isTemporary(String name) {
    return has(name, TEMPORARY);
  }

  /** Whether the file is a compound file or its table of entries. */
  public static boolean isCompound(String name) {
    return isCompoundData(name) || has(name, COMPOUND_ENTRIES);
  }

  /** Whether the file is a compound file: the data of other files, one after the other. */
  public static boolean isCompoundData(String name) {
    return has(name, COMPOUND_DATA);
  }

  /** The name of the compound file of a segment that has one. */
  public static String compoundDataOf(String segment) {
    return IndexFileNames.segmentFileName(segment, "", COMPOUND_DATA);
  }

  /** The name of that file's table of entries. */
  public static String compoundEntriesOf(String segment) {
    return IndexFileNames.segmentFileName(segment, "", COMPOUND_ENTRIES);
  }

  /**
   * Whether the file is part of a terms dictionary that lookups read: its blocks or their index.
   */
  public static boolean isTermsDictionary(String name) {
    return has(name, TERMS) || has(name, TERMS_INDEX);
  }

  /**
   * Whether the file is the Bloom filter that Elasticsearch asks before it looks a term up in a
   * dictionary.
   */
  public static boolean isTermsFilter(String name) {
    return has(name, TERMS_FILTER);
  }

  /** Whether lookups of terms read the file: a part of a dictionary, or its filter. */
  public static boolean isReadByLookups(String name) {
    return isTermsDictionary(name) || isTermsFilter(name);
  }

  /** The Bloom filter of a group of a per-field postings format. */
  public static String termsFilter(String segment, String group) {
    return IndexFileNames.segmentFileName(segment, group, TERMS_FILTER);
  }

  /** The file with the blocks of the terms dictionary that the file {@code name} belongs to. */
  public static String termsBlocksOf(String name) {
    return IndexFileNames.stripExtension(name) + "." + TERMS;
  }

  /** The file with the index of those blocks. */
  public static String termsIndexOf(String name) {
    return IndexFileNames.stripExtension(name) + "." + TERMS_INDEX;
  }

  /**
   * The file with the blocks of the terms dictionary in one group of a per-field postings format.
   */
  public static String termsBlocks(String segment, String group) {
    return IndexFileNames.segmentFileName(segment, group, TERMS);
  }

  /** The file with the index of those blocks. */
  public static String termsIndex(String segment, String group) {
    return IndexFileNames.segmentFileName(segment, group, TERMS_INDEX);
  }

  /**
   * Whether a merge clones the file before it verifies it, and reads the clone: stored fields and
   * term vectors.
   *
   * <p>Source: Lucene 10.5.1, {@code Lucene90CompressingStoredFieldsReader} and {@code
   * Lucene90CompressingTermVectorsReader}, {@code getMergeInstance} and {@code checkIntegrity}.
   */
  public static boolean isClonedForMerge(String name) {
    return has(name, STORED_FIELDS) || has(name, TERM_VECTORS);
  }

  /**
   * Whether a merge reads the file from its beginning to its end, once, through clones that it
   * makes and keeps to itself: what {@link #isClonedForMerge} says, postings and points. Doc values
   * are read in passes, norms of the merged segment in the order of terms, and both at random where
   * documents are reordered.
   *
   * <p>Source: Lucene 10.5.1, {@code Lucene104PostingsReader}, {@code BKDReader.getPointTree},
   * which keep no clone that they made when they were opened; {@code Lucene90DocValuesConsumer},
   * {@code Lucene104PostingsWriter.startDoc}.
   */
  public static boolean isReadOnceByMerges(String name) {
    return is(name, READ_ONCE_BY_MERGES);
  }

  /**
   * Whether a merge takes parts of the file, one for each field or more, and reads these in passes
   * or at random, right after it has taken them: doc values, norms, graphs and quantized vectors.
   *
   * <p>Source: Lucene 10.5.1, {@code Lucene90DocValuesProducer}, {@code Lucene90NormsProducer},
   * {@code Lucene99HnswVectorsReader}, {@code Lucene104ScalarQuantizedVectorsReader}.
   */
  public static boolean isMappedByMerges(String name) {
    return is(name, MAPPED_BY_MERGES);
  }

  /**
   * Whether all that a merge reads of the file goes through clones and parts that the merge takes
   * itself, once it has asked to verify the file. Metadata and indexes are not such files: their
   * readers keep parts from when they were opened.
   *
   * <p>Source: as of {@link #isReadOnceByMerges} and {@link #isMappedByMerges}; {@code
   * Lucene99FlatVectorsReader.getFloatVectorValues}.
   */
  public static boolean isVerifiedAsMerged(String name) {
    return isReadOnceByMerges(name) || isMappedByMerges(name) || has(name, VECTORS);
  }

  /**
   * What a file of a segment is, without the segment's name: equal for the files that a merge makes
   * one file of.
   */
  public static String kindOf(String name) {
    return IndexFileNames.stripSegmentName(name);
  }

  /** Whether the data of one document follows that of the one before, all fields together. */
  public static boolean isByDocument(String name) {
    return isClonedForMerge(name) || has(name, VECTORS);
  }

  /** The name of the file with a segment's field infos, as written with the segment. */
  public static String fieldInfosOf(String segment) {
    return IndexFileNames.segmentFileName(segment, "", FIELD_INFOS);
  }

  /**
   * Whether the file changes a finished segment: live documents, doc-values updates and their field
   * infos. Lucene writes new ones for each generation of changes, and the name contains the
   * generation.
   */
  public static boolean isChange(String name) {
    try {
      return name.startsWith(SEGMENT)
          && !isTemporary(name)
          && IndexFileNames.parseGeneration(name) > 0;
    } catch (NumberFormatException e) { // a file with a codec's own naming scheme
      return false;
    }
  }

  private static boolean is(String name, Set<String> extensions) {
    String extension = IndexFileNames.getExtension(name);
    return extension != null && extensions.contains(extension);
  }

  private static boolean has(String name, String extension) {
    return Objects.equals(extension, IndexFileNames.getExtension(name));
  }
}
