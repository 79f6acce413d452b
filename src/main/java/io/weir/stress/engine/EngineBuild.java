package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.rest.EngineClient;
import io.weir.stress.arm.StopRequest;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
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

  private static final int BULK_BYTES = 2 << 20;

  /** Fewer than a natural merge takes at once, so that none begins before the large merge. */
  private static final int SEGMENTS = 8;

  /** Until it is known how many documents there are, a segment has so many. */
  private static final long SEGMENT_DOCUMENTS = 25_000;

  private final Setup setup;
  private final ReadProblems problems;
  private final StopRequest stop = new StopRequest();
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
    try (EngineAccess.Connection connection = setup.access().open(stop)) {
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
    long filled;
    try {
      filled = send(index);
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

  /**
   * Sends all documents, in bulks. It flushes now and then, so that the large merge finds several
   * segments.
   *
   * @return how many, or 0 when it was stopped
   */
  private long send(EngineIndex index) throws IOException, InterruptedException {
    Documents from = setup.wanted().from();
    DocumentSource source = DocumentSources.parse(from.source(), from.seed());
    long most = from.maxDocuments() == 0 ? Long.MAX_VALUE : from.maxDocuments();
    long known = Math.min(most, source.documentCount().orElse(Long.MAX_VALUE));
    long perSegment =
        known == Long.MAX_VALUE
            ? SEGMENT_DOCUMENTS
            : Math.max(1, (known + SEGMENTS - 1) / SEGMENTS);
    EngineIndex.Bulk bulk = index.bulk();
    DocumentVectors vectors = DocumentVectors.of(from);
    long sent = 0;
    try (DocumentReader reader = source.open(problems)) {
      for (CorpusDocument text = reader.next(); text != null && sent < most; text = reader.next()) {
        if (stop.isAsked()) {
          return 0;
        }
        String key = DocumentKeys.of(sent, from.seed());
        bulk.add(new Updater.Update(key, text, vectors.of(sent++, text)));
        if (bulk.bytes() >= BULK_BYTES || sent % perSegment == 0) {
          bulk.send();
          documents = sent;
        }
        if (sent % perSegment == 0) {
          index.flush();
        }
      }
    }
    if (bulk.bytes() > 0) {
      bulk.send();
    }
    return sent;
  }
}
