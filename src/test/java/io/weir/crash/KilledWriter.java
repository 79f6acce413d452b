package io.weir.crash;

import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.ResidentDirectory;
import io.weir.store.ResidentKeys;
import io.weir.store.SmallFilesDirectory;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackOptions;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * A process that updates, reopens, commits and merges with all of Weir's write path until it is
 * killed: {@link KilledWriterTest} does that.
 *
 * <p>Batch 0 holds every key, each later one some; which keys those are depends on the seed and the
 * number of the batch alone. A commit says in its user data which batch was its last. On the
 * standard output stand, as lines, {@code committed BATCH} after each commit and {@code merging
 * GRANTED_BYTES SMOOTHED_RANGES SMALL_FILES_READ RESIDENT_BYTES} every few milliseconds while a
 * merge runs.
 */
final class KilledWriter {

  static final String BATCH = "batch";
  static final int KEYS = 20_000;
  private static final int KEYS_A_BATCH = 300;
  private static final int DOCUMENT_BYTES = 600;

  /** So slow that a merge of all takes a second. */
  private static final long BYTES_PER_SECOND = 12_000_000;

  private final long seed;
  private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
  private final ByteBudget budget = ByteBudget.perSecond(BYTES_PER_SECOND);
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
  private final SmallFilesDirectory small;
  private final WritebackDirectory smooth;
  private final ResidentDirectory resident;

  private KilledWriter(Path path, long seed) throws IOException {
    this.seed = seed;
    this.small = new SmallFilesDirectory(new MMapDirectory(path));
    this.smooth = new WritebackDirectory(small, WritebackOptions.DEFAULT.withRangeBytes(64 << 10));
    this.resident = new ResidentDirectory(smooth, ResidentKeys.of("id"));
  }

  /**
   * Writes until it is killed, or its standard input ends.
   *
   * @param arguments the directory of the index, the seed
   */
  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().start(KilledWriter::endWithTheParent);
    new KilledWriter(Path.of(arguments[0]), Long.parseLong(arguments[1])).write();
  }

  /** The keys of a batch, in the order in which they are updated. */
  static int[] keys(long seed, long batch) {
    return batch == 0
        ? new Random(seed).ints(0, KEYS).distinct().limit(KEYS).toArray()
        : new Random(seed + batch).ints(KEYS_A_BATCH, 0, KEYS).toArray();
  }

  private static void endWithTheParent() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      // As good as its end.
    }
    Runtime.getRuntime().halt(3);
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
      long batch = lastBatch(writer) + 1;
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

  private static long lastBatch(IndexWriter writer) {
    Iterable<Map.Entry<String, String>> data = writer.getLiveCommitData();
    if (data != null) {
      for (Map.Entry<String, String> entry : data) {
        if (entry.getKey().equals(BATCH)) {
          return Long.parseLong(entry.getValue());
        }
      }
    }
    return -1;
  }

  private void writeBatch(IndexWriter writer, long batch) throws IOException {
    byte[] bytes = new byte[DOCUMENT_BYTES];
    Random random = new Random(batch);
    for (int key : keys(seed, batch)) {
      random.nextBytes(bytes);
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(key), Field.Store.YES));
      document.add(new StoredField(BATCH, batch));
      document.add(new LongPoint("point", batch, key));
      document.add(new StoredField("bytes", bytes));
      writer.updateDocument(new Term("id", Integer.toString(key)), document);
    }
    writer.setLiveCommitData(Map.of(BATCH, Long.toString(batch)).entrySet());
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
