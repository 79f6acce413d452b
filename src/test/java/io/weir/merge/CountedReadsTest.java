package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.MergeReadMeter.Counter;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What merges read is charged while their budget counts it, which can change at any time. */
@Timeout(60)
class CountedReadsTest {

  private static final long READ_BYTES = 12_345;

  private final ByteBudget budget = ByteBudget.unlimited();

  @Test
  void setCounting_ofASchedulersBudget_holdsForTheNextMerge() throws Exception {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setReadMeter(CountedReadsTest::reader);
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    scheduler.addListener(recorder);
    try (IndexWriter writer =
        new IndexWriter(
            new RateLimitedDirectory(new ByteBuffersDirectory(), budget),
            MergeLab.config(scheduler))) {
      assertFollowsTheBudget(writer, recorder);
    }
  }

  @Test
  void setCounting_ofATrackersBudget_holdsForTheNextMerge() throws Exception {
    TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), budget);
    lab.tracker.setReadMeter(CountedReadsTest::reader);
    lab.tracker.setYield(MergeYield.NEVER); // which leaves the meter as it is
    try (IndexWriter writer = lab.open()) {
      assertFollowsTheBudget(writer, lab.recorder);
    }
  }

  /**
   * Lucene's executor runs a task on the thread that asks where it has no free one, as always with
   * one merge thread.
   */
  @Test
  void reads_afterATaskWithinTheMergeOnItsOwnThread_areStillCounted() throws Exception {
    budget.setCounting(Counting.READS_AND_WRITES);
    AtomicBoolean merged = new AtomicBoolean();
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(1, 1);
    scheduler.setReadMeter(() -> Optional.of(new ReadsAtTheEnd(merged)));
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    scheduler.addListener(recorder);
    IndexWriterConfig config = MergeLab.config(scheduler).setCodec(new ThreadedPointsCodec());
    config.setMergePolicy(
        new OneMergeWrappingMergePolicy(
            config.getMergePolicy(), merge -> new Large(merge, merged)));
    try (IndexWriter writer =
        new IndexWriter(new RateLimitedDirectory(new ByteBuffersDirectory(), budget), config)) {
      for (int i = 0; i < 2; i++) {
        Document document = MergeLab.document(i);
        document.add(new LongPoint("point", i));
        writer.addDocument(document);
        writer.flush();
      }
      writer.forceMerge(1);
      Await.until("the merge has ended", () -> recorder.finished.size() == 1);
      assertEquals(OptionalLong.of(READ_BYTES), recorder.finished.getLast().readBytes());
    }
  }

  @Test
  void countsReads_ofAShare_followsTheWhole() {
    ByteBudget share = budget.child(BudgetOptions.named("share"));
    assertFalse(share.countsReads());

    budget.setCounting(Counting.READS_AND_WRITES);

    assertTrue(share.countsReads());
    share.setCounting(Counting.WRITES);
    assertTrue(share.countsReads(), "a share cannot leave out what the whole counts");
    budget.setCounting(Counting.WRITES);
    assertFalse(share.countsReads());
  }

  private void assertFollowsTheBudget(IndexWriter writer, MergeLab.Recorder recorder)
      throws IOException {
    assertEquals(OptionalLong.empty(), forceMerge(writer, recorder, 0).readBytes());

    budget.setCounting(Counting.READS_AND_WRITES);
    MergeTotals counted = forceMerge(writer, recorder, READ_BYTES);

    assertEquals(OptionalLong.of(READ_BYTES), counted.readBytes());
    budget.setCounting(Counting.WRITES);
    assertEquals(OptionalLong.empty(), forceMerge(writer, recorder, 0).readBytes());
  }

  /** Merges two new segments with what is there, and checks what that was charged. */
  private MergeTotals forceMerge(IndexWriter writer, MergeLab.Recorder recorder, long readBytes)
      throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 2; i++) {
      Document document = MergeLab.document(i);
      MergeLab.source(document, random);
      writer.addDocument(document);
      writer.flush();
    }
    int before = recorder.finished.size();
    long granted = budget.snapshot().grantedBytes();
    writer.forceMerge(1);
    Await.until("the merge has ended", () -> recorder.finished.size() == before + 1);
    MergeTotals merge = recorder.finished.getLast();
    assertEquals(
        merge.writtenBytes() + readBytes,
        budget.snapshot().grantedBytes() - granted,
        merge::toString);
    return merge;
  }

  /** Has read that much when it is first asked. */
  private static Optional<Counter> reader() {
    AtomicLong left = new AtomicLong(READ_BYTES);
    return Optional.of(
        new Counter() {
          @Override
          public long bytesSinceLast() {
            return left.getAndSet(0);
          }

          @Override
          public void close() {}
        });
  }

  /** Large enough for threads within the merge. */
  private static final class Large extends OneMerge {

    private final AtomicBoolean merged;

    Large(OneMerge merge, AtomicBoolean merged) {
      super(merge.segments);
      this.merged = merged;
    }

    @Override
    public void mergeInit() throws IOException {
      super.mergeInit();
      estimatedMergeBytes = 1L << 30;
    }

    @Override
    public void mergeFinished(boolean success, boolean segmentDropped) throws IOException {
      super.mergeFinished(success, segmentDropped);
      merged.set(true);
    }
  }

  /** Says what it has read when the merge has ended. */
  private record ReadsAtTheEnd(AtomicBoolean merged) implements Counter {

    @Override
    public long bytesSinceLast() {
      return merged.getAndSet(false) ? READ_BYTES : 0;
    }

    @Override
    public void close() {}
  }
}
