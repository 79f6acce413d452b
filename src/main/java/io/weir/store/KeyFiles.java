package io.weir.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.ByteBuffersIndexInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;

/**
 * Which files of a segment are terms dictionaries to hold: those of key fields alone, however long,
 * and short ones that key fields share with others. The decision behind {@link ResidentDirectory},
 * read off the segment's own field infos, because the number in a file's name depends on which
 * field came first.
 *
 * <p>Two files are enough: the blocks of terms and their index. The third of a dictionary, {@code
 * .tmd}, is read when it is opened and never again; and a term that only one document has carries
 * that document with it, so no postings file is read.
 *
 * <p>Source: Lucene 10.5.1, {@code PerFieldPostingsFormat} (attributes and names), {@code
 * Lucene103BlockTreeTermsReader} (files), {@code Lucene104PostingsWriter} (single documents),
 * {@code CodecUtil.writeIndexHeader}.
 */
final class KeyFiles {

  /** Of a segment whose field infos are not known: none. */
  static final KeyFiles NONE = new KeyFiles(Set.of(), Set.of(), 0);

  private static final String TERMS_EXTENSION = "tim";
  private static final String TERMS_INDEX_EXTENSION = "tip";
  private static final String FIELD_INFOS_EXTENSION = "fnm";

  private final Set<String> alone;
  private final Set<String> shared;
  private final long maxSharedBytes;

  private KeyFiles(Set<String> alone, Set<String> shared, long maxSharedBytes) {
    this.alone = alone;
    this.shared = shared;
    this.maxSharedBytes = maxSharedBytes;
  }

  /** Whether a file of this name may be a dictionary, of key fields or others. */
  static boolean mayInclude(String name) {
    String extension = IndexFileNames.getExtension(name);
    return TERMS_EXTENSION.equals(extension) || TERMS_INDEX_EXTENSION.equals(extension);
  }

  /** The file that {@link #of} wants the bytes of. */
  static String fieldInfosName(String segment) {
    return IndexFileNames.segmentFileName(segment, "", FIELD_INFOS_EXTENSION);
  }

  /**
   * Whether to hold the file of this name.
   *
   * @param blocksBytes how long the file of {@link #blocksName} is: a dictionary is held as a whole
   *     or not at all, because its index alone spares no read
   */
  boolean include(String name, long blocksBytes) {
    return alone.contains(name) || blocksBytes <= maxSharedBytes && shared.contains(name);
  }

  /** The blocks of terms in the dictionary of which {@code name} is a file. */
  static String blocksName(String name) {
    return IndexFileNames.stripExtension(name) + "." + TERMS_EXTENSION;
  }

  /**
   * Those of one segment.
   *
   * @param maxSharedBytes the most bytes of terms, in blocks, of a dictionary to hold that is not
   *     of key fields alone
   * @throws IOException when these are no field infos that Lucene's default codec reads
   */
  static KeyFiles of(String segment, byte[] fieldInfos, Set<String> keyFields, long maxSharedBytes)
      throws IOException {
    Set<String> ofKeys = new HashSet<>();
    Set<String> ofOthers = new HashSet<>();
    for (FieldInfo field : read(segment, fieldInfos)) {
      String format = field.getAttribute(PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY);
      String number = field.getAttribute(PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY);
      if (field.getIndexOptions() != IndexOptions.NONE && format != null && number != null) {
        String group = format + "_" + number;
        Set<String> names = keyFields.contains(field.name) ? ofKeys : ofOthers;
        names.add(IndexFileNames.segmentFileName(segment, group, TERMS_EXTENSION));
        names.add(IndexFileNames.segmentFileName(segment, group, TERMS_INDEX_EXTENSION));
      }
    }
    Set<String> shared = new HashSet<>(ofKeys);
    shared.retainAll(ofOthers);
    ofKeys.removeAll(shared);
    return new KeyFiles(ofKeys, shared, maxSharedBytes);
  }

  private static FieldInfos read(String segment, byte[] bytes) throws IOException {
    try (Directory nothing = new ByteBuffersDirectory();
        Directory file = new OneFile(nothing, bytes)) {
      SegmentInfo info =
          new SegmentInfo(
              file,
              Version.LATEST,
              null,
              segment,
              0,
              false,
              false,
              Codec.getDefault(),
              Map.of(),
              segmentId(input(bytes)),
              Map.of(),
              null);
      return info.getCodec().fieldInfosFormat().read(file, info, "", IOContext.READONCE);
    }
  }

  /** Every file of a segment has it in its header; a reader must bring it, and we have no other. */
  private static byte[] segmentId(IndexInput input) throws IOException {
    CodecUtil.readBEInt(input);
    input.readString();
    CodecUtil.readBEInt(input);
    byte[] id = new byte[StringHelper.ID_LENGTH];
    input.readBytes(id, 0, id.length);
    return id;
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
