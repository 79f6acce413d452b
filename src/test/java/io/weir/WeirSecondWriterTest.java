package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.merge.MergeLab;
import io.weir.merge.PairsMergePolicy;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.DirectoryPlan;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two writers on one scheduler: one after the other, and not at the same time. {@code
 * Weir.configure} refuses the second, so an application must set the scheduler itself to have both.
 */
@Timeout(60)
class WeirSecondWriterTest {

  private static final int DOCUMENTS = 10;

  @TempDir Path temp;

  private final ByteBudget budget = new ByteBudget(BudgetOptions.named("test"));
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
  private Directory one;
  private Directory two;

  @BeforeEach
  void twoIndexes() throws IOException {
    one = directory("one");
    two = directory("two");
    MergeLab.build(one, 4, DOCUMENTS, MergeLab::source);
    MergeLab.build(two, 4, DOCUMENTS, MergeLab::source);
  }

  @Test
  void secondWriter_whileTheFirstIsOpen_isRefusedAndLosesNoDocument() throws IOException {
    try (IndexWriter first = open(one)) {
      first.forceMerge(3);
      try (IndexWriter second = open(two)) {
        second.addDocument(MergeLab.document(-1));
        IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> second.forceMerge(1));
        assertTrue(refused.getMessage().contains("its own scheduler"), refused.getMessage());
        second.addDocument(MergeLab.document(-2));
        second.commit();
        second.addDocument(MergeLab.document(-3));
      }
      first.forceMerge(1);
    }
    MergeLab.check(one, 4 * DOCUMENTS);
    MergeLab.check(two, 4 * DOCUMENTS + 3);
    assertEquals(1, MergeLab.segments(one));
  }

  @Test
  void secondWriter_afterTheFirstHasClosed_isServed() throws IOException {
    try (IndexWriter first = open(one)) {
      first.forceMerge(1);
    }
    assertThrows(
        IndexNotFoundException.class,
        () ->
            new IndexWriter(
                directory("none"), config().setOpenMode(IndexWriterConfig.OpenMode.APPEND)));
    try (IndexWriter second = open(two)) {
      second.forceMerge(1);
    }
    IndexWriter rolledBack = open(one);
    rolledBack.maybeMerge();
    rolledBack.rollback();
    try (IndexWriter last = open(two)) {
      last.forceMerge(1);
    }
    assertEquals(1, MergeLab.segments(two));
  }

  /** The scheduler waits for all merges when it is closed; the second writer's are paused. */
  @Test
  void firstWriterCloses_mergesOfTheSecondWait_doesNotHang() throws Exception {
    try (CapturedLog log = CapturedLog.of(RateLimitedMergeScheduler.class.getPackage())) {
      IndexWriter first = open(one);
      first.forceMerge(1);
      scheduler.sync();
      budget.setRate(Rate.PAUSED);
      try (IndexWriter second =
          new IndexWriter(two, config().setMergePolicy(new PairsMergePolicy()))) {
        second.addDocument(MergeLab.document(-1));
        second.flush();
        Await.until("merges wait", () -> budget.snapshot().waiting() > 0);
        MergeLab.start(first::close).get(20, TimeUnit.SECONDS);
        assertEquals(1, log.records().size(), log.messages().toString());
      }
      MergeLab.check(two, 4 * DOCUMENTS + 1);
    }
  }

  private IndexWriter open(Directory directory) throws IOException {
    return new IndexWriter(directory, config());
  }

  private IndexWriterConfig config() {
    return new IndexWriterConfig().setMergeScheduler(scheduler);
  }

  private Directory directory(String index) throws IOException {
    return DirectoryPlan.recommended(budget).over(FSDirectory.open(temp.resolve(index)));
  }
}
