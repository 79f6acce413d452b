package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergePolicy.OneMergeProgress.PauseReason;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.junit.jupiter.api.Test;

/**
 * D7: a single large write passes Lucene's throttle as one burst of its whole size (LUCENE-10448);
 * a rate that is no number is taken and means unlimited; a negative one is stored, and fails when
 * the next merge starts.
 */
class LuceneDefect7BurstsAndBadRatesTest {

  private static final int LARGE = 8 << 20;

  @Test
  void writeBytes_luceneThrottle_passesALargeWriteInOnePiece() throws Exception {
    MergeRateLimiter limiter = new MergeRateLimiter(new OneMergeProgress());
    limiter.setMBPerSec(10);
    RecordedWrites below = new RecordedWrites(ByteBudget.unlimited());
    try (IndexOutput output = new RateLimitedIndexOutput(limiter, below)) {
      output.writeBytes(new byte[LARGE], 0, LARGE);
    }
    assertEquals(List.of(LARGE), below.writes, "Lucene cuts large writes now");
  }

  @Test
  void writeBytes_weir_passesALargeWriteInGrantedPiecesEachChargedFirst() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(10_000_000)), clock);
    RecordedWrites below = new RecordedWrites(budget);
    try (IndexOutput output = new io.weir.store.RateLimitedIndexOutput(below, budget)) {
      output.writeBytes(new byte[LARGE], 0, LARGE);
    }
    assertTrue(below.writes.stream().allMatch(length -> length <= ByteBudget.MAX_GRANT_BYTES));
    assertEquals(LARGE, below.written);
    assertEquals(below.written, below.writtenWithinGrants, "passed on before it was granted");
    assertEquals((LARGE - 500_000) * 100L, clock.nanoTime()); // less the burst, at 10 MB/s
  }

  @Test
  void setMBPerSec_luceneLimiterNotANumber_isTakenAndLimitsNothing() throws Exception {
    OneMergeProgress progress = new OneMergeProgress();
    MergeRateLimiter limiter = new MergeRateLimiter(progress);
    limiter.setMBPerSec(Double.NaN);
    assertTrue(Double.isNaN(limiter.getMBPerSec()), "Lucene refuses NaN now");
    for (int i = 0; i < 1000; i++) {
      limiter.pause(1 << 30);
    }
    assertEquals(0, progress.getPauseTimes().get(PauseReason.PAUSED), "NaN is a limit now");
  }

  @Test
  void setForceMergeMBPerSec_luceneSchedulerNegative_isStoredAndFailsTheNextMerge()
      throws Exception {
    ConcurrentMergeScheduler scheduler = new ConcurrentMergeScheduler();
    scheduler.setForceMergeMBPerSec(-1);
    assertEquals(-1, scheduler.getForceMergeMBPerSec(), "Lucene refuses negative rates now");
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig().setMergeScheduler(scheduler));
      for (int segment = 0; segment < 2; segment++) {
        writer.addDocument(new Document());
        writer.flush();
      }
      assertThrows(IllegalArgumentException.class, () -> writer.forceMerge(1));
      writer.rollback();
    }
  }

  /** A rate is a whole number here, so none can fail to be one. */
  @Test
  void setBytesPerSecond_weirNegative_isRefusedAndTheOldRateStays() {
    ByteBudget budget = ByteBudget.perSecond(1000);
    assertThrows(IllegalArgumentException.class, () -> budget.setBytesPerSecond(-1));
    assertThrows(IllegalArgumentException.class, () -> budget.setBytesPerSecond((long) Double.NaN));
    assertEquals(Rate.perSecond(1000), budget.rate());
  }

  /** Remembers the size of each write that reaches it, and whether it had been granted. */
  private static final class RecordedWrites extends IndexOutput {
    final List<Integer> writes = new ArrayList<>();
    long written;
    long writtenWithinGrants;
    private final ByteBudget budget;

    RecordedWrites(ByteBudget budget) {
      super("recorded", "_1.fdt");
      this.budget = budget;
    }

    @Override
    public void writeByte(byte b) {
      writeBytes(new byte[] {b}, 0, 1);
    }

    @Override
    public void writeBytes(byte[] b, int offset, int length) {
      writes.add(length);
      written += length;
      writtenWithinGrants += written <= budget.snapshot().grantedBytes() ? length : 0;
    }

    @Override
    public long getFilePointer() {
      return written;
    }

    @Override
    public long getChecksum() {
      return 0;
    }

    @Override
    public void close() {}
  }
}
