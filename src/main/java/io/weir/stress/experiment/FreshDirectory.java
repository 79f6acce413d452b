package io.weir.stress.experiment;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory that is made with the parents it lacks, and taken back with them as far as nothing
 * was put into them: what was refused leaves no trace.
 */
final class FreshDirectory implements AutoCloseable {

  private final List<Path> made = new ArrayList<>(); // the innermost first

  FreshDirectory(Path directory) throws IOException {
    for (Path path = directory.toAbsolutePath();
        path != null && !Files.exists(path);
        path = path.getParent()) {
      made.add(path);
    }
    Files.createDirectories(directory);
  }

  @Override
  public void close() throws IOException {
    for (Path path : made) {
      try {
        Files.deleteIfExists(path);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
    }
  }
}
