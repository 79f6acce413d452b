package io.weir.stress.engine;

import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import java.io.IOException;
import java.time.Duration;

/**
 * Makes the index of a run in an engine, and fills it.
 *
 * <p><b>Threads:</b> {@link #build} once; {@link #documents} and {@link #stop} from any.
 */
public final class EngineBuild {

  /**
   * What to build.
   *
   * @param wanted the index, not filled yet
   */
  public record Setup(EngineAccess access, EngineStamp wanted) {}

  /** A worker that is to stop has little time. */
  private static final Duration DELETING = Duration.ofSeconds(10);

  private final Setup setup;
  private final ReadProblems problems;
  private final EngineStop stop = new EngineStop();
  private volatile long documents;
  private boolean begun;

  /** An index that is not built yet. */
  public EngineBuild(Setup setup, ReadProblems problems) {
    this.setup = setup;
    this.problems = problems;
  }

  /** Ends it early, and calls that wait for the engine; {@link #build} then returns 0. */
  public void stop() {
    stop.ask();
  }

  /** How many documents it has sent so far. */
  public long documents() {
    return documents;
  }

  /**
   * Builds it; returns how many documents it has, or 0 when this was stopped or there are none to
   * read. Without documents there is no index after it.
   */
  public long build() throws IOException, InterruptedException {
    try (EngineConnection connection = EngineConnection.open(setup.access(), stop)) {
      try {
        return fill(connection.index());
      } catch (IOException e) {
        if (stop.isAsked()) {
          return 0; // the call was ended in its middle
        }
        throw connection.explain(e);
      }
    } finally {
      if (stop.isAsked()) {
        deleteFromCluster();
      }
    }
  }

  /** Otherwise a cluster would keep an index that no run can use. */
  private void deleteFromCluster() throws InterruptedException {
    EngineAccess access = setup.access();
    if (!begun || access.cluster().isEmpty()) {
      return;
    }
    try (EngineClient client = new EngineClient(access.cluster().get(), access.login(), DELETING)) {
      EngineIndex index = EngineIndex.inCluster(access.api(), client, access.index());
      if (index.stamp().filter(setup.wanted()::equals).isPresent()) { // it is not filled
        index.delete();
      }
    } catch (IOException e) {
      // The next run says that the index was not filled to its end.
    }
  }

  private long fill(EngineIndex index) throws IOException, InterruptedException {
    EngineStamp wanted = setup.wanted();
    begun = true;
    index.create(wanted);
    EngineFill fill =
        new EngineFill(index, wanted.from(), problems, sent -> documents = sent, stop::isAsked);
    long filled;
    try {
      filled = fill.fill();
    } catch (NoDocumentsException e) {
      filled = 0;
    }
    if (filled > 0) {
      index.recordFilled(wanted.filled(filled));
    } else if (!stop.isAsked()) {
      index.delete(); // there were no documents
    }
    return filled;
  }
}
