package io.weir.store;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;

/**
 * The primary-key fields whose terms dictionaries are held in memory, with the memory limit. Use it
 * twice: {@link #codec} writes the dictionary of the key fields to separate files, and {@link
 * ResidentDirectory} holds these files.
 *
 * <p>An update or a delete by key looks the key up in the dictionary of each segment. If the
 * dictionary is mapped from disk, that lookup is a page fault. While a merge keeps the disk busy,
 * every reopen waits for hundreds of them.
 *
 * @param fields names of the key fields, at least one. Each should have one term per document. Name
 *     few fields, because the entire dictionary of each is held
 * @param maxBytes limit for one directory, within the limit of the process for all of them, {@link
 *     ResidentMemory#ofKeys}; at least 0 bytes. Dictionaries beyond it are read from below, as
 *     without Weir, until there is room. The default is {@link #NO_BOUND_OF_ITS_OWN}
 */
public record ResidentKeys(Set<String> fields, long maxBytes) {

  /** No limit for the index itself; the limit of the process applies. */
  public static final long NO_BOUND_OF_ITS_OWN = Long.MAX_VALUE;

  /** Refuses what is out of range; copies the names. */
  public ResidentKeys {
    Objects.requireNonNull(fields, "fields");
    fields = Set.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("fields must name at least one key field: none");
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must be at least 0 bytes: " + maxBytes);
    }
  }

  /** These key fields, limited only by the process. */
  public static ResidentKeys of(String... fields) {
    Objects.requireNonNull(fields, "fields");
    return new ResidentKeys(new TreeSet<>(Set.of(fields)), NO_BOUND_OF_ITS_OWN);
  }

  /** These keys, with another limit. */
  public ResidentKeys withMaxBytes(long newMaxBytes) {
    return new ResidentKeys(fields, newMaxBytes);
  }

  /** {@link #codec(Codec)} around Lucene's default codec. */
  public Codec codec() {
    return codec(Codec.getDefault());
  }

  /**
   * A codec for {@code IndexWriterConfig.setCodec} that writes the postings of the key fields to
   * separate files, and everything else as {@code delegate} does. It has the delegate's name and
   * formats. So any Lucene that has the delegate can read, merge and check the index without Weir.
   * A flush of less than 1 MiB leaves the keys where {@code delegate} puts them, because more files
   * would delay the reopen that waits for them; its entire dictionary is held. Segments written by
   * another codec keep their files until they are merged; of those files, {@link ResidentDirectory}
   * holds what belongs to the keys.
   *
   * @param delegate if it is a codec of this kind, the keys here replace those there
   * @throws IllegalArgumentException if {@code delegate} does not choose the postings format per
   *     field, as Lucene's own codecs do
   */
  public Codec codec(Codec delegate) {
    Objects.requireNonNull(delegate, "delegate");
    return new ResidentKeysCodec(
        delegate instanceof ResidentKeysCodec ofOthers ? ofOthers.delegate() : delegate, fields);
  }
}
