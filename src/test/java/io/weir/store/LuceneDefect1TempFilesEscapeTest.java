package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PointsFormat;
import org.apache.lucene.codecs.PointsReader;
import org.apache.lucene.codecs.PointsWriter;
import org.apache.lucene.codecs.lucene90.Lucene90PointsWriter;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/**
 * D1: what a merge writes to temporary files, and what {@code addIndexes} copies, escapes Lucene's
 * throttle, which wraps {@code createOutput} only. A merge of points that do not fit its heap
 * writes most of its bytes there.
 */
class LuceneDefect1TempFilesEscapeTest {

  private static final int SEGMENTS = 3;

  @Test
  void forceMerge_luceneThrottle_limitsNoTemporaryFile() throws Exception {
    WatchedMergeScheduler scheduler = new WatchedMergeScheduler();
    scheduler.setForceMergeMBPerSec(400);
    try (CountingDirectory below = new CountingDirectory(points());
        IndexWriter writer = new IndexWriter(below, config().setMergeScheduler(scheduler))) {
      writer.forceMerge(1);

      Map<String, Long> written = below.bytesByFile();
      long limited = 0;
      for (String file : scheduler.limitedFiles()) {
        limited += written.get(file);
        assertFalse(file.endsWith(".tmp"), "Lucene limits temporary files now: " + file);
      }
      long counted =
          scheduler.limiters().stream().mapToLong(MergeRateLimiter::getTotalBytesWritten).sum();
      long escaped = below.bytesOfFilesEnding(".tmp");
      assertTrue(escaped > below.bytes() / 3, escaped + " of " + below.bytes() + " bytes");
      // The .si file is written by the writer, outside of the merge's directory.
      assertEquals(below.bytes() - escaped - below.bytesOfFilesEnding(".si"), limited);
      assertTrue(counted <= limited, "Lucene's limiter counts temporary files now: " + counted);
    }
  }

  @Test
  void forceMerge_weir_chargesEveryTemporaryFile() throws Exception {
    assertAllCharged(config());
  }

  /** The same, written by threads of an executor that know nothing of the merge. */
  @Test
  void forceMerge_weirOnIntraMergeThreads_chargesEveryTemporaryFile() throws Exception {
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      assertAllCharged(
          config()
              .setMergeScheduler(
                  new ConcurrentMergeScheduler() {
                    @Override
                    public Executor getIntraMergeExecutor(MergePolicy.OneMerge merge) {
                      return pool;
                    }
                  }));
    }
  }

  /** Whole segments are rewritten here; the scheduler never hears of it. */
  @Test
  void addIndexes_ofDirectories_isFreeInLuceneAndChargedByWeir() throws Exception {
    WatchedMergeScheduler scheduler = new WatchedMergeScheduler();
    scheduler.setForceMergeMBPerSec(400);
    scheduler.enableAutoIOThrottle();
    try (Directory source = points();
        CountingDirectory below = new CountingDirectory(new ByteBuffersDirectory())) {
      RateLimitedDirectory directory = new RateLimitedDirectory(below, ByteBudget.unlimited());
      IndexWriterConfig config =
          config().setMergePolicy(NoMergePolicy.INSTANCE).setMergeScheduler(scheduler);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.addIndexes(source);
        assertTrue(below.bytes() > 100_000, "nothing was copied");
        assertTrue(
            scheduler.limitedFiles().isEmpty() && scheduler.limiters().isEmpty(),
            "Lucene limits addIndexes now");
        assertEquals(below.bytes(), directory.budget().snapshot().grantedBytes());
      }
    }
  }

  private static void assertAllCharged(IndexWriterConfig config) throws IOException {
    try (CountingDirectory below = new CountingDirectory(points())) {
      RateLimitedDirectory directory = new RateLimitedDirectory(below, ByteBudget.unlimited());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.forceMerge(1);
        assertTrue(below.bytesOfFilesEnding(".tmp") > below.bytes() / 3, "no temporary files");
        assertEquals(below.bytes(), directory.budget().snapshot().grantedBytes());
      }
    }
  }

  /** Segments of points in two dimensions: those in one dimension merge without sorting. */
  private static Directory points() throws IOException {
    Random random = new Random(42);
    Directory directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(directory, config().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < 2000; i++) {
          Document document = new Document();
          for (int n = 0; n < 10; n++) {
            document.add(new LongPoint("place", random.nextLong(), random.nextLong()));
          }
          writer.addDocument(document);
        }
        writer.flush();
      }
    }
    return directory;
  }

  private static IndexWriterConfig config() {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    return new IndexWriterConfig()
        .setCodec(new SmallPointsHeap(Codec.getDefault()))
        .setUseCompoundFile(false)
        .setMergePolicy(policy);
  }

  /** The stock codec, but points are sorted on disk from 100 KB on instead of 16 MB. */
  private static final class SmallPointsHeap extends FilterCodec {

    private static final int MAX_POINTS_IN_LEAF = 512;
    private static final double MAX_HEAP_MEGABYTES = 0.1;

    SmallPointsHeap(Codec stock) {
      super(stock.getName(), stock);
    }

    @Override
    public PointsFormat pointsFormat() {
      PointsFormat stock = delegate.pointsFormat();
      return new PointsFormat() {
        @Override
        public PointsWriter fieldsWriter(SegmentWriteState state) throws IOException {
          return new Lucene90PointsWriter(state, MAX_POINTS_IN_LEAF, MAX_HEAP_MEGABYTES);
        }

        @Override
        public PointsReader fieldsReader(SegmentReadState state) throws IOException {
          return stock.fieldsReader(state);
        }
      };
    }
  }
}
