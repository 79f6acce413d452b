package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.merge.MergeKind;
import io.weir.merge.MergeLab;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Merges of a whole index that leave the disk to others. */
@Timeout(60)
class WeirYieldTest {

  private static final double QUIET_SECONDS = 4;

  /** It wrote nothing for as long as it had run: here four seconds, after five hours five hours. */
  @Test
  void forcedMerge_othersAlwaysReadAfterAQuietTime_goesOnWriting() throws IOException {
    Writes disk = new Writes();
    MergeLab.build(disk, 6, 200, MergeLab::source);
    Weir weir = Weir.builder().budget(ByteBudget.perSecond(150_000)).open(disk);
    weir.scheduler().setYield(() -> disk.secondsSinceFirst() > QUIET_SECONDS);
    try (Directory directory = weir.directory();
        IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()))) {
      disk.begin();
      writer.forceMerge(1);
    }
    assertTrue(disk.secondsSinceFirst() > QUIET_SECONDS + 1, "it was done before others read");
    assertTrue(weir.scheduler().totals(MergeKind.FORCED).pauses().count() > 0);
    double longestSeconds = disk.longestNanos.get() / 1e9;
    assertTrue(longestSeconds < 3, () -> "nothing written for " + longestSeconds + " s");
  }

  @Test
  void forcedMerge_otherIndexesCommitElsewhere_isNotHeldUp() throws Exception {
    Directory files = new ByteBuffersDirectory();
    Weir weir = Weir.builder().open(files);
    weir.scheduler().setYield(() -> false);
    AtomicBoolean done = new AtomicBoolean();
    Weir elsewhere = Weir.builder().open(new ByteBuffersDirectory());
    try (Directory other = elsewhere.directory();
        IndexWriter committing =
            new IndexWriter(other, elsewhere.configure(new IndexWriterConfig()))) {
      MergeLab.build(files, 8, 1000, MergeLab::source);
      FutureTask<Void> commits =
          MergeLab.start(
              () -> {
                for (int id = 0; !done.get(); id++) {
                  committing.addDocument(MergeLab.document(id));
                  committing.prepareCommit(); // finishes it when the application likes
                  committing.commit();
                }
              });
      try (Directory directory = weir.directory();
          IndexWriter writer =
              new IndexWriter(directory, weir.configure(new IndexWriterConfig()))) {
        writer.forceMerge(1);
      } finally {
        done.set(true);
      }
      commits.get();
    }
    assertEquals(0, weir.scheduler().totals(MergeKind.FORCED).pauses().totalNanos());
  }

  /** Remembers the longest time between two writes. */
  private static final class Writes extends FilterDirectory {

    private final AtomicLong firstNanos = new AtomicLong();
    private final AtomicLong lastNanos = new AtomicLong();
    private final AtomicLong longestNanos = new AtomicLong();
    private volatile boolean begun;

    Writes() {
      super(new ByteBuffersDirectory());
    }

    void begin() {
      begun = true;
    }

    double secondsSinceFirst() {
      return firstNanos.get() == 0 ? 0 : (System.nanoTime() - firstNanos.get()) / 1e9;
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      return new FilterIndexOutput(name, name, in.createOutput(name, context)) {
        @Override
        public void writeBytes(byte[] b, int offset, int length) throws IOException {
          if (begun) {
            long nowNanos = System.nanoTime();
            firstNanos.compareAndSet(0, nowNanos);
            long before = lastNanos.getAndSet(nowNanos);
            longestNanos.accumulateAndGet(before == 0 ? 0 : nowNanos - before, Math::max);
          }
          out.writeBytes(b, offset, length);
        }
      };
    }
  }
}
