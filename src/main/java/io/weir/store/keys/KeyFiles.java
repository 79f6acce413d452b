package io.weir.store.keys;

import io.weir.lucene.FieldInfosFile;
import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;

/**
 * Decides which terms dictionaries of a segment {@link io.weir.store.ResidentDirectory} holds:
 * those with a key field. It holds all of a dictionary that contains only key fields, or that is
 * short, and only the key fields' blocks of another. It reads the segment's own field infos,
 * because the number in a file's name depends on the order of fields.
 *
 * <p>Two files are enough: the terms blocks and their index. A dictionary's third file, {@code
 * .tmd}, is read only when it is opened. A term with a single document stores that document in the
 * dictionary, so no postings file is read. In Elasticsearch a Bloom filter comes before the
 * dictionary; a lookup reads up to seven places of it.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene103BlockTreeTermsReader} (files), {@code
 * Lucene104PostingsWriter} (single documents).
 */
public final class KeyFiles {

  /** For a segment whose field infos are unknown: none. */
  public static final KeyFiles NONE = new KeyFiles(Set.of(), Set.of(), Set.of(), 0);

  // Dictionaries, named by their blocks files.
  private final Set<String> alone;
  private final Set<String> shared;
  private final Set<String> filters;
  private final long maxSharedBytes;

  private KeyFiles(
      Set<String> alone, Set<String> shared, Set<String> filters, long maxSharedBytes) {
    this.alone = alone;
    this.shared = shared;
    this.filters = filters;
    this.maxSharedBytes = maxSharedBytes;
  }

  /**
   * Decides for one segment.
   *
   * @param maxSharedBytes the longest blocks file of a shared dictionary to hold entirely
   * @throws IOException if these are not field infos that Lucene's default codec can read
   */
  public static KeyFiles of(
      String segment, byte[] fieldInfos, Set<String> keyFields, long maxSharedBytes)
      throws IOException {
    Set<String> ofKeys = new HashSet<>();
    Set<String> ofOthers = new HashSet<>();
    Set<String> filters = new HashSet<>();
    Set<String> filtersOfOthers = new HashSet<>();
    for (FieldInfo field : FieldInfosFile.read(segment, fieldInfos)) {
      boolean isKey = keyFields.contains(field.name);
      FieldInfosFile.termsGroupOf(field)
          .map(group -> SegmentFiles.termsBlocks(segment, group))
          .ifPresent((isKey ? ofKeys : ofOthers)::add);
      FieldInfosFile.filterGroupOf(field)
          .map(group -> SegmentFiles.termsFilter(segment, group))
          .ifPresent((isKey ? filters : filtersOfOthers)::add);
    }
    Set<String> shared = new HashSet<>(ofKeys);
    shared.retainAll(ofOthers);
    ofKeys.removeAll(shared);
    filters.removeAll(filtersOfOthers);
    return new KeyFiles(ofKeys, shared, filters, maxSharedBytes);
  }

  /** The dictionaries with a key field, named by their blocks files. */
  public Set<String> dictionaries() {
    Set<String> all = new HashSet<>(alone);
    all.addAll(shared);
    return all;
  }

  /** The Bloom filters of key fields alone. */
  public Set<String> filters() {
    return filters;
  }

  /** Whether to hold the file of this name, or parts of it. */
  public boolean include(String name) {
    if (SegmentFiles.isTermsFilter(name)) {
      return filters.contains(name);
    }
    String blocks = SegmentFiles.termsBlocksOf(name);
    return SegmentFiles.isTermsDictionary(name)
        && (alone.contains(blocks) || shared.contains(blocks));
  }

  /** Whether to hold all of an included file; only the blocks of a dictionary have parts. */
  public boolean isWhole(String name, long bytes) {
    return !shared.contains(name) || bytes <= maxSharedBytes;
  }
}
