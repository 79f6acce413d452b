package io.weir.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Where documents come from: made up, read from one file, or read from a tree of text files.
 *
 * <p><b>Threads:</b> any; a source is immutable, and each reader it opens is on its own.
 */
public interface DocumentSource {

  /** How many documents {@code synthetic} without a count makes. */
  long DEFAULT_COUNT = 150_000;

  /** The forms {@link #parse} takes, for messages and for help. */
  String FORMS =
      "synthetic[:COUNT], a luceneutil line file (title TAB date TAB body), a Wikipedia"
          + " pages-articles XML (either plain, .gz, .bz2, .xz or .zst), or a directory of text"
          + " files";

  /**
   * The source that {@code spec} names: {@code synthetic}, {@code synthetic:COUNT}, a file or a
   * directory. A file is told by its content, not by its name. A path that is itself called {@code
   * synthetic} is written {@code ./synthetic}.
   *
   * @param seed of the synthetic documents; other sources have no use for it
   * @throws IllegalArgumentException with one clear line if no document can come from there: the
   *     path is missing, unreadable, empty or of another form, or the count is wrong
   */
  static DocumentSource parse(String spec, long seed) {
    if (spec.equals(SyntheticSource.NAME) || spec.startsWith(SyntheticSource.NAME + ":")) {
      return SyntheticSource.parse(spec, seed);
    }
    Path path;
    try {
      path = Path.of(spec);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("documents must be " + FORMS + ": " + spec, e);
    }
    if (spec.isEmpty() || !Files.exists(path)) {
      throw new IllegalArgumentException(
          "documents must be " + FORMS + ": there is no file or directory '" + spec + "'");
    }
    if (!Files.isReadable(path)) {
      throw new IllegalArgumentException("documents must be readable: " + spec);
    }
    return Files.isDirectory(path) ? TreeSource.at(path) : FileSource.at(path);
  }

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
