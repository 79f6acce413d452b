package io.weir.store.keys;

import java.util.Optional;

/**
 * The files that are loaded together: the blocks of a terms dictionary with their index, or a
 * filter.
 *
 * @param blocks of the dictionary, or the filter
 * @param index of the blocks; a filter has none
 */
public record DictionaryFiles(DictionaryFile blocks, Optional<DictionaryFile> index) {

  /** Read in a few milliseconds. */
  private static final long SHORT_BYTES = 1 << 20;

  /** How many files these are. */
  int count() {
    return index.isPresent() ? 2 : 1;
  }

  /** The length of the files in bytes; perhaps only a part of it is held. */
  long bytes() {
    return blocks.length() + index.map(DictionaryFile::length).orElse(0L);
  }

  /** Whether it takes no long time to load them: they are short, and nothing is to be found out. */
  boolean areShort() {
    return bytes() <= SHORT_BYTES && blocks.isWhole();
  }
}
