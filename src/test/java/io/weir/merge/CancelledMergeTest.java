package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
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
