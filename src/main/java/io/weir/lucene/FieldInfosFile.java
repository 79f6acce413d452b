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
 * The field infos of a segment, read without the segment info, and what they say about files.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene94FieldInfosFormat}, {@code PerFieldPostingsFormat} (the
 * attributes of a field, and the suffix of file names that it makes of them).
 */
public final class FieldInfosFile {

  private FieldInfosFile() {}

  /**
   * Reads them.
   *
   * @param bytes the file named {@link SegmentFiles#fieldInfosOf}
   * @throws IOException when these are no field infos that Lucene's default codec reads
   */
  public static FieldInfos read(String segment, byte[] bytes) throws IOException {
    try (Directory nothing = new ByteBuffersDirectory();
        Directory file = new OneFile(nothing, bytes)) {
      SegmentInfo info = SegmentId.infoFrom(input(bytes), file, segment, Codec.getDefault());
      return info.getCodec().fieldInfosFormat().read(file, info, "", IOContext.READONCE);
    }
  }

  /**
   * The group of postings files that has the field, as {@link SegmentFiles#termsBlocks} takes it.
   * Fields with one instance of a postings format share a group. Empty for a field without
   * postings, and for a codec that does not choose the format by field.
   */
  public static Optional<String> postingsGroupOf(FieldInfo field) {
    String format = field.getAttribute(PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY);
    String number = field.getAttribute(PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY);
    return field.getIndexOptions() == IndexOptions.NONE || format == null || number == null
        ? Optional.empty()
        : Optional.of(format + "_" + number);
  }

  private static IndexInput input(byte[] bytes) {
    return new ByteBuffersIndexInput(
        new ByteBuffersDataInput(List.of(ByteBuffer.wrap(bytes))), "field infos");
  }

  /** Has these bytes for a file, whatever its name. */
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
