package io.weir.corpus;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * A source of documents: synthetic, a file, or a tree of text files.
 *
 * <p><b>Threads:</b> any; a source is immutable, and the readers that it opens are independent.
 */
public interface DocumentSource {

  /**
   * Opens a reader at the first document. Every reader returns the same documents in the same
   * order, as long as the files do not change.
   *
   * @param problems receives the input that this reader could not use
   */
  DocumentReader open(ReadProblems problems) throws IOException;

  /** A description: {@code synthetic:200000, seed 1}, or the path as given. */
  String describe();

  /** The number of documents; absent if unknown before reading. */
  OptionalLong documentCount();

  /**
   * An estimate of the UTF-8 text in all documents, without reading them. It is close for synthetic
   * text. For a plain file it is the file's size including markup, for a tree the sizes of all
   * files including binaries. For a compressed file it is the size times a typical ratio: 3 for
   * gzip and zstd, 4 for bzip2 and xz.
   */
  OptionalLong textBytes();

  /**
   * The directories of Weir's own runs and indexes in the tree, whose files are no documents. Empty
   * for other sources.
   */
  default List<Path> leftOut() {
    return List.of();
  }
}
