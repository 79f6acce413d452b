package io.weir.store.held;

import java.nio.file.Path;
import java.util.Objects;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;

/**
 * The path of a directory whose files are mapped unchanged.
 *
 * <p>A wrapper or subclass that overrides {@code openInput} may change the bytes, for example
 * decrypt them. Then the file's bytes are not those of the directory. This class detects such
 * overrides.
 *
 * @param path null if there is none
 * @param reason a sentence that explains why there is a path, or none
 */
public record MappedPath(Path path, String reason) {

  /** The path of the directory at the bottom of {@code in}. */
  public static MappedPath of(Directory in) {
    Directory directory = in;
    while (directory instanceof FilterDirectory filter) {
      if (opensBy(filter) != FilterDirectory.class) {
        return none(filter.getClass().getSimpleName() + " overrides openInput");
      }
      directory = filter.getDelegate();
    }
    if (!(directory instanceof MMapDirectory files)) {
      return none(directory.getClass().getSimpleName() + " maps no files");
    }
    if (opensBy(files) != MMapDirectory.class) {
      return none(files.getClass().getName() + " overrides openInput");
    }
    return new MappedPath(files.getDirectory(), "MMapDirectory would map them");
  }

  /** A path that the creator of the directory states. */
  public static MappedPath known(Path path) {
    return new MappedPath(
        Objects.requireNonNull(path, "path"), "the files are known to be read unchanged");
  }

  public static MappedPath none(String reason) {
    return new MappedPath(null, reason);
  }

  private static Class<?> opensBy(Directory directory) {
    try {
      return directory
          .getClass()
          .getMethod("openInput", String.class, IOContext.class)
          .getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new AssertionError("every directory opens files", e);
    }
  }
}
