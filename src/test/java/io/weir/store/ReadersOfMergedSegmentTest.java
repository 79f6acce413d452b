package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.merge.MergeLab;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;
import io.weir.store.kernel.CachedPages;
import io.weir.store.kernel.ForeignLinuxCalls;
import io.weir.store.pages.TestMemory;
import io.weir.store.writeback.WritebackMedium;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.ReadAdvice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What searches have used of an index, and find in the page cache after a forced merge. */
class ReadersOfMergedSegmentTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 5000; // of each segment
  private static final int STORED_BYTES = 2000; // random, so 10 MB a segment
  private static final long SEGMENT_BYTES = (long) DOCUMENTS * STORED_BYTES;

  /** Of which the merge is half. */
  private static final long PAGE_CACHE_BYTES = 2 * SEGMENTS * SEGMENT_BYTES;

  /** Pages at the edges, and headers of blocks. */
  private static final long SLACK_BYTES = 1 << 20;

  @TempDir Path temp;

  private PageCache cache;

  @BeforeEach
  void build() throws IOException {
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    assumeTrue(
        KernelPageCache.obstacle(temp).isEmpty(), () -> KernelPageCache.obstacle(temp).toString());
    cache = KernelPageCache.of(temp);
    try (Directory directory = new MMapDirectory(temp)) {
      MergeLab.build(directory, SEGMENTS, DOCUMENTS, MergeLab.stored(STORED_BYTES));
    }
  }

  /** Where the forecasts of a directory come from. */
  private interface Readers {
    WritebackDirectory.Forecasts of(WritebackDirectory directory);
  }

  /**
   * Merges while searches hold a reader that has read the first half of the last segment, and
   * nothing else; all files are in the page cache. Returns what is there of the merged file.
   */
  private CachedPages merge(Readers readers) throws IOException {
    WritebackOptions options = WritebackOptions.DEFAULT;
    MMapDirectory files = new MMapDirectory(temp);
    files.setReadAdvice((name, context) -> Optional.of(ReadAdvice.RANDOM));
    MergeReadsDirectory reads = new MergeReadsDirectory(files, MergePageCache.NEUTRAL);
    WritebackDirectory writeback =
        new WritebackDirectory(
            reads,
            options,
            WritebackMedium.of(reads, options, ForeignLinuxCalls::get),
            new Disk.UnstartedFiles(Long.MAX_VALUE),
            readers::of,
            NanoClock.SYSTEM);
    assumeTrue(writeback.method() == WritebackMethod.SYNC_FILE_RANGE, writeback.methodReason());
    ByteBudget budget = ByteBudget.unlimited();
    Path merged;
    try (Directory directory = new RateLimitedDirectory(writeback, budget);
        IndexWriter writer = new IndexWriter(directory, inOrder(budget));
        DirectoryReader reader = DirectoryReader.open(writer)) {
      for (Path file : storedFields()) {
        assertEquals(Files.size(file), Files.readAllBytes(file).length);
      }
      for (int i = 0; i < DOCUMENTS / 2; i++) {
        reader.storedFields().document((SEGMENTS - 1) * DOCUMENTS + i);
      }
      List<Path> inputs = storedFields();
      writer.forceMerge(1);
      merged = storedFields().stream().filter(file -> !inputs.contains(file)).findAny().get();
      writer.commit();
    }
    try (Directory directory = new MMapDirectory(temp);
        FileChannel file = FileChannel.open(merged)) {
      CachedPages found = CachedPages.look(ForeignLinuxCalls.get(), file, 0, file.size());
      MergeLab.check(directory, SEGMENTS * DOCUMENTS);
      return found;
    }
  }

  /** Merges segments in their order, into files of their own. */
  private static IndexWriterConfig inOrder(ByteBudget budget) {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setNoCFSRatio(0);
    return MergeLab.config(new RateLimitedMergeScheduler(budget)).setMergePolicy(policy);
  }

  private List<Path> storedFields() throws IOException {
    try (Stream<Path> all = Files.list(temp)) {
      return all.filter(file -> file.toString().endsWith(".fdt")).toList();
    }
  }

  private static void assertKept(CachedPages merged) {
    long from = (SEGMENTS - 1) * SEGMENT_BYTES;
    long used = merged.bytes(from + SLACK_BYTES, from + SEGMENT_BYTES / 2 - SLACK_BYTES);
    assertEquals(SEGMENT_BYTES / 2 - 2 * SLACK_BYTES, used, "bytes that readers have used");
  }

  private static void assertOnlyThatIsKept(CachedPages merged) {
    assertKept(merged);
    assertTrue(
        merged.bytes() <= SEGMENT_BYTES / 2 + 2 * SLACK_BYTES,
        () -> merged.bytes() + " bytes, of which readers had used half a segment");
  }

  @Test
  void merge_thatIsSmallForThePageCache_keepsWhatReadersHadUsed() throws IOException {
    assertOnlyThatIsKept(
        merge(
            directory ->
                new WritebackDirectory.ReadersOfInput(
                    directory, new TestMemory(Long.MAX_VALUE), Optional.empty())));
  }

  @Test
  void merge_thatIsLarge_keepsWhatReadersHadUsed() throws IOException {
    assertOnlyThatIsKept(
        merge(
            directory ->
                new WritebackDirectory.ReadersOfInput(
                    directory, new TestMemory(PAGE_CACHE_BYTES), Optional.empty())));
  }

  /** It has kept all that it had written until then. */
  @Test
  void merge_whoseMemoryGetsShort_keepsWhatReadersHadUsed() throws IOException {
    TestMemory memory = new TestMemory(PAGE_CACHE_BYTES);
    memory.free(PAGE_CACHE_BYTES);
    long[] keptBytes = {0};
    assertOnlyThatIsKept(
        merge(
            directory -> {
              WritebackDirectory.Forecasts readers =
                  new WritebackDirectory.ReadersOfInput(directory, memory, Optional.empty());
              return file -> {
                if (file.sealsAMerge()) {
                  keptBytes[0] = cachedBytesOfTheLongest();
                  memory.free(0);
                }
                return readers.of(file);
              };
            }));
    assertTrue(
        keptBytes[0] >= SEGMENTS * SEGMENT_BYTES, () -> "only " + keptBytes[0] + " until then");
  }

  private long cachedBytesOfTheLongest() {
    try {
      long most = 0;
      for (Path file : storedFields()) {
        most = Math.max(most, cache.residentBytes(file));
      }
      return most;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Others have read so much meanwhile that the kernel has evicted it. */
  @Test
  void merge_whoseOutputIsEvicted_readsAgainWhatReadersUse() throws IOException {
    assertKept( // and what the kernel has read ahead
        merge(
            directory -> {
              WritebackDirectory.Forecasts readers =
                  new WritebackDirectory.ReadersOfInput(
                      directory, new TestMemory(PAGE_CACHE_BYTES), Optional.empty());
              return file -> {
                if (file.sealsAMerge()) {
                  evict();
                }
                return readers.of(file);
              };
            }));
  }

  private void evict() {
    try {
      for (Path file : storedFields()) {
        cache.drop(file); // not what is mapped
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
