package io.weir.lucene;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;

/**
 * The random id of a segment, which is in the header of each of its files. Lucene's readers compare
 * it with the id they expect.
 *
 * <p>Source: Lucene 10.5.1, {@code CodecUtil.writeIndexHeader}.
 */
final class SegmentId {

  private SegmentId() {}

  /**
   * A segment info for reading {@code file}, with only its name, id and codec.
   *
   * @param file any file of the segment, at its beginning
   * @param codec the codec whose formats will read the file
   */
  static SegmentInfo infoFrom(IndexInput file, Directory directory, String segment, Codec codec)
      throws IOException {
    return new SegmentInfo(
        directory,
        Version.LATEST,
        null,
        segment,
        Integer.MAX_VALUE, // of documents: an upper bound for what the files say
        false,
        false,
        codec,
        Map.of(),
        read(file),
        Map.of(),
        null);
  }

  private static byte[] read(IndexInput file) throws IOException {
    CodecUtil.readBEInt(file);
    file.readString();
    CodecUtil.readBEInt(file);
    byte[] id = new byte[StringHelper.ID_LENGTH];
    file.readBytes(id, 0, id.length);
    return id;
  }
}
