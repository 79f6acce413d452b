package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.fakes.CountingDirectory;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * D5: Lucene's cap is for each merge, so merges that run at once may write that many times as much:
 * in one writer, in several, on one disk or on many.
 */
@Timeout(60)
class LuceneDefect5CapPerMergeTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(10, 1000, false, 1));
  private static final int MERGES = 2;
  private static final int SEGMENTS_EACH = 4;

  @Test
  void forceMerge_luceneThrottleTwoMergesAtOnce_eachHasTheWholeCap() throws Exception {
    TwoAtOnce scheduler = new TwoAtOnce();
    scheduler.setForceMergeMBPerSec(10);
    try (Directory directory = segments();
        IndexWriter writer = new IndexWriter(directory, config(scheduler))) {
      writer.forceMerge(1);
    }
    // The last merge, of what the two have made, comes alone.
    List<MergeRateLimiter> atOnce = scheduler.limiters().subList(0, MERGES);
    assertNotSame(atOnce.get(0), atOnce.get(1), "Lucene's merges share a limiter now");
    assertEquals(
        MERGES * 10,
        atOnce.stream().mapToDouble(MergeRateLimiter::getMBPerSec).sum(),
        "Lucene's merges share the cap now");
  }

  @Test
  void forceMerge_weirTwoMergesAtOnce_shareTheCap() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(100_000)), clock);
    TwoAtOnce scheduler = new TwoAtOnce();
    try (CountingDirectory below = new CountingDirectory(segments());
        IndexWriter writer =
            new IndexWriter(new RateLimitedDirectory(below, budget), config(scheduler))) {
      writer.forceMerge(1);
      assertTrue(below.bytes() > 1_000_000, "too little was merged: " + below.bytes());
      long burstBytes = 5000;
      assertTrue(
          clock.nanoTime() >= (below.bytes() - burstBytes) * 10_000, clock.nanoTime() + " ns");
    }
  }

  /** And so do all indexes that are given the budget. */
  @Test
  void createOutput_weirTwoDirectoriesOfOneBudget_shareTheCap() throws Exception {
    AutoClock clock = new AutoClock();
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(10_000_000)), clock);
    try (Directory one = new RateLimitedDirectory(new ByteBuffersDirectory(), budget);
        Directory other = new RateLimitedDirectory(new ByteBuffersDirectory(), budget)) {
      for (int i = 0; i < 10; i++) {
        write(one, "_" + i + ".fdt");
        write(other, "_" + i + ".fdt");
      }
    }
    assertEquals(1_950_000_000L, clock.nanoTime()); // 20 MB less the burst of 0.5 MB, at 10 MB/s
  }

  private static void write(Directory directory, String name) throws IOException {
    try (IndexOutput output = directory.createOutput(name, MERGE)) {
      for (int i = 0; i < 100; i++) {
        output.writeBytes(new byte[10_000], 10_000);
      }
    }
  }

  /** As many as two merges of equal size take. */
  private static Directory segments() throws IOException {
    Random random = new Random(42);
    Directory directory = new ByteBuffersDirectory();
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < MERGES * SEGMENTS_EACH; segment++) {
        for (int i = 0; i < 100; i++) {
          byte[] noise = new byte[1000];
          random.nextBytes(noise);
          Document document = new Document();
          document.add(new StoredField("noise", noise));
          writer.addDocument(document);
        }
        writer.flush();
      }
    }
    return directory;
  }

  private static IndexWriterConfig config(TwoAtOnce scheduler) {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(SEGMENTS_EACH);
    policy.setNoCFSRatio(0);
    return new IndexWriterConfig()
        .setUseCompoundFile(false)
        .setMergePolicy(policy)
        .setMergeScheduler(scheduler);
  }

  /** Lets no merge begin to write before both are about to. */
  private static final class TwoAtOnce extends WatchedMergeScheduler {

    private final CyclicBarrier bothAreHere = new CyclicBarrier(MERGES);
    private final AtomicInteger merges = new AtomicInteger();

    TwoAtOnce() {
      setMaxMergesAndThreads(MERGES, MERGES);
    }

    @Override
    public Directory wrapForMerge(MergePolicy.OneMerge merge, Directory in) {
      if (merges.incrementAndGet() <= MERGES) {
        try {
          bothAreHere.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
          throw new AssertionError("the two merges did not run at once", e);
        }
      }
      return super.wrapForMerge(merge, in);
    }
  }
}
