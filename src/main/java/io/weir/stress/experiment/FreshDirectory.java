package io.weir.stress.experiment;

import io.weir.run.FailureWords;
import io.weir.stress.experiment.StressException.Kind;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A directory that is created with its missing parents. Closing deletes those of them that are
 * still empty, so that a refused run leaves no trace.
 */
public final class FreshDirectory implements AutoCloseable {

  private final List<Path> made = new ArrayList<>(); // the innermost first

  /**
   * Creates one that the user named.
   *
   * @param option the name of what names it
   * @throws StressException if it cannot be made
   */
  public static FreshDirectory make(String option, Path directory) throws StressException {
    try {
      return new FreshDirectory(directory);
    } catch (IOException e) {
      throw new StressException(
          Kind.USAGE,
          "%s must be a directory that can be made: %s (%s)"
              .formatted(option, directory, FailureWords.of(e)));
    }
  }

  /** Creates it. */
  FreshDirectory(Path directory) throws IOException {
    for (Optional<Path> path = Optional.of(directory.toAbsolutePath());
        path.isPresent() && !Files.exists(path.get());
        path = path.map(Path::getParent)) {
      made.add(path.get());
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
