package io.weir.store;

import io.weir.lucene.FieldInfosFile;
import io.weir.lucene.SegmentFiles;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.index.FieldInfo;

/**
 * Which terms dictionaries of a segment to hold: those of key fields alone, however long, and short
 * ones that key fields share with others. The decision behind {@link ResidentDirectory}, read off
 * the segment's own field infos, because the number in a file's name depends on which field came
 * first.
 *
 * <p>Two files are enough: the blocks of terms and their index. The third of a dictionary, {@code
 * .tmd}, is read when it is opened and never again; and a term that only one document has carries
 * that document with it, so no postings file is read.
 *
 * <p>Source: Lucene 10.5.1, {@code Lucene103BlockTreeTermsReader} (files), {@code
 * Lucene104PostingsWriter} (single documents).
 */
final class KeyFiles {

  /** Of a segment whose field infos are not known: none. */
  static final KeyFiles NONE = new KeyFiles(Set.of(), Set.of(), 0);

  // Dictionaries by the names of the files with their blocks.
  private final Set<String> alone;
  private final Set<String> shared;
  private final long maxSharedBytes;

  private KeyFiles(Set<String> alone, Set<String> shared, long maxSharedBytes) {
    this.alone = alone;
    this.shared = shared;
    this.maxSharedBytes = maxSharedBytes;
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
    for (FieldInfo field : FieldInfosFile.read(segment, fieldInfos)) {
      Set<String> dictionaries = keyFields.contains(field.name) ? ofKeys : ofOthers;
      FieldInfosFile.postingsGroupOf(field)
          .map(group -> SegmentFiles.termsBlocks(segment, group))
          .ifPresent(dictionaries::add);
    }
    Set<String> shared = new HashSet<>(ofKeys);
    shared.retainAll(ofOthers);
    ofKeys.removeAll(shared);
    return new KeyFiles(ofKeys, shared, maxSharedBytes);
  }

  /** The dictionaries that have a key in them, by the names of the files with their blocks. */
  Set<String> dictionaries() {
    Set<String> all = new HashSet<>(alone);
    all.addAll(shared);
    return all;
  }

  /**
   * Whether to hold the file of this name.
   *
   * @param blocksBytes how long the file with the blocks is: a dictionary is held as a whole or not
   *     at all, because its index alone spares no read
   */
  boolean include(String name, long blocksBytes) {
    String blocks = SegmentFiles.termsBlocksOf(name);
    return SegmentFiles.isTermsDictionary(name)
        && (alone.contains(blocks) || blocksBytes <= maxSharedBytes && shared.contains(blocks));
  }
}
