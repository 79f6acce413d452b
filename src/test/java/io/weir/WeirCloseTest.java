package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.MergeKind;
import io.weir.merge.MergeLab;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.ResidentKeys;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing a writer while its merge is held back: Lucene's contract, through the facade. */
@Timeout(60)
class WeirCloseTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 100;
  private static final long BOUND_SECONDS = 20;

  @TempDir Path temp;

  private final ByteBudget budget =
      new ByteBudget(BudgetOptions.named("test").withRate(Rate.PAUSED));
  private final Weir.Builder weirs = Weir.builder().budget(budget).keys(ResidentKeys.of("id"));

  /** 1 byte a second would take two days; 0 stands for a paused budget. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000_000})
  void close_forcedMergeRunsUnderACap_waitsAndLeavesOneSegment(long bytesPerSecond)
      throws Exception {
    budget.setRate(bytesPerSecond == 0 ? Rate.PAUSED : Rate.perSecond(bytesPerSecond));
    Weir weir = weirs.open(temp);
    try (weir) {
      IndexWriter writer = withForcedMerge(weir);
      Await.until("the merge has begun", () -> !weir.scheduler().running().isEmpty());
      writer.addDocument(MergeLab.document(-1));
      MergeLab.start(writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
    }
    assertEquals(1, weir.scheduler().totals(MergeKind.FORCED).done());
    assertEquals(0, weir.scheduler().totals(MergeKind.FORCED).aborted());
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, SEGMENTS * DOCUMENTS + 1);
      assertEquals(2, MergeLab.segments(stock), "the merged one and the flush of the close");
    }
  }

  @Test
  void close_withoutWaitingForTheForcedMerge_leavesOneSegment() throws Exception {
    Weir weir = weirs.open(temp);
    try (weir) {
      IndexWriter writer = withForcedMerge(weir);
      MergeLab.start(writer::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
    }
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, SEGMENTS * DOCUMENTS);
      assertEquals(1, MergeLab.segments(stock));
    }
  }

  /** The best of some, as others use this machine too. */
  @Test
  void rollback_pausedBudget_returnsWithinFiftyMilliseconds() throws Exception {
    long bestNanos = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      Path index = temp.resolve("index-" + i);
      try (Weir weir = weirs.open(index)) {
        build(index);
        IndexWriter writer =
            new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()));
        writer.forceMerge(1, false);
        Await.until("the merge waits", () -> budget.snapshot().waiting() > 0);
        long startedNanos = System.nanoTime();
        writer.rollback();
        bestNanos = Math.min(bestNanos, System.nanoTime() - startedNanos);
        MergeLab.check(weir.directory(), SEGMENTS * DOCUMENTS);
      }
    }
    assertTrue(bestNanos < 50_000_000, bestNanos + " ns");
  }

  private IndexWriter withForcedMerge(Weir weir) throws IOException {
    build(temp);
    IndexWriter writer = new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()));
    writer.forceMerge(1, false);
    return writer;
  }

  private static void build(Path index) throws IOException {
    try (Directory stock = FSDirectory.open(index)) {
      MergeLab.build(stock, SEGMENTS, DOCUMENTS, MergeLab::source);
    }
  }
}
