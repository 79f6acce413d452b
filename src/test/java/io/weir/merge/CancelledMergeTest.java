package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes after a forced merge was cancelled. */
@Timeout(60)
class CancelledMergeTest {

  private final ByteBudget budget = new ByteBudget(BudgetOptions.named("test"));
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);

  /**
   * Lucene remembers which segments a {@code forceMerge} has met, until the next one. A natural
   * merge that takes one of them in is a forced one for it, and when it is done Lucene goes on with
   * the rest. So a cancellation is for good only with a {@code forceMerge} that asks for nothing.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cancel_thenANaturalMergeOfTheSegments_resumesUnlessForgotten(boolean forgotten)
      throws Exception {
    budget.setRate(Rate.PAUSED);
    OnePair policy = new OnePair();
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, 10, MergeLab::source);
      IndexWriterConfig config = MergeLab.config(scheduler).setMergePolicy(policy);
      try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        Await.until("the merge waits", () -> budget.snapshot().waiting() == 1);
        assertEquals(1, scheduler.cancelForcedMerges());
        assertThrows(ExecutionException.class, forced::get);
        scheduler.sync();
        // A cancellation lasts until the threads that it met have ended, a moment after sync.
        Await.until("no merge thread is left", CancelledMergeTest::noMergeThreadIsAlive);
        budget.setRate(Rate.UNLIMITED);
        if (forgotten) {
          writer.forceMerge(Integer.MAX_VALUE);
        }
        policy.pairs.set(1);
        writer.maybeMerge();
        scheduler.sync();
        writer.commit();
        assertEquals(forgotten ? 7 : 1, MergeLab.segments(disk));
      }
      MergeLab.check(disk, 80);
    }
  }

  static boolean noMergeThreadIsAlive() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("Lucene Merge Thread"));
  }

  /** Merges the first two segments when told to; forced merges are Lucene's. */
  private static final class OnePair extends FilterMergePolicy {

    final AtomicInteger pairs = new AtomicInteger();

    OnePair() {
      super(new TieredMergePolicy());
    }

    @Override
    public MergeSpecification findMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) {
      if (pairs.getAndUpdate(n -> Math.max(0, n - 1)) == 0) {
        return null;
      }
      MergeSpecification pair = new MergeSpecification();
      pair.add(new OneMerge(infos.asList().subList(0, 2)));
      return pair;
    }
  }

  /** A writer that a failed write has closed is still remembered. */
  @Test
  void cancel_afterAnotherWriterDied_reachesTheOneThatLives() throws Exception {
    try (Directory disk = new ByteBuffersDirectory();
        Directory other = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, 10, MergeLab::source);
      IndexWriter dead = new IndexWriter(new Broken(disk), MergeLab.config(scheduler));
      assertThrows(Exception.class, () -> dead.forceMerge(1));
      scheduler.sync();
      assertNotNull(dead.getTragicException());

      budget.setRate(Rate.PAUSED);
      MergeLab.build(other, 3, 10, MergeLab::source);
      try (IndexWriter writer = new IndexWriter(other, MergeLab.config(scheduler))) {
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        Await.until("the merge waits", () -> budget.snapshot().waiting() == 1);
        assertEquals(1, scheduler.cancelForcedMerges());
        assertThrows(ExecutionException.class, forced::get);
      }
      assertEquals(
          3, dead.hashCode() == 0 ? 0 : MergeLab.segments(other)); // dead is alive in memory
    }
  }

  /** Its thread has ended before the cancellation knows it; nothing will tell it again. */
  @Test
  void cancel_meetsAMergeThatJustFailed_cancelsNoLaterOne() throws Exception {
    CountDownLatch ending = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    Thread canceller = Thread.currentThread();
    Runnable whileAsked =
        () -> {
          if (Thread.currentThread() == canceller) {
            asked.countDown();
            MergeLab.unchecked(
                () -> Await.until("it has failed", () -> scheduler.mergeThreadCount() == 0));
          }
        };
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, 10, MergeLab::source);
      scheduler.setYield(
          new MergeYield() {
            @Override
            public boolean standAside() {
              return false;
            }

            @Override
            public void mergeEnds(Thread thread) {
              ending.countDown();
              MergeLab.unchecked(asked::await);
            }
          });
      IndexWriter dead =
          new IndexWriter(
              new Broken(disk),
              MergeLab.config(scheduler).setMergePolicy(new AskedMerge(whileAsked)));
      FutureTask<Void> forced = MergeLab.forceMerge(dead);
      ending.await();
      scheduler.cancelForcedMerges();
      assertThrows(ExecutionException.class, forced::get);
      try (IndexWriter writer = new IndexWriter(disk, MergeLab.config(scheduler))) {
        writer.forceMerge(1);
      }
      assertEquals(1, MergeLab.segments(disk));
    }
  }

  /** Whatever became of the merge, and whatever Lucene calls when it is done. */
  @Test
  void cancel_threadOfAMergeThatItMetHasEnded_isOver() throws Exception {
    MergeCancellations cancellations =
        new MergeCancellations(
            new WriterMerges(
                ByteBudget.unlimited(),
                NanoClock.SYSTEM,
                MergeSchedulingClass.OF_THIS_PROCESS,
                GraphMemory.OF_THIS_PROCESS,
                message -> {}));
    Thread merging = Thread.ofPlatform().start(() -> {});
    cancellations.beginSweep(List.of(merging));
    cancellations.endSweep();
    merging.join();
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 2, 10, MergeLab::source);
      OneMerge later = new Forced(SegmentInfos.readLatestCommit(disk).asList(), () -> {});
      cancellations.look(null, later);
      assertFalse(later.isAborted());
    }
  }

  /** All segments at once; says when somebody asks whether the merge is a forced one. */
  private static final class AskedMerge extends FilterMergePolicy {

    private final Runnable asked;

    AskedMerge(Runnable asked) {
      super(new TieredMergePolicy());
      this.asked = asked;
    }

    @Override
    public MergeSpecification findForcedMerges(
        SegmentInfos infos,
        int maxSegments,
        Map<SegmentCommitInfo, Boolean> toMerge,
        MergeContext context) {
      MergeSpecification all = new MergeSpecification();
      all.add(new Forced(infos.asList(), asked));
      return all;
    }
  }

  private static final class Forced extends OneMerge {

    private final Runnable asked;

    Forced(List<SegmentCommitInfo> segments, Runnable asked) {
      super(segments);
      this.asked = asked;
    }

    @Override
    public MergeInfo getStoreMergeInfo() {
      asked.run();
      return new MergeInfo(totalMaxDoc(), 1000, false, 1);
    }

    private int totalMaxDoc() {
      return segments.stream().mapToInt(s -> s.info.maxDoc()).sum();
    }
  }

  /** No merge can write to it. */
  private static final class Broken extends FilterDirectory {

    Broken(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (context.context() == IOContext.Context.MERGE) {
        throw new IOException("the disk is full");
      }
      return super.createOutput(name, context);
    }
  }
}
