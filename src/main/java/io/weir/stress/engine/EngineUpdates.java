package io.weir.stress.engine;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.UpdateMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Replaces documents that are chosen at random, or adds new ones, a bulk at a time. The texts are
 * the index's own documents from the first one on, and over again.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the documents it reads.
 */
final class EngineUpdates implements OpenLoop.Operation, Closeable {

  /** As many as applications send at once, unless they send fewer in a second. */
  private static final int MOST_AT_ONCE = 10;

  private final EngineIndex index;
  private final UpdateMode mode;
  private final DocumentSource source;
  private final long seed;
  private final long documents;
  private final int atOnce;
  private final FreshUpdates fresh;
  private final ReadProblems problems = new ReadProblems();
  private final SplittableRandom random;
  private final EngineBulk bulk = new EngineBulk();
  private DocumentReader reader;
  private long readTexts; // of this reader
  private long added;

  /**
   * Updates that have not begun.
   *
   * @param from what the index was filled with
   * @param documents how many it got
   * @param perSecond the rate of updates
   * @param fresh hears of each bulk
   */
  EngineUpdates(
      EngineIndex index,
      UpdateMode mode,
      Documents from,
      long documents,
      double perSecond,
      FreshUpdates fresh)
      throws IOException {
    this.index = index;
    this.mode = mode;
    this.source = DocumentSources.parse(from.source(), from.seed());
    this.seed = from.seed();
    this.documents = documents;
    this.atOnce = perSecond < MOST_AT_ONCE ? 1 : MOST_AT_ONCE;
    this.fresh = fresh;
    this.random = new SplittableRandom(seed);
    this.reader = source.open(problems);
  }

  /** How many updates a bulk has. */
  int atOnce() {
    return atOnce;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException, InterruptedException {
    for (int i = 0; i < atOnce; i++) {
      long number = mode == UpdateMode.ADD ? documents + added++ : random.nextLong(documents);
      bulk.add(DocumentKeys.of(number, seed), nextText());
    }
    index.bulk(bulk.take());
    fresh.written(dueNanos);
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  private CorpusDocument nextText() throws IOException {
    CorpusDocument text = readTexts == documents ? null : reader.next(); // there may be more
    if (text == null) {
      reader.close();
      reader = source.open(problems);
      readTexts = 0;
      text = reader.next();
    }
    if (text == null) {
      throw new IOException("there are no documents any more: " + source.describe());
    }
    readTexts++;
    return text;
  }
}
