package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import io.weir.stress.QuickArm;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LargeMergeTest {

  private static final int SEGMENTS = 8;

  private final ByteBudget budget = ByteBudget.unlimited();
  private final Timeline timeline = new Timeline(NanoClock.SYSTEM, Duration.ZERO);
  private final TieredMergePolicy policy = new TieredMergePolicy();
  private final ConcurrentMergeScheduler scheduler = new ConcurrentMergeScheduler();
  private final QuickArm arm = new QuickArm();
  private IndexWriter writer;

  @AfterEach
  void close() throws Exception {
    budget.setRate(Rate.UNLIMITED);
    writer.rollback();
  }

  @Test
  void run_forced_leavesOneSegment() throws Exception {
    open(new ByteBuffersDirectory());

    assertTrue(merge(MergeWorkload.FORCED).run(merger(), timeline.nowNanos()));

    assertEquals(1, segments());
  }

  @Test
  void run_natural_leavesFewSegmentsAndIsOver() throws Exception {
    open(new ByteBuffersDirectory());

    assertEquals(0, budget.snapshot().grantedBytes(), "nothing was merged yet");

    double usualPerTier = policy.getSegmentsPerTier();
    assertTrue(merge(MergeWorkload.NATURAL).run(merger(), timeline.nowNanos()));

    // Asked first: to count the segments a reader is opened, and that merges as well.
    assertTrue(budget.snapshot().grantedBytes() > 0, "nothing was merged");
    assertTrue(segments() < SEGMENTS, segments() + " segments");

    assertEquals(usualPerTier, policy.getSegmentsPerTier());
  }

  @Test
  void run_none_letsTheTimePassAndMergesNothing() throws Exception {
    open(new ByteBuffersDirectory());
    arm.set(ArmSetting.DURING, Duration.ofMillis(20));
    long start = timeline.nowNanos();

    assertTrue(merge(MergeWorkload.NONE).run(merger(), start));

    assertTrue(timeline.nowNanos() - start >= 20_000_000);
    assertEquals(SEGMENTS, segments());
  }

  @Test
  void run_noneAndStopped_isFalse() throws Exception {
    open(new ByteBuffersDirectory());
    arm.set(ArmSetting.DURING, Duration.ofHours(1));
    timeline.stop();

    assertFalse(merge(MergeWorkload.NONE).run(merger(), timeline.nowNanos()));
  }

  @Test
  void run_stoppedWhileMerging_returnsAndTheMergeEndsWithTheWriter() throws Exception {
    open(new ByteBuffersDirectory());
    budget.setRate(Rate.PAUSED);
    LargeMerge merge = merge(MergeWorkload.FORCED);
    FutureTask<Boolean> running = new FutureTask<>(() -> merge.run(merger(), timeline.nowNanos()));
    Thread.ofPlatform().start(running);
    Await.until("the merge waits for a grant", () -> budget.snapshot().waiting() > 0);

    timeline.stop();

    assertFalse(running.get(60, TimeUnit.SECONDS));
    merge.throwFailure(); // stopping is none
    budget.setRate(Rate.UNLIMITED);
    writer.rollback();
    merge.awaitEnd();
  }

  @Test
  void run_mergesForTheTimeout_endsTheArm() throws Exception {
    open(new ByteBuffersDirectory());
    budget.setRate(Rate.PAUSED);
    arm.set(ArmSetting.MERGE_TIMEOUT, Optional.of(Duration.ofSeconds(1)));
    LargeMerge merge = merge(MergeWorkload.FORCED);
    long start = timeline.nowNanos();

    assertFalse(merge.run(merger(), start));

    assertTrue(timeline.ended());
    assertTrue(timeline.endNanos() - start >= 1_000_000_000, "given up too early");
    merge.throwFailure(); // giving up is none
    budget.setRate(Rate.UNLIMITED);
    writer.rollback();
    merge.awaitEnd();
  }

  @Test
  void run_mergesInLessThanTheTimeout_leavesTheArmItsEnd() throws Exception {
    open(new ByteBuffersDirectory());
    arm.set(ArmSetting.MERGE_TIMEOUT, Optional.of(Duration.ofHours(1)));

    assertTrue(merge(MergeWorkload.FORCED).run(merger(), timeline.nowNanos()));

    assertEquals(Long.MAX_VALUE, timeline.endNanos());
  }

  @Test
  void run_forcedMergeFails_endsTheArmAndKeepsTheFailure() throws Exception {
    open(
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public IndexOutput createOutput(String name, IOContext context) throws IOException {
            if (context.context() == IOContext.Context.MERGE) {
              throw new IOException("no space left on device");
            }
            return in.createOutput(name, context);
          }
        });

    LargeMerge merge = merge(MergeWorkload.FORCED);

    assertFalse(merge.run(merger(), timeline.nowNanos()));
    String message = assertThrows(IOException.class, merge::throwFailure).getMessage();
    assertTrue(message.startsWith("the large merge failed: "), message);
    assertTrue(timeline.ended());
    merge.awaitEnd();
  }

  private LargeMerge merge(MergeWorkload kind) {
    arm.set(ArmSetting.MERGE, kind);
    return new LargeMerge(arm.settings(), timeline);
  }

  /** Of what {@link #merge} was called with. */
  private LargeMerge.Merger merger() {
    return new LuceneTarget.WriterMerge(
        writer, policy, NanoClock.SYSTEM, arm.settings(), Optional.empty());
  }

  private void open(Directory directory) throws IOException {
    writer =
        new IndexWriter(
            new RateLimitedDirectory(directory, budget),
            new IndexWriterConfig()
                .setMergePolicy(policy)
                .setMergeScheduler(scheduler)
                .setCommitOnClose(false));
    for (int i = 0; i < SEGMENTS; i++) {
      Document document = new Document();
      document.add(new TextField("body", "some words " + i, Field.Store.YES));
      writer.addDocument(document);
      writer.flush();
    }
  }

  private int segments() throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      return reader.leaves().size();
    }
  }
}
