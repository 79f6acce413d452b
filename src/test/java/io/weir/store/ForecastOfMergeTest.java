package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.merge.MergeLab;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.rate.ByteBudget;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.kernel.TouchedPages;
import io.weir.store.pages.Forecast;
import io.weir.store.pages.ForecastQuality;
import io.weir.store.pages.SteppedLooks;
import io.weir.store.pages.TestMemory;
import io.weir.store.writeback.WritebackMedium;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.ReadAdvice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real merges, and searches that look in the merged segment where it was foretold, or elsewhere.
 */
@Timeout(120)
class ForecastOfMergeTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 3000; // of each segment
  private static final int STORED_BYTES = 2000; // random, so 6 MB a segment

  /** Of which the merge is half. */
  private static final long PAGE_CACHE_BYTES = 2L * SEGMENTS * DOCUMENTS * STORED_BYTES;

  private static final long SEGMENT_BYTES = (long) DOCUMENTS * STORED_BYTES;

  /** Pages at the edges, what the kernel maps around a page, and headers of blocks. */
  private static final long SLACK_BYTES = 1 << 20;

  @TempDir Path temp;

  private final SteppedLooks looks = new SteppedLooks();
  private final ByteBudget budget = ByteBudget.unlimited();

  @BeforeEach
  void build() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    assumeTrue(
        KernelPageCache.obstacle(temp).isEmpty(), () -> KernelPageCache.obstacle(temp).toString());
    TouchedPages.open();
    assumeTrue(TouchedPages.isOpen(), "the kernel does not say what is touched");
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.build(directory, SEGMENTS, DOCUMENTS, MergeLab.stored(STORED_BYTES));
    }
  }

  private Directory files() throws IOException {
    MMapDirectory files = new MMapDirectory(temp);
    files.setReadAdvice((name, context) -> Optional.of(ReadAdvice.RANDOM));
    return files;
  }

  /** Takes merges of so many bytes and more for large, and drops while they write. */
  private WritebackDirectory writeback(long largeBytes) throws IOException {
    return writeback(files(), largeBytes);
  }

  private WritebackDirectory writeback(Directory files, long largeBytes) throws IOException {
    MergeReadsDirectory reads = new MergeReadsDirectory(files, MergePageCache.NEUTRAL);
    WritebackOptions options = WritebackOptions.DEFAULT;
    ForecastQuality quality =
        new ForecastQuality(temp, ForeignLinuxCalls.get().pageBytes(), largeBytes, looks.looks());
    WritebackDirectory writeback =
        new WritebackDirectory(
            reads,
            options,
            WritebackMedium.of(reads, options, ForeignLinuxCalls::get),
            new Disk.UnstartedFiles(Long.MAX_VALUE),
            of ->
                new WritebackDirectory.ReadersOfInput(
                    of, new TestMemory(PAGE_CACHE_BYTES), Optional.of(quality)),
            NanoClock.SYSTEM);
    assumeTrue(writeback.method() == WritebackMethod.SYNC_FILE_RANGE, writeback.methodReason());
    return writeback;
  }

  /** Merges segments in their order, into files of their own, and opens the merged one. */
  private IndexWriterConfig inOrder() {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setNoCFSRatio(0);
    IndexWriterConfig config =
        MergeLab.config(new RateLimitedMergeScheduler(budget)).setMergePolicy(policy);
    MergedSegmentWarmer.addTo(config);
    return config;
  }

  private static void read(DirectoryReader reader, int from, int to) throws IOException {
    for (int document = from; document < to; document++) {
      reader.storedFields().document(document);
    }
  }

  private Path merged(List<Path> inputs) throws IOException {
    return storedFields().stream().filter(file -> !inputs.contains(file)).findAny().orElseThrow();
  }

  private List<Path> storedFields() throws IOException {
    try (Stream<Path> all = Files.list(temp)) {
      return all.filter(file -> file.toString().endsWith(".fdt")).toList();
    }
  }

  /**
   * Searches have read the last segment, before the merge. After it they read a half of what it has
   * become, and as much of what the first segment has become.
   */
  @Test
  void merge_ofAnIndexThatIsSearched_hasItsHitsAndMissesCounted() throws Exception {
    WritebackDirectory writeback = writeback(1);
    try (Directory directory = new RateLimitedDirectory(writeback, budget);
        IndexWriter writer = new IndexWriter(directory, inOrder())) {
      DirectoryReader before = DirectoryReader.open(writer);
      read(before, (SEGMENTS - 1) * DOCUMENTS, SEGMENTS * DOCUMENTS);
      List<Path> inputs = storedFields();
      writer.forceMerge(1);
      Path merged = merged(inputs);
      looks.awaitLook();
      looks.passOneSecond(); // searches have the old reader
      DirectoryReader after = DirectoryReader.openIfChanged(before);
      before.close();
      looks.passOneSecond();
      assertEquals(0, writeback.forecastSnapshot().orElseThrow().measuredMerges());
      read(after, (SEGMENTS - 1) * DOCUMENTS, SEGMENTS * DOCUMENTS - DOCUMENTS / 2);
      read(after, 0, DOCUMENTS / 2);
      long length = Files.size(merged);
      CachedPages touched =
          TouchedPages.now(ForeignLinuxCalls.get().pageBytes())
              .look(merged, Forecast.ENDS_BYTES, length - 2 * Forecast.ENDS_BYTES)
              .orElseThrow();

      looks.passTheLastSecond();

      ForecastSnapshot found = writeback.forecastSnapshot().orElseThrow();
      assertEquals(1, found.measuredMerges(), found::toString);
      assertEquals(0, found.unmeasuredMerges(), found::toString);
      assertNear(length, found.examinedBytes(), found);
      assertNear(SEGMENT_BYTES, found.foretoldBytes(), found);
      assertEquals(SEGMENT_BYTES, touched.bytes(), 2 * SLACK_BYTES, found::toString);
      assertNear(touched.bytes(), found.usedBytes(), found);
      assertNear(SEGMENT_BYTES / 2, found.hitBytes(), found);
      after.close();
    }
    assertEquals(1, looks.threads());
  }

  private static void assertNear(long expected, long actual, ForecastSnapshot found) {
    assertTrue(
        Math.abs(actual - expected) <= SLACK_BYTES,
        () -> actual + " bytes, and not about " + expected + ": " + found);
  }

  @Test
  void directory_thatIsClosedBefore_countsItAsNotMeasured_andWaitsForNothing() throws Exception {
    WritebackDirectory writeback = writeback(1);
    try (Directory directory = new RateLimitedDirectory(writeback, budget);
        IndexWriter writer = new IndexWriter(directory, inOrder());
        DirectoryReader reader = DirectoryReader.open(writer)) {
      read(reader, 0, DOCUMENTS);
      writer.forceMerge(1);
      looks.awaitLook();
    }
    looks.awaitEnd();
    assertEquals(new ForecastSnapshot(0, 1, 0, 0, 0, 0), writeback.forecastSnapshot().get());
  }

  /** What waits to be measured would else keep the mappings of the input until then. */
  @Test
  void merge_thatWaitsToBeMeasured_keepsNoInputAlive() throws Exception {
    List<WeakReference<IndexInput>> inputs = new ArrayList<>();
    Directory watched =
        new FilterDirectory(files()) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            IndexInput input = in.openInput(name, context);
            inputs.add(new WeakReference<>(input));
            return input;
          }
        };
    WritebackDirectory writeback = writeback(watched, 1);
    try (Directory directory = new RateLimitedDirectory(writeback, budget);
        IndexWriter writer = new IndexWriter(directory, inOrder())) {
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        read(reader, 0, DOCUMENTS);
      }
      int opened = inputs.size();
      assertTrue(opened > SEGMENTS, () -> opened + " files");
      writer.forceMerge(1);
      looks.awaitLook();

      Await.until(
          "collected",
          () -> {
            System.gc();
            return inputs.subList(0, opened).stream().allMatch(input -> input.get() == null);
          });
      assertEquals(0, writeback.forecastSnapshot().get().unmeasuredMerges(), "it waits still");
    }
  }

  @Test
  void merge_thatIsSmall_costsNoLook() throws Exception {
    WritebackDirectory writeback = writeback(1L << 40);
    try (Directory directory = new RateLimitedDirectory(writeback, budget);
        IndexWriter writer = new IndexWriter(directory, inOrder());
        DirectoryReader reader = DirectoryReader.open(writer)) {
      read(reader, 0, DOCUMENTS);
      writer.forceMerge(1);
    }
    assertEquals(0, looks.threads());
    assertEquals(new ForecastSnapshot(0, 0, 0, 0, 0, 0), writeback.forecastSnapshot().get());
  }

  /** Lucene reads all of it again to pack it, so nothing of it is dropped. */
  @Test
  void merge_intoACompoundFile_hasNoForecast() throws Exception {
    WritebackDirectory writeback = writeback(1);
    try (Directory directory = new RateLimitedDirectory(writeback, budget)) {
      IndexWriterConfig config = inOrder();
      config.getMergePolicy().setNoCFSRatio(1);
      config.getMergePolicy().setMaxCFSSegmentSizeMB(Double.POSITIVE_INFINITY);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.forceMerge(1);
      }
    }
    assertEquals(0, looks.threads());
  }

  private static Optional<ForecastSnapshot> of(Directory directory) {
    return DirectoryPlan.find(directory, WritebackDirectory.class).orElseThrow().forecastSnapshot();
  }

  /** By default it is measured. */
  @Test
  void figures_whereTheKernelSaysNothingOrPagesAreLeftToIt_areAbsent() throws IOException {
    DirectoryPlan plan = DirectoryPlan.recommended(budget);
    try (FSDirectory files = FSDirectory.open(temp);
        Directory heap = new ByteBuffersDirectory()) {
      assertEquals(Optional.of(new ForecastSnapshot(0, 0, 0, 0, 0, 0)), of(plan.over(files)));
      assertEquals(Optional.empty(), of(plan.over(heap)));
      for (DirectoryPlan without :
          List.of(
              plan.withMergeReads(MergePageCache.KERNEL),
              plan.without(DirectoryPlan.Layer.MERGE_READS),
              plan.withWriteback(WritebackOptions.OFF))) {
        assertEquals(Optional.empty(), of(without.over(files)), () -> without.layers().toString());
      }
    }
  }
}
