package io.weir.lucene;

/**
 * Recognizes which file of a segment a slice of its compound file is.
 *
 * <p>Lucene opens a file inside a compound file as a slice, with the file's name as its
 * description. It opens the segment's field infos before all other files, and the blocks of a terms
 * dictionary before their index.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene90CompoundReader.openInput}, {@code SegmentCoreReaders},
 * {@code Lucene103BlockTreeTermsReader}.
 */
public final class CompoundSlices {

  private CompoundSlices() {}

  /** Whether the slice is the segment's field infos. */
  public static boolean isFieldInfos(String sliceDescription, String segment) {
    return sliceDescription.equals(SegmentFiles.fieldInfosOf(segment));
  }

  /**
   * Whether the slice is a file of a terms dictionary, or its filter; its description is then the
   * file's name.
   */
  public static boolean isReadByLookups(String sliceDescription) {
    return SegmentFiles.isReadByLookups(sliceDescription);
  }
}
