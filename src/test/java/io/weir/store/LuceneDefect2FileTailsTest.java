package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.fakes.CountingDirectory;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergePolicy.OneMergeProgress.PauseReason;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.junit.jupiter.api.Test;

/**
 * D2: the end of every file escapes Lucene's throttle. Its output asks the limiter only once it has
 * gathered what the rate gives in 25 ms or 1 MiB, and drops what is short of that at close.
 */
class LuceneDefect2FileTailsTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final int FILES = 200;
  private static final int FILE_BYTES = 300_000;
  private static final int RATE_MEGABYTES = 20; // 300 KB are less than it gives in 25 ms

  @Test
  void close_luceneThrottleManySmallFiles_countsNotOneByte() throws Exception {
    OneMergeProgress progress = new OneMergeProgress();
    MergeRateLimiter limiter = new MergeRateLimiter(progress);
    limiter.setMBPerSec(RATE_MEGABYTES);
    try (CountingDirectory directory = new CountingDirectory(new ByteBuffersDirectory())) {
      for (int i = 0; i < FILES; i++) {
        String name = "_" + i + ".fdt";
        write(new RateLimitedIndexOutput(limiter, directory.createOutput(name, MERGE)));
        directory.deleteFile(name);
      }
      assertEquals(FILES * FILE_BYTES, directory.bytes());
    }
    assertEquals(0, limiter.getTotalBytesWritten(), "Lucene charges the ends of files now");
    assertEquals(0, progress.getPauseTimes().get(PauseReason.PAUSED));
  }

  @Test
  void close_weirManySmallFiles_takeTheTimeOfAllTheirBytes() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget =
        new ByteBudget(BudgetOptions.of(Rate.perSecond(RATE_MEGABYTES * 1_000_000L)), clock);
    try (Directory directory = new RateLimitedDirectory(new ByteBuffersDirectory(), budget)) {
      for (int i = 0; i < FILES; i++) {
        String name = "_" + i + ".fdt";
        write(directory.createOutput(name, MERGE));
        directory.deleteFile(name);
      }
    }
    assertEquals(FILES * FILE_BYTES, budget.snapshot().grantedBytes());
    assertEquals(2_950_000_000L, clock.nanoTime()); // 60 MB less the burst of 1 MB, at 20 MB/s
  }

  private static void write(IndexOutput output) throws IOException {
    byte[] piece = new byte[7000];
    try (output) {
      for (int left = FILE_BYTES; left > 0; left -= piece.length) {
        output.writeBytes(piece, Math.min(left, piece.length));
      }
    }
  }
}
