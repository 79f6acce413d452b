package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Weir;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeReadMeter.Counter;
import io.weir.merge.MergeTotals;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.KernelPageCache;
import io.weir.suite.ColdFiles;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A budget that counts reads, against the kernel's own counters, on an index that is not cached.
 */
@Slow("reads an index from the disk")
@Timeout(120)
class ReadsUnderTheCapTest {

  private static final int SEGMENTS = 5;
  private static final int DOCUMENTS = 300;
  private static final int NOISE_BYTES = 20_000;
  private static final int MORE_BYTES = 10_000_000;
  private static final long INDEX_BYTES = (long) SEGMENTS * DOCUMENTS * NOISE_BYTES;

  @TempDir Path temp;

  /** What the process has read during the forced merge. */
  private long read;

  @BeforeEach
  void canCount() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty() && KernelPageCache.obstacle(temp).isEmpty(),
        "SKIPPED: files cannot be dropped from the page cache");
    assumeTrue(readBytes() >= 0, "SKIPPED: /proc/self/io cannot be read");
  }

  private void index(BiConsumer<Document, Random> more) throws IOException {
    Random random = new Random(1);
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int i = 0; i < SEGMENTS * DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
        document.add(new StoredField("noise", noise(random, NOISE_BYTES)));
        more.accept(document, random);
        writer.addDocument(document);
        if ((i + 1) % DOCUMENTS == 0) {
          writer.commit();
        }
      }
    }
  }

  private static BytesRef noise(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return new BytesRef(bytes);
  }

  private void index() throws IOException {
    index((document, random) -> {});
  }

  private static long readBytes() {
    return Procfs.SYSTEM
        .selfIo()
        .map(IoCounters::readBytes)
        .map(bytes -> bytes.orElse(-1))
        .orElse(-1L);
  }

  private List<MergeTotals> merge(ByteBudget budget) throws Exception {
    return merge(Weir.builder().budget(budget).open(temp), new IndexWriterConfig());
  }

  private List<MergeTotals> merge(Weir weir, IndexWriterConfig config) throws Exception {
    List<MergeTotals> merges = new CopyOnWriteArrayList<>();
    weir.scheduler()
        .addListener(
            new MergeListener() {
              @Override
              public void mergeFinished(MergeTotals merge) {
                merges.add(merge);
              }
            });
    try (Directory directory = weir.directory();
        IndexWriter writer =
            new IndexWriter(
                directory, weir.configure(config.setMergePolicy(new TieredMergePolicy())))) {
      ColdFiles.drop(temp, 0);
      long before = readBytes();
      writer.forceMerge(1);
      read = readBytes() - before;
    }
    try (Directory directory = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
    return merges;
  }

  @Test
  void readsAndWrites_areAllCharged_asTheKernelCountsThem() throws Exception {
    index();
    ByteBudget budget =
        new ByteBudget(BudgetOptions.of(Rate.UNLIMITED).counting(Counting.READS_AND_WRITES));
    List<MergeTotals> merges = merge(budget);

    long counted = merges.stream().mapToLong(merge -> merge.readBytes().orElseThrow()).sum();
    long written = merges.stream().mapToLong(MergeTotals::writtenBytes).sum();
    assertTrue(counted >= INDEX_BYTES, () -> counted + " of " + INDEX_BYTES);
    assertEquals(read, counted, 0.03 * read, "what the process has read, and what was charged");
    assertEquals(written + counted, budget.snapshot().grantedBytes());
  }

  /**
   * Lucene builds graphs of vectors on threads that help the merge's, if the merge is large and the
   * scheduler may use several threads.
   */
  @Test
  void readsOfThreadsThatBuildVectorGraphs_areCharged() throws Exception {
    index(
        (document, random) -> {
          document.add(new KnnFloatVectorField("vector", new float[] {random.nextFloat(), 1}));
          document.add(new StoredField("more", noise(random, NOISE_BYTES)));
        });
    Path more = Files.write(temp.resolve("more-vectors"), new byte[MORE_BYTES]);
    ByteBudget budget =
        new ByteBudget(BudgetOptions.of(Rate.UNLIMITED).counting(Counting.READS_AND_WRITES));
    Weir weir = Weir.builder().budget(budget).open(temp);
    weir.scheduler().setMaxMergesAndThreads(12, 8);
    AtomicLong readByHelpers = new AtomicLong();
    weir.scheduler()
        .setReadMeter(
            () ->
                new ThreadReadMeter()
                    .ofCallingThread()
                    .map(counter -> countHelpers(readByHelpers, counter)));
    Codec reading = new ReadingGraphThreads(Codec.getDefault(), () -> readAll(more));
    List<MergeTotals> merges = merge(weir, new IndexWriterConfig().setCodec(reading));

    assertTrue(readByHelpers.get() >= MORE_BYTES, () -> readByHelpers + " of " + MORE_BYTES);
    long counted = merges.stream().mapToLong(merge -> merge.readBytes().orElseThrow()).sum();
    assertEquals(read, counted, 0.03 * read, "what the process has read, and what was charged");
    assertEquals(
        merges.stream().mapToLong(MergeTotals::writtenBytes).sum() + counted,
        budget.snapshot().grantedBytes());
  }

  private static void readAll(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Counter countHelpers(AtomicLong readByHelpers, Counter counter) {
    boolean helper = !Thread.currentThread().getName().startsWith("Lucene Merge Thread");
    return new Counter() {
      @Override
      public long bytesSinceLast() {
        long since = counter.bytesSinceLast();
        readByHelpers.addAndGet(helper ? since : 0);
        return since;
      }

      @Override
      public void close() {
        counter.close();
      }
    };
  }

  @Test
  void aCap_holdsBothTogether() throws Exception {
    index();
    long rate = 20_000_000;
    ByteBudget budget =
        new ByteBudget(BudgetOptions.of(Rate.perSecond(rate)).counting(Counting.READS_AND_WRITES));
    List<MergeTotals> merges = merge(budget);

    MergeTotals forced =
        merges.stream().filter(m -> m.kind() == MergeKind.FORCED).findFirst().orElseThrow();
    long bytes = forced.writtenBytes() + forced.readBytes().orElseThrow();
    assertTrue(bytes >= 2 * INDEX_BYTES, () -> bytes + " of " + 2 * INDEX_BYTES);
    double seconds = forced.elapsed().toNanos() / 1e9;
    long late = 2_000_000; // read after the last wait, or within the burst
    assertTrue(
        bytes <= rate * seconds + late, () -> bytes + " bytes in " + seconds + " s at " + rate);
    assertEquals(0, budget.snapshot().forgivenBytes());
  }

  @Test
  void aBudgetThatCountsWrites_leavesReadsAlone() throws Exception {
    index();
    ByteBudget budget = ByteBudget.unlimited();
    List<MergeTotals> merges = merge(budget);

    assertTrue(merges.stream().allMatch(merge -> merge.readBytes().isEmpty()));
    assertEquals(
        merges.stream().mapToLong(MergeTotals::writtenBytes).sum(),
        budget.snapshot().grantedBytes());
  }
}
