package io.weir.merge;

import static io.weir.merge.BacklogMonitor.CapLiftPolicy.Verdict.LEAVE;
import static io.weir.merge.BacklogMonitor.CapLiftPolicy.Verdict.LIFT;
import static io.weir.merge.BacklogMonitor.CapLiftPolicy.Verdict.RESTORE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.merge.BacklogMonitor.CapLiftPolicy;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapLiftPolicyTest {

  private final CapLiftPolicy lift = new CapLiftPolicy();

  @Test
  void decide_backlogGrowsAndShrinks_liftsOnceAndRestoresAtHalf() {
    assertEquals(LEAVE, lift.decide(6, 8, false, true));
    assertEquals(LIFT, lift.decide(7, 8, false, true));
    assertEquals(LEAVE, lift.decide(8, 8, true, true));
    assertEquals(LEAVE, lift.decide(5, 8, false, false));
    assertEquals(RESTORE, lift.decide(4, 8, false, false));
    assertEquals(LEAVE, lift.decide(4, 8, false, true));
    assertEquals(LIFT, lift.decide(7, 8, false, true));
  }

  @Test
  void decide_oneMergeAllowed_liftsOnlyWhenMoreArePending() {
    assertEquals(LEAVE, lift.decide(1, 1, false, true));
    assertEquals(LIFT, lift.decide(1, 1, true, true));
    assertEquals(LEAVE, lift.decide(1, 1, true, false));
    assertEquals(RESTORE, lift.decide(0, 1, false, false));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void decide_fewMergesAllowed_liftsOnlyWhenMoreArePending(int maxMergeCount) {
    for (int running = 0; running <= maxMergeCount; running++) {
      assertEquals(LEAVE, lift.decide(running, maxMergeCount, false, true));
    }
    assertEquals(LIFT, lift.decide(maxMergeCount, maxMergeCount, true, true));
    assertEquals(RESTORE, lift.decide(maxMergeCount / 2, maxMergeCount, false, false));
  }

  @Test
  void decide_fourMergesAllowed_liftsOneBefore() {
    assertEquals(LEAVE, lift.decide(2, 4, false, true));
    assertEquals(LIFT, lift.decide(3, 4, false, true));
  }

  @Test
  void decide_nothingHoldsMergesBack_leaves() {
    assertEquals(LEAVE, lift.decide(9, 8, true, false));
  }

  @Test
  void decide_switchedOffWhileLifted_restores() {
    assertEquals(LIFT, lift.decide(7, 8, false, true));
    lift.setEnabled(false);
    assertEquals(RESTORE, lift.decide(7, 8, false, false));
    assertEquals(LEAVE, lift.decide(8, 8, true, true));
  }

  /** Eight segments, paused: without the lift nothing would ever move again. */
  @Test
  @Timeout(60)
  void backlog_ofPausedMerges_liftsTheCapAndPutsItBack() throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setNaturalMergeBytesPerSecond(1);
    scheduler.setMaxMergesAndThreads(3, 1);
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    MergeLab.Messages messages = new MergeLab.Messages("MS");
    scheduler.addListener(recorder);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, 20, MergeLab::source);
      RateLimitedDirectory directory = new RateLimitedDirectory(disk, budget);
      try (IndexWriter writer =
          new IndexWriter(
              directory,
              MergeLab.config(scheduler)
                  .setInfoStream(messages)
                  .setMergePolicy(new PairsMergePolicy()))) {
        FutureTask<Void> indexing = MergeLab.start(writer::maybeMerge);
        indexing.get();
        Await.until("the cap holds again", () -> recorder.news.contains("restored"));
        scheduler.setRate(MergeKind.NATURAL, Rate.UNLIMITED);
        budget.setRate(Rate.UNLIMITED); // else the last merge would wait for ever: no backlog
        // Seven merges in all. Each time one is pending the cap is lifted; it holds when one is
        // left.
        Await.until("the last one is done", () -> recorder.finished.size() == 7);
        scheduler.sync();
        long lifts = recorder.news.stream().filter(news -> news.startsWith("lifted: ")).count();
        long restores = recorder.news.stream().filter("restored"::equals).count();
        assertEquals(lifts, restores, recorder.news.toString());
        assertEquals(lifts, messages.containing("the cap on merges is lifted").size());
        assertEquals(ByteBudget.Pacing.PACED, budget.pacing());
      }
      MergeLab.check(disk, 160);
    }
  }

  /** A forced merge in several parts is what the cap is for; only indexing makes it give way. */
  @Test
  @Timeout(60)
  void forcedMerges_asManyAsAllowedAndMorePending_stayUnderTheCapUntilIndexingWouldStall()
      throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(2, 1);
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    scheduler.addListener(recorder);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 8, 20, MergeLab::source);
      RateLimitedDirectory directory = new RateLimitedDirectory(disk, budget);
      try (IndexWriter writer =
          new IndexWriter(
              directory,
              MergeLab.config(scheduler)
                  .setMergePolicy(new PairsMergePolicy())
                  .setMaxBufferedDocs(2))) {
        FutureTask<Void> forcing = MergeLab.start(() -> writer.forceMerge(4));
        Await.until("two forced merges wait", () -> budget.snapshot().waiting() == 2);
        assertEquals(0, recorder.news.stream().filter(n -> n.startsWith("lifted: ")).count());
        FutureTask<Void> indexing =
            MergeLab.start(
                () -> {
                  for (int id = 1000; id < 1010; id++) {
                    writer.addDocument(MergeLab.document(id));
                  }
                });
        indexing.get();
        assertEquals(
            true, recorder.news.stream().anyMatch(n -> n.startsWith("lifted: ")), "never lifted");
        budget.setRate(Rate.UNLIMITED); // else the last merge would wait for ever: no backlog
        forcing.get();
      }
      MergeLab.check(disk, 170);
    }
  }
}
