package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.worker.StressMain;
import io.weir.stress.worker.StressMain.IndexMade;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Makes the indexes that arms start from, in a worker.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> an unfinished index is deleted.
 */
final class IndexMaker {

  private final StressPlan plan;
  private final DocumentSource source;
  private final RunContext context;

  IndexMaker(StressPlan plan, DocumentSource source, RunContext context) {
    this.plan = plan;
    this.source = source;
    this.context = context;
  }

  /**
   * Makes the index of {@code layout}: rewrites one that is there, or builds it.
   *
   * @param there how many documents that one holds; 0 when there is none
   * @return how many it holds; 0 when the run was stopped
   */
  long make(IndexLayout layout, SourceIndexes indexes, long there)
      throws StressException, IOException, InterruptedException {
    Path index = indexes.path(layout);
    long expected = there > 0 ? there : expectedDocuments();
    StressMain.Task task =
        indexes
            .origin()
            .<StressMain.Task>map(
                origin -> new StressMain.RewriteIndex(origin, layout, expected, index))
            .orElseGet(() -> new StressMain.BuildIndex(plan.documents(), layout, expected, index));
    FreshDirectory fresh = Preflight.make("--index", index); // or empty, as was checked
    boolean built = false;
    try {
      Optional<IndexMade> answer =
          context.run("index", task, IndexMade.class, "building the index");
      if (answer.isEmpty()) {
        return 0;
      }
      IndexMade made = answer.get();
      made.warning().ifPresent(context.warnings());
      if (made.documents() == 0 && !context.workers().stopped()) {
        throw noDocuments(made, "building the index", plan.documents().source());
      }
      built = made.documents() > 0;
      return made.documents();
    } finally {
      try {
        if (!built) {
          discardUnfinished(index);
        }
      } finally {
        fresh.close();
      }
    }
  }

  /**
   * Deletes what an unfinished build left. The worker of this run has ended, so a locked index
   * belongs to another run that builds it; then this deletes nothing and throws.
   */
  static void discardUnfinished(Path index) throws StressException, IOException {
    IndexLock lock = IndexLock.hold(index);
    try {
      if (!IndexLock.holdsIndex(index)) {
        IndexCopy.deleteFiles(index);
      }
    } finally {
      lock.close();
    }
  }

  private long expectedDocuments() {
    long wanted = plan.documents().maxDocuments();
    long there = source.documentCount().orElse(0);
    return wanted == 0 ? there : there == 0 ? wanted : Math.min(wanted, there);
  }

  /** Why an index has none, although this run was not stopped. */
  static StressException noDocuments(IndexMade made, String doing, String source) {
    return made.stopped()
        ? new StressException(Kind.BROKEN, doing + " failed: another process stopped its JVM")
        : new StressException(
            Kind.USAGE, "--docs must hold at least 1 document that can be read: " + source);
  }
}
