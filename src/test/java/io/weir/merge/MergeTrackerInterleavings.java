package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.interleavings.Actors;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import java.io.IOException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/**
 * Threads around a forced merge of a writer that is tracked. The budget is paused, so a wake-up
 * that is lost leaves a merge that never ends.
 */
final class MergeTrackerInterleavings {

  private static final int DOCUMENTS = 2;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED));
  private final MergeTracker tracker = new MergeTracker(budget);
  private final MergeLab.Recorder recorder = new MergeLab.Recorder();
  private final Directory disk = new ByteBuffersDirectory();

  /** Whether it is cancelled before it begins, while it waits or after its end, it ends. */
  void cancel_againstAForcedMerge_endsItOnce() throws Exception {
    try (IndexWriter writer = open()) {
      Actors.run(
          () -> merge(writer),
          () -> {
            tracker.cancelForcedMerges();
            budget.setRate(Rate.UNLIMITED); // for one that began later
          });
    }
    assertSettled();
  }

  /** Lifting releases the merge, wherever it is. */
  void setLifted_againstAForcedMerge_releasesIt() throws Exception {
    try (IndexWriter writer = open()) {
      Actors.run(() -> merge(writer), () -> tracker.setLifted(true));
    }
    assertSettled();
    assertEquals(1, tracker.totals(MergeKind.FORCED).done());
  }

  /** The writer aborts what it can, and waits for the rest. */
  void rollback_againstAForcedMerge_endsIt() throws Exception {
    try (IndexWriter writer = open()) {
      Actors.run(() -> merge(writer), writer::rollback);
    }
    assertSettled();
  }

  /** What is shown while a merge begins and ends is of one moment. */
  void running_whileAMergeBeginsAndEnds_showsItOnce() throws Exception {
    budget.setRate(Rate.UNLIMITED);
    try (IndexWriter writer = open()) {
      Actors.run(
          () -> merge(writer),
          () -> {
            assertTrue(tracker.running().size() <= 1, "running");
            assertTrue(tracker.unfinishedMerges() <= 1, "unfinished");
            assertTrue(tracker.totals(MergeKind.FORCED).running() <= 1, "counted as running");
          });
    }
    assertSettled();
    assertEquals(1, tracker.totals(MergeKind.FORCED).done());
  }

  private IndexWriter open() throws IOException {
    MergeLab.build(disk, 2, DOCUMENTS / 2, (document, random) -> {});
    tracker.addListener(recorder);
    IndexWriterConfig config = MergeLab.config(new SerialMergeScheduler());
    return new IndexWriter(
        new RateLimitedDirectory(disk, budget),
        config.setMergePolicy(tracker.track(config.getMergePolicy())));
  }

  /** One that is stopped tells so by an exception, of which Lucene has several. */
  private static void merge(IndexWriter writer) {
    try {
      writer.forceMerge(1);
    } catch (MergePolicy.MergeException | IOException | IllegalStateException e) {
      // The test looks at what is left.
    }
  }

  private void assertSettled() throws IOException {
    assertEquals(0, tracker.running().size(), "running");
    assertEquals(0, tracker.unfinishedMerges(), "running or pending");
    assertEquals(0, budget.snapshot().waiting(), "in the queue");
    assertEquals(recorder.started.size(), recorder.finished.size(), "told of");
    MergeKindTotals totals = tracker.totals(MergeKind.FORCED);
    assertEquals(0, totals.running(), "counted as running");
    assertEquals(recorder.started.size(), totals.done() + totals.aborted() + totals.failed());
    MergeLab.check(disk, DOCUMENTS);
  }
}
