package io.weir.corpus;

import java.io.IOException;
import java.util.OptionalLong;

/**
 * Where documents come from: made up, read from one file, or read from a tree of text files.
 *
 * <p><b>Threads:</b> any; a source is immutable, and each reader it opens is on its own.
 */
public interface DocumentSource {

  /**
   * Reads from the first document, again and again: always the same documents in the same order, as
   * long as the files stay as they are.
   *
   * @param problems gets what this reader could not use
   */
  DocumentReader open(ReadProblems problems) throws IOException;

  /** What this is, for people: {@code synthetic:200000, seed 1}, or the path as it was given. */
  String describe();

  /** How many documents there are; absent where only reading would tell. */
  OptionalLong documentCount();

  /**
   * About how many bytes of UTF-8 text there are in all documents, told without reading them: near
   * for synthetic text, the file's size for a plain file (its markup counted), the sizes of all
   * files for a tree (binaries counted), and for a compressed file its size times the factor that
   * text of this kind usually shrinks by, 3 for gzip and zstd, 4 for bzip2 and xz.
   */
  OptionalLong textBytes();
}
