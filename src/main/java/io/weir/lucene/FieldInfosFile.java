package io.weir.lucene;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * Reads the field infos of a segment without its segment info, and the file names that follow from
 * them.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene94FieldInfosFormat}, {@code PerFieldPostingsFormat} (the
 * attributes of a field, and the file-name suffix made of them). Elasticsearch 9.5.3, {@code
 * ES87BloomFilterPostingsFormat} (the name and the suffix of what it wraps).
 */
public final class FieldInfosFile {

  /** The attribute of a field with the name of its postings format. */
  static final String POSTINGS_FORMAT = PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY;

  /** Elasticsearch's postings format with a Bloom filter on the disk. */
  private static final String BLOOM_FILTER = "ES87BloomFilter";

  /** Names the files of the first format that a Bloom filter wraps; in practice the only one. */
  private static final String WRAPPED_GROUP = "0";

  private FieldInfosFile() {}

  /**
   * Reads field infos.
   *
   * @param bytes the file named {@link SegmentFiles#fieldInfosOf}
   * @throws IOException if these are not field infos that Lucene's default codec can read
   */
  public static FieldInfos read(String segment, byte[] bytes) throws IOException {
    try (Directory nothing = new ByteBuffersDirectory();
        Directory file = new OneFile(nothing, bytes)) {
      SegmentInfo info = SegmentId.infoFrom(input(bytes), file, segment, Codec.getDefault());
      return info.getCodec().fieldInfosFormat().read(file, info, "", IOContext.READONCE);
    }
  }

  /**
   * The group of postings files that contains the field, for {@link SegmentFiles#termsBlocks}.
   * Fields that use the same instance of a postings format share a group. Empty for a field without
   * postings, and for a codec that does not choose the format per field.
   */
  public static Optional<String> postingsGroupOf(FieldInfo field) {
    String format = field.getAttribute(POSTINGS_FORMAT);
    String number = field.getAttribute(PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY);
    return field.getIndexOptions() == IndexOptions.NONE || format == null || number == null
        ? Optional.empty()
        : Optional.of(format + "_" + number);
  }

  /**
   * The group with the field's terms, for {@link SegmentFiles#termsBlocks}: {@link
   * #postingsGroupOf}, or what a Bloom filter of that group wraps.
   */
  public static Optional<String> termsGroupOf(FieldInfo field) {
    return postingsGroupOf(field).map(group -> hasFilter(field) ? WRAPPED_GROUP : group);
  }

  /** The group with the Bloom filter of the field, for {@link SegmentFiles#termsFilter}. */
  public static Optional<String> filterGroupOf(FieldInfo field) {
    return postingsGroupOf(field).filter(group -> hasFilter(field));
  }

  private static boolean hasFilter(FieldInfo field) {
    return BLOOM_FILTER.equals(field.getAttribute(POSTINGS_FORMAT));
  }

  private static IndexInput input(byte[] bytes) {
    return new ByteBuffersIndexInput(
        new ByteBuffersDataInput(List.of(ByteBuffer.wrap(bytes))), "field infos");
  }

  /** Returns the same bytes for any file name. */
  private static final class OneFile extends FilterDirectory {

    private final byte[] bytes;

    OneFile(Directory nothing, byte[] bytes) {
      super(nothing);
      this.bytes = bytes;
    }

    @Override
    public IndexInput openInput(String name, IOContext context) {
      return input(bytes);
    }
  }
}
