package io.weir.store;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;

/**
 * Which fields are primary keys, whose terms dictionary is to be held in memory, and how much
 * memory that may take. Two things act on it, and each needs the other: {@link #codec} writes the
 * dictionary of the key fields to files of its own, {@link ResidentDirectory} holds these files.
 *
 * <p>An update or a delete by key looks the key up in the dictionary of each segment. When the
 * dictionary is mapped from disk, that lookup is a page fault, and while a merge keeps the disk
 * busy every reopen waits for hundreds of them.
 *
 * @param fields names of the key fields: one term for each document, and few fields, because all of
 *     the dictionary of each is held. At least one
 * @param maxBytes most that one directory holds, within the bound of the process for all of them,
 *     {@link ResidentMemory#ofKeys}; dictionaries beyond it are read from below, as without Weir,
 *     until there is room. At least 0 bytes. {@link #NO_BOUND_OF_ITS_OWN} by default; in the page
 *     cache, where the bound of the process does not count, there is none then
 * @param residence in which memory; the heap by default
 */
public record ResidentKeys(Set<String> fields, long maxBytes, KeyResidence residence) {

  /** The bound of an index that only the bound of the process bounds. */
  public static final long NO_BOUND_OF_ITS_OWN = Long.MAX_VALUE;

  /** Refuses what is out of range; copies the names. */
  public ResidentKeys {
    fields = Set.copyOf(fields);
    Objects.requireNonNull(residence, "residence");
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("fields must name at least one key field: none");
    }
    if (maxBytes < 0) {
      throw new IllegalArgumentException("maxBytes must be at least 0 bytes: " + maxBytes);
    }
  }

  /** These key fields, on the heap, bounded by the process alone. */
  public static ResidentKeys of(String... fields) {
    return new ResidentKeys(new TreeSet<>(Set.of(fields)), NO_BOUND_OF_ITS_OWN, KeyResidence.HEAP);
  }

  /** These fields, with another bound. */
  public ResidentKeys withMaxBytes(long newMaxBytes) {
    return new ResidentKeys(fields, newMaxBytes, residence);
  }

  /** These fields and bound, in another memory. */
  public ResidentKeys withResidence(KeyResidence newResidence) {
    return new ResidentKeys(fields, maxBytes, newResidence);
  }

  /** {@link #codec(Codec)} over Lucene's default. */
  public Codec codec() {
    return codec(Codec.getDefault());
  }

  /**
   * A codec for {@code IndexWriterConfig.setCodec} that writes the postings of the key fields to
   * files of their own, and all else as {@code delegate} does. It has the delegate's name and
   * formats, so the index is read, merged and checked wherever the delegate is known, without Weir.
   * A flush of less than a mebibyte leaves the keys where {@code delegate} puts them, because more
   * files would delay the reopen that waits for them; its whole dictionary is held. Segments that
   * were written otherwise keep their files until they are merged.
   *
   * @throws IllegalArgumentException when {@code delegate} does not choose the postings format by
   *     field, as Lucene's own codecs do
   */
  public Codec codec(Codec delegate) {
    return new ResidentKeysCodec(delegate, fields);
  }
}
