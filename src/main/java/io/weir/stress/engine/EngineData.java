package io.weir.stress.engine;

import io.weir.stress.plan.Documents;
import io.weir.stress.plan.Engine;
import io.weir.stress.result.RunJson;
import io.weir.stress.setting.CompoundFiles;
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

  /**
   * What a data directory holds.
   *
   * @param documents how many there are in its index
   */
  public record Stamp(
      Engine engine, Documents from, int shards, CompoundFiles compound, long documents) {

    /** Whether it is what a run asks for. */
    public boolean answers(
        Engine askedEngine, Documents asked, int askedShards, CompoundFiles askedCompound) {
      return engine == askedEngine
          && from.equals(asked)
          && shards == askedShards
          && compound == askedCompound;
    }
  }

  private EngineData() {}

  /** Where the server's own files are. */
  public static Path data(Path directory) {
    return directory.resolve(DATA);
  }

  /** What is in {@code directory}; empty if no run has filled it to its end. */
  public static Optional<Stamp> stamp(Path directory) throws IOException {
    Path file = directory.resolve(STAMP);
    return Files.exists(file) ? Optional.of(RunJson.read(file, Stamp.class)) : Optional.empty();
  }

  /** Records that the directory is filled. */
  public static void recordFilled(Path directory, Stamp stamp) throws IOException {
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
