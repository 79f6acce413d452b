package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.CountingDirectory;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a merge may write at the ends of its files, although no one grants it. */
@Timeout(60)
class MergeGrantsTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, -1));

  private final ByteBudget budget = ByteBudget.unlimited();
  private final CountingDirectory below = new CountingDirectory(new ByteBuffersDirectory());
  private final Directory directory = new RateLimitedDirectory(below, budget);

  @Test
  void close_whilePaused_doesNotWait_andIsCharged() throws IOException {
    IndexOutput output = directory.createOutput("_1.fdt", MERGE);
    output.writeBytes(new byte[1000], 1000);
    budget.setRate(Rate.PAUSED);
    output.close();

    assertEquals(1000, below.bytes());
    assertEquals(1000, budget.snapshot().grantedBytes());
    assertEquals(1000, budget.snapshot().debtBytes());
  }

  /** A codec writes what it has gathered, which is more than an output's buffer. */
  @Test
  void writesWithinAClose_whilePaused_doNotWait() throws IOException {
    IndexOutput output = directory.createOutput("_1.tmd", MERGE);
    budget.setRate(Rate.PAUSED);
    Closeable codec =
        new Closeable() {
          @Override
          public void close() throws IOException {
            output.writeBytes(new byte[200_000], 200_000);
            output.writeLong(output.getChecksum());
            output.close();
          }
        };
    codec.close();

    assertEquals(200_008, below.bytes());
    assertEquals(200_008, budget.snapshot().grantedBytes());
  }

  @Test
  void files_manyAndTiny_whilePaused_stop_andThenPayForAll() throws Exception {
    ByteBudget capped = new ByteBudget(BudgetOptions.of(Rate.perSecond(1_000_000)));
    try (Directory tiny = new RateLimitedDirectory(below, capped)) {
      capped.setRate(Rate.PAUSED);
      FutureTask<Void> writing =
          start(
              () -> {
                for (int i = 0; i < 200; i++) {
                  write(tiny, "_" + i + ".fdt", 1000);
                }
              });
      Await.until("some passed", () -> below.bytes() >= MergeGrants.MOST_ENDS * 1000);
      Await.until("it waits", () -> capped.snapshot().waiting() > 0);
      assertEquals(MergeGrants.MOST_ENDS * 1000, below.bytes());
      assertFalse(writing.isDone());
      capped.setRate(Rate.perSecond(1_000_000));
      writing.get(20, TimeUnit.SECONDS);
      assertEquals(200_000, below.bytes());
      assertEquals(200_000, capped.snapshot().grantedBytes());
      assertEquals(0, capped.snapshot().forgivenBytes());
    }
  }

  @Test
  void write_thatIsNotWithinAClose_whilePaused_waits() throws Exception {
    IndexOutput output = directory.createOutput("_1.fdt", MERGE);
    budget.setRate(Rate.PAUSED);
    FutureTask<Void> writing = start(() -> output.writeBytes(new byte[100_000], 100_000));
    Await.until("it waits", () -> budget.snapshot().waiting() > 0);
    assertEquals(0, below.bytes());
    budget.setRate(Rate.UNLIMITED);
    writing.get(20, TimeUnit.SECONDS);
    output.close();
  }

  /** Of a second, and then never again before it was granted something: 16 KiB at 1 KB/s. */
  @Test
  void close_underALowCap_waitsForASecondAtMost_andNothingIsForgiven() throws IOException {
    AutoClock clock = new AutoClock();
    ByteBudget low = new ByteBudget(BudgetOptions.of(Rate.perSecond(1000)), clock);
    try (Directory slow = new RateLimitedDirectory(below, low)) {
      write(slow, "_1.fdt", 4096); // the burst
      long before = clock.nanoTime();
      write(slow, "_1.fdm", 16_384);
      assertEquals(MergeGrants.PATIENCE_NANOS, clock.nanoTime() - before);
      write(slow, "_1.fdx", 100);
      assertEquals(MergeGrants.PATIENCE_NANOS, clock.nanoTime() - before);
      assertEquals(0, low.snapshot().forgivenBytes());

      IndexOutput next = slow.createOutput("_1.nvd", MERGE);
      next.writeBytes(new byte[10], 10);
      next.getChecksum(); // an ordinary write pays for all of them
      assertTrue(
          clock.nanoTime() - before >= (16_384 + 100 + 10) * 1_000_000L, clock.nanoTime() + " ns");
      next.close();
    }
  }

  private static void write(Directory directory, String name, int bytes) throws IOException {
    try (IndexOutput output = directory.createOutput(name, MERGE)) {
      output.writeBytes(new byte[bytes], bytes);
    }
  }

  /** Something that writes. */
  private interface Act {
    void run() throws IOException;
  }

  private static FutureTask<Void> start(Act act) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              act.run();
              return null;
            });
    Thread.ofPlatform().daemon().start(task);
    return task;
  }
}
