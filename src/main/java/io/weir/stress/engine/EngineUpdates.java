package io.weir.stress.engine;

import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.arm.load.UpdateTexts;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.setting.UpdateMode;
import java.io.Closeable;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Replaces documents that are chosen at random, or adds new ones, a bulk at a time, with {@link
 * UpdateTexts}.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the documents it reads.
 */
final class EngineUpdates implements OpenLoop.Operation, Closeable {

  /** As many as applications send at once, unless they send fewer in a second. */
  private static final int USUAL_AT_ONCE = 10;

  /** An engine syncs its log for each bulk, so who updates more sends larger bulks, not more. */
  private static final int MOST_BULKS_PER_SECOND = 5;

  private final UpdateMode mode;
  private final long seed;
  private final long documents;
  private final int atOnce;
  private final FreshUpdates fresh;
  private final UpdateTexts texts;
  private final SplittableRandom random;
  private final EngineBulk bulk;
  private long added;

  /**
   * Updates that have not begun.
   *
   * @param from what the index was filled with
   * @param documents how many it got
   * @param perSecond the rate of updates; its mean decides how many a bulk has
   * @param fresh hears of each bulk
   */
  EngineUpdates(
      EngineIndex index,
      UpdateMode mode,
      Documents from,
      long documents,
      LoadRate perSecond,
      FreshUpdates fresh)
      throws IOException {
    this.bulk = index.bulk();
    this.mode = mode;
    this.seed = from.seed();
    this.documents = documents;
    this.atOnce = atOnce(perSecond.mean());
    this.fresh = fresh;
    this.texts = new UpdateTexts(from, documents);
    this.random = new SplittableRandom(seed);
  }

  /** How many updates a bulk has at that rate. */
  static int atOnce(double perSecond) {
    return perSecond < USUAL_AT_ONCE
        ? 1
        : (int) Math.max(USUAL_AT_ONCE, Math.ceil(perSecond / MOST_BULKS_PER_SECOND));
  }

  /** How many updates a bulk has. */
  int atOnce() {
    return atOnce;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException, InterruptedException {
    for (int i = 0; i < atOnce; i++) {
      long number = mode == UpdateMode.ADD ? documents + added++ : random.nextLong(documents);
      bulk.add(DocumentKeys.of(number, seed), texts.next());
    }
    bulk.send();
    fresh.written(dueNanos);
  }

  @Override
  public void close() throws IOException {
    texts.close();
  }
}
