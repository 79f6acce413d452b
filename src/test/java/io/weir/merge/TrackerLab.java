package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.CountingDirectory;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.store.Directory;

/** An index whose merges run in Lucene's own scheduler, and are tracked. */
final class TrackerLab {

  final ByteBudget budget;
  final MergeTracker tracker;
  final MergeLab.Recorder recorder = new MergeLab.Recorder();
  final ConcurrentMergeScheduler scheduler =
      new ConcurrentMergeScheduler() {
        @Override
        protected void handleMergeException(Throwable failure) {} // tests cause some
      };
  final CountingDirectory disk;
  final RateLimitedDirectory directory;

  TrackerLab(Directory disk, ByteBudget budget) {
    this.budget = budget;
    this.tracker = new MergeTracker(budget);
    this.disk = new CountingDirectory(disk);
    this.directory = new RateLimitedDirectory(this.disk, budget);
    tracker.addListener(recorder);
  }

  IndexWriterConfig config() {
    return config(scheduler);
  }

  IndexWriterConfig config(MergeScheduler merges) {
    IndexWriterConfig config = MergeLab.config(merges);
    return config.setMergePolicy(tracker.track(config.getMergePolicy()));
  }

  IndexWriter open() throws IOException {
    return new IndexWriter(directory, config());
  }

  IndexWriter open(MergePolicy policy) throws IOException {
    return new IndexWriter(directory, config().setMergePolicy(tracker.track(policy)));
  }

  /**
   * Ends the cap. Declared after the writer it is closed before: a writer that closes would wait
   * for ever for the merges that a failed test has left.
   */
  AutoCloseable unlimitedInTheEnd() {
    return () -> {
      tracker.setLifted(true);
      budget.setRate(Rate.UNLIMITED);
    };
  }

  void awaitWaiting() {
    Await.until("a merge waits", () -> budget.snapshot().waiting() > 0);
  }

  void awaitNoneRuns() {
    Await.until("no merge runs", () -> tracker.running().isEmpty());
  }

  /** Nothing runs, waits or is bound any more; each merge that began has ended. */
  void checkSettled() {
    awaitNoneRuns();
    assertEquals(0, budget.snapshot().waiting());
    assertEquals(recorder.started.size(), recorder.finished.size());
    for (MergeKind kind : MergeKind.values()) {
      assertEquals(0, tracker.totals(kind).running(), kind::name);
    }
  }
}
