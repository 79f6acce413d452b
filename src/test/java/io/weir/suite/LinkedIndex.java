package io.weir.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;

/**
 * Copies of an index that is built once, made of hard links. Lucene writes each file once, so the
 * copies do not see each other.
 */
public final class LinkedIndex {

  private LinkedIndex() {}

  /** Copies {@code index}, without its lock, to the new directory {@code copy}; returns that. */
  public static Path copy(Path index, Path copy) throws IOException {
    Files.createDirectories(copy);
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.filter(f -> !f.endsWith(IndexWriter.WRITE_LOCK_NAME)).toList()) {
        Files.createLink(copy.resolve(file.getFileName()), file);
      }
    }
    return copy;
  }
}
