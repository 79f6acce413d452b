package io.weir.store;

import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;

/**
 * Where the files of a directory are that maps them just as they are.
 *
 * <p>A wrapper on the way down, or a subclass, that opens files in a way of its own may change what
 * is read, so that the bytes of the file are not those of the directory. Which ones do is told by
 * whose method is called.
 *
 * @param path null when there is none
 * @param reason why there is none, or that there is; a sentence for a person to read
 */
record MappedPath(Path path, String reason) {

  /** That of the directory which {@code in} comes down to. */
  static MappedPath of(Directory in) {
    Directory directory = in;
    while (directory instanceof FilterDirectory filter) {
      if (opensBy(filter) != FilterDirectory.class) {
        return none(filter.getClass().getSimpleName() + " opens files in a way of its own");
      }
      directory = filter.getDelegate();
    }
    if (!(directory instanceof MMapDirectory files)) {
      return none(directory.getClass().getSimpleName() + " maps no files");
    }
    if (opensBy(files) != MMapDirectory.class) {
      return none(files.getClass().getName() + " opens files in a way of its own");
    }
    return new MappedPath(files.getDirectory(), "MMapDirectory would map them");
  }

  static MappedPath none(String reason) {
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
