package io.weir.crash;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.SmallFilesDirectory;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackOptions;
import io.weir.suite.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * A process that updates, reopens, commits and merges with all of Weir's write path until it is
 * killed: {@link KilledWriterTest} does that.
 *
 * <p>It says {@code committed BATCH} after each commit, and {@code merging GRANTED_BYTES
 * SMOOTHED_RANGES SMALL_FILES_READ RESIDENT_BYTES} every few milliseconds while a merge runs.
 */
final class KilledWriter {

  /** So slow that a merge of all takes a second. */
  private static final long BYTES_PER_SECOND = 12_000_000;

  private final CrashIndex index;
  private final PrintStream out = ChildJvm.output();
  private final ByteBudget budget = ByteBudget.perSecond(BYTES_PER_SECOND);
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
  private final SmallFilesDirectory small;
  private final WritebackDirectory smooth;
  private final ResidentDirectory resident;

  private KilledWriter(Path path, long seed) throws IOException {
    this.index = index(seed);
    this.small = new SmallFilesDirectory(new MMapDirectory(path));
    this.smooth = new WritebackDirectory(small, WritebackOptions.DEFAULT.withRangeBytes(64 << 10));
    this.resident = new ResidentDirectory(smooth, ResidentKeys.of(CrashIndex.KEY));
  }

  /** What it writes. */
  static CrashIndex index(long seed) {
    return new CrashIndex(seed, 20_000, 300, 600);
  }

  /**
   * Writes until it is killed, or its standard input ends.
   *
   * @param arguments the directory of the index, the seed
   */
  public static void main(String[] arguments) throws Exception {
    ChildJvm.endWithTheTest();
    new KilledWriter(Path.of(arguments[0]), Long.parseLong(arguments[1])).write();
  }

  private void write() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(resident.keys().codec())
            .setMergeScheduler(scheduler)
            .setMergedSegmentWarmer(reader -> {})
            .setMaxFullFlushMergeWaitMillis(0);
    try (Directory directory = new RateLimitedDirectory(resident, budget);
        IndexWriter writer = new IndexWriter(directory, config);
        ScheduledExecutorService others = Executors.newScheduledThreadPool(2)) {
      long batch = CrashIndex.lastBatch(writer) + 1;
      if (batch == 0) {
        writeBatch(writer, batch++);
      }
      others.scheduleAtFixedRate(this::tellOfMerges, 0, 5, TimeUnit.MILLISECONDS);
      others.scheduleWithFixedDelay(() -> merge(writer), 0, 1, TimeUnit.MILLISECONDS);
      DirectoryReader reader = DirectoryReader.open(writer);
      while (true) {
        writeBatch(writer, batch++);
        DirectoryReader changed = DirectoryReader.openIfChanged(reader);
        if (changed != null) {
          reader.close();
          reader = changed;
        }
      }
    }
  }

  private void writeBatch(IndexWriter writer, long batch) throws IOException {
    index.write(writer, batch);
    writer.commit();
    out.println("committed " + batch);
  }

  private void merge(IndexWriter writer) {
    try {
      writer.forceMerge(1);
    } catch (IOException e) {
      e.printStackTrace(out); // what the test does not expect, so it fails and shows it
      Runtime.getRuntime().halt(4);
    }
  }

  private void tellOfMerges() {
    if (scheduler.mergeThreadCount() > 0) {
      out.println(
          "merging %d %d %d %d"
              .formatted(
                  budget.snapshot().grantedBytes(),
                  smooth.snapshot().startedRanges(),
                  small.snapshot().readFiles(),
                  resident.snapshot().bytes()));
    }
  }
}
