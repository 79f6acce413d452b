package io.weir.corpus;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Chooses the {@link DocumentSource} that a specification on the command line names. */
public final class DocumentSources {

  /** The number of documents of {@code synthetic} without a count. */
  public static final long DEFAULT_COUNT = SyntheticSource.DEFAULT_COUNT;

  /** The forms that {@link #parse} accepts, for messages and help texts. */
  public static final String FORMS =
      "synthetic[:COUNT], a luceneutil line file (title TAB date TAB body), a Wikipedia"
          + " pages-articles XML (either plain, .gz, .bz2, .xz or .zst), or a directory of text"
          + " files";

  private DocumentSources() {}

  /**
   * The source that {@code spec} names: {@code synthetic}, {@code synthetic:COUNT}, a file or a
   * directory. The content of a file determines its format, not its name. To name a file called
   * {@code synthetic}, write {@code ./synthetic}.
   *
   * @param seed of the synthetic documents; other sources ignore it
   * @throws IllegalArgumentException with a one-line message if the path is missing, unreadable,
   *     empty or of another format, or if the count is invalid
   */
  public static DocumentSource parse(String spec, long seed) {
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
}
