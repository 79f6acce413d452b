package io.weir.stress.engine;

import io.weir.run.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A data directory that arms start from: a server filled it and has ended. Beside the data it has a
 * stamp that says with what.
 */
public final class EngineData {

  private static final String STAMP = "weir-stress.json";
  private static final String DATA = "data";

  private EngineData() {}

  /** Where the server's own files are. */
  public static Path data(Path directory) {
    return directory.resolve(DATA);
  }

  /** What is in {@code directory}; empty if no run has filled it to its end. */
  public static Optional<EngineStamp> stamp(Path directory) throws IOException {
    Path file = directory.resolve(STAMP);
    return Files.exists(file)
        ? Optional.of(RunJson.read(file, EngineStamp.class))
        : Optional.empty();
  }

  /** Records that the directory is filled. */
  public static void recordFilled(Path directory, EngineStamp stamp) throws IOException {
    RunJson.write(directory.resolve(STAMP), stamp);
  }

  /**
   * Copies the server's files for one arm. Files of Lucene become hard links, because nothing ever
   * changes them; the rest is copied, as a server writes on its transaction log.
   */
  public static void copy(Path directory, Path to) throws IOException {
    FileTree.copy(data(directory), to, EngineData::isOfLucene);
  }

  /** Segments and commits of a shard: {@code .../0/index/_3.cfs}. */
  static boolean isOfLucene(Path file) {
    Path parent = file.getParent();
    String name = file.getFileName().toString();
    return parent != null
        && parent.endsWith("index")
        && name.startsWith("_")
        && name.indexOf('.') > 0;
  }
}
