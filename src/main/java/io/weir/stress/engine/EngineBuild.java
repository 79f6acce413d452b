package io.weir.stress.engine;

import io.weir.corpus.ReadProblems;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.CompoundFiles;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Makes the index of a run in an engine, and fills it.
 *
 * <p><b>Threads:</b> {@link #build} once; {@link #documents} from any.
 */
public final class EngineBuild {

  /**
   * What to build.
   *
   * @param expectedDocuments how many there will be, for progress; 0 if unknown
   */
  public record Setup(
      EngineAccess access,
      Documents documents,
      int shards,
      CompoundFiles compound,
      long expectedDocuments) {}

  private final Setup setup;
  private final ReadProblems problems;
  private final BooleanSupplier stopped;
  private volatile long documents;

  /** An index that is not built yet. */
  public EngineBuild(Setup setup, ReadProblems problems, BooleanSupplier stopped) {
    this.setup = setup;
    this.problems = problems;
    this.stopped = stopped;
  }

  /** How many documents it has sent so far. */
  public long documents() {
    return documents;
  }

  /** Builds it; returns how many documents it has, or 0 when this was stopped. */
  public long build() throws IOException, InterruptedException {
    try (EngineConnection connection = EngineConnection.open(setup.access(), stopped)) {
      try {
        return fill(connection.index());
      } catch (IOException e) {
        throw connection.explain(e);
      }
    }
  }

  private long fill(EngineIndex index) throws IOException, InterruptedException {
    index.create(
        setup.documents(), setup.shards(), setup.compound(), setup.access().server().isPresent());
    EngineFill fill =
        new EngineFill(index, setup.documents(), problems, sent -> documents = sent, stopped);
    long filled = fill.fill();
    if (filled > 0) {
      index.recordFilled(setup.documents(), filled);
    }
    return filled;
  }
}
