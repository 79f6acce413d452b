package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.store.RateLimitedIndexOutput;
import org.apache.lucene.store.RateLimiter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LuceneLimitedDirectoryTest {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1, false, -1));

  private final AtomicLong limitedBytes = new AtomicLong();

  @Test
  void outputs_lastingAndTemporary_passLucenesLimiterOnce() throws Exception {
    try (Directory disk = new ByteBuffersDirectory()) {
      Directory limited = LuceneLimitedDirectory.wrap(disk, this::likeLucene, MERGE, () -> false);
      try (IndexOutput output = limited.createOutput("_0.fdt", MERGE)) {
        output.writeBytes(new byte[1000], 1000);
      }
      assertEquals(1000, limitedBytes.get());
      String name;
      try (IndexOutput output = limited.createTempOutput("_0", "bkd", IOContext.DEFAULT)) {
        output.writeBytes(new byte[500], 500);
        name = output.getName();
      }
      assertEquals(1500, limitedBytes.get());
      assertEquals(500, disk.fileLength(name));
      assertEquals(1000, disk.fileLength("_0.fdt"));
    }
  }

  /** Lucene stops a merge for smaller ones, and these may wait for the memory of its graph. */
  @Test
  void outputs_ofVectors_passLucenesLimiterByWhileTheMergeHasAGraph() throws Exception {
    AtomicBoolean hasGraph = new AtomicBoolean();
    try (Directory disk = new ByteBuffersDirectory()) {
      Directory limited = LuceneLimitedDirectory.wrap(disk, this::likeLucene, MERGE, hasGraph::get);
      try (IndexOutput graph = limited.createOutput("_0_Lucene99HnswVectorsFormat_0.vex", MERGE);
          IndexOutput alone = disk.createOutput("_1.vex", MERGE)) {
        graph.writeInt(1);
        alone.writeInt(1);
        assertEquals(4, limitedBytes.get());
        hasGraph.set(true);
        for (IndexOutput output : List.of(graph, alone)) {
          output.writeBytes(new byte[100], 100);
          output.writeByte((byte) 2);
          output.writeShort((short) 3);
          output.writeLong(4);
        }
        assertEquals(4, limitedBytes.get());
        assertEquals(alone.getFilePointer(), graph.getFilePointer());
        assertEquals(alone.getChecksum(), graph.getChecksum());
        hasGraph.set(false);
        graph.writeLong(5);
        assertEquals(12, limitedBytes.get());
      }
      assertEquals(123, disk.fileLength("_0_Lucene99HnswVectorsFormat_0.vex"));
    }
  }

  /** The scheduler's own wrapper: a forced merge that Lucene has stopped does not write. */
  @Test
  @Timeout(60)
  void setForceMergeMBPerSec_zero_stopsTheMergeUntilRaised() throws Exception {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    scheduler.setForceMergeMBPerSec(0);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, 100, MergeLab::source);
      CountingDirectory counted = new CountingDirectory(disk);
      try (IndexWriter writer = new IndexWriter(counted, MergeLab.config(scheduler))) {
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        Await.until("it has begun", () -> counted.bytes() > 0 || !scheduler.running().isEmpty());
        assertTrue(!forced.isDone());
        scheduler.setForceMergeMBPerSec(Double.POSITIVE_INFINITY);
        forced.get();
        assertTrue(counted.bytes() > 100 * 512);
      }
    }
  }

  /** As Lucene's wrapper: it limits what createOutput returns, and demands a merge's context. */
  private Directory likeLucene(Directory below) {
    RateLimiter limiter =
        new RateLimiter() {
          @Override
          public void setMBPerSec(double mbPerSec) {}

          @Override
          public double getMBPerSec() {
            return 0;
          }

          @Override
          public long pause(long bytes) {
            limitedBytes.addAndGet(bytes);
            return 0;
          }

          @Override
          public long getMinPauseCheckBytes() {
            return 0;
          }
        };
    return new FilterDirectory(below) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        assertEquals(IOContext.Context.MERGE, context.context());
        return new RateLimitedIndexOutput(limiter, in.createOutput(name, context));
      }
    };
  }
}
