package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.OperatingSystemMXBean;
import io.weir.merge.MergeLab;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.rate.ByteBudget;
import io.weir.store.DirectoryPlan;
import io.weir.store.KernelPageCache;
import io.weir.store.MergePageCache;
import io.weir.store.MergeReadsDirectory;
import io.weir.store.PageCache;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackMethod;
import io.weir.store.WritebackOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.ReadAdvice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a merge leaves in the page cache of this machine, of files of some MB. */
class MergePageCacheTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 5000;
  private static final int STORED_BYTES = 2000; // random, so 10 MB a segment

  /** What the kernel reads ahead, headers, and pages at the edges. */
  private static final long SLACK_BYTES = 2 << 20;

  /** Memory is short with less than this free. */
  private static final long SCARCE_BYTES =
      (((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize()
              - Runtime.getRuntime().maxMemory())
          / 16;

  @TempDir Path temp;

  private PageCache cache;
  private Path used;

  /** An index of which readers use the stored fields of one segment, and nothing else. */
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
    for (Path file : files("")) {
      cache.drop(file);
    }
    used = temp.resolve("_1.fdt");
    assertEquals(Files.size(used), Files.readAllBytes(used).length);
    assertEquals(Files.size(used), cache.residentBytes(used));
  }

  /** Opening a file reads two pages then; a disk of this machine may read megabytes ahead. */
  private Directory files() throws IOException {
    MMapDirectory files = new MMapDirectory(temp);
    files.setReadAdvice((name, context) -> Optional.of(ReadAdvice.RANDOM));
    return files;
  }

  private List<Path> files(String suffix) throws IOException {
    try (Stream<Path> all = Files.list(temp)) {
      return all.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }

  private long merge(Directory directory, RateLimitedMergeScheduler scheduler) throws IOException {
    List<Path> before = new ArrayList<>(files(".fdt"));
    assertEquals(SEGMENTS, before.size());
    try (directory;
        IndexWriter writer =
            new IndexWriter(
                directory,
                MergeLab.config(scheduler).setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE))) {
      writer.forceMerge(1);
      writer.commit();
    }
    List<Path> merged = new ArrayList<>(files(".fdt"));
    merged.removeAll(before);
    assertEquals(1, merged.size());
    assertNear(Files.size(used), cache.residentBytes(used), "what readers use has stayed");
    long others = 0;
    for (Path file : before) {
      others += file.equals(used) ? 0 : cache.residentBytes(file);
    }
    inputBytes = others;
    return cache.residentBytes(merged.getFirst());
  }

  private long inputBytes; // of the input that readers do not use

  private static long freeBytes() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getFreeMemorySize();
  }

  private static void assertNear(long expected, long actual, String what) {
    assertTrue(
        Math.abs(actual - expected) <= SLACK_BYTES, what + ": " + actual + ", not " + expected);
  }

  /** In plenty of memory its output stays; {@code ReadersOfMergedSegmentTest} has too little. */
  @Test
  void merge_byDefault_leavesInputAsReadersHadIt_andItsOutputWhereMemoryIsFree()
      throws IOException {
    boolean isFree = freeBytes() > 2 * SCARCE_BYTES;
    assumeTrue(isFree || freeBytes() < SCARCE_BYTES / 2, "memory is about to be short");
    Weir weir = Weir.builder().open(files());
    Directory directory = weir.directory();
    MergeReadsDirectory reads =
        DirectoryPlan.find(directory, MergeReadsDirectory.class).orElseThrow();
    WritebackDirectory writeback =
        DirectoryPlan.find(directory, WritebackDirectory.class).orElseThrow();
    assumeTrue(writeback.method() == WritebackMethod.SYNC_FILE_RANGE, writeback.methodReason());
    assertTrue(reads.reason().endsWith("leave readers what they have in the page cache"));
    long kept = isFree ? 3 : 1;
    assertNear(kept * Files.size(used), merge(directory, weir.scheduler()), "merged");
    assertNear(0, inputBytes, "input that only the merge has read");
    assertNear(2 * Files.size(used), reads.droppedBytes(), "dropped of the input");
    long dropped = writeback.snapshot().droppedBytes();
    assertNear((3 - kept) * Files.size(used), dropped, "of the output");
    try (Directory merged = new MMapDirectory(temp)) {
      MergeLab.check(merged, SEGMENTS * DOCUMENTS);
    }
  }

  /** There was a fault for each file, logged as if a write had gone wrong. */
  @Test
  void merge_withoutWriteback_leavesItsOutput_andCountsNoFault() throws IOException {
    ByteBudget budget = ByteBudget.unlimited();
    Directory directory =
        DirectoryPlan.recommended(budget).withWriteback(WritebackOptions.OFF).over(files());
    WritebackDirectory writeback =
        DirectoryPlan.find(directory, WritebackDirectory.class).orElseThrow();
    long merged = merge(directory, new RateLimitedMergeScheduler(budget));
    assertEquals(0, writeback.snapshot().faults());
    assertNear(3 * Files.size(used), merged, "merged");
    assertNear(0, inputBytes, "input that only the merge has read");
  }

  @Test
  void merge_leftToTheKernel_leavesEverything() throws IOException {
    ByteBudget budget = ByteBudget.unlimited();
    Directory directory =
        DirectoryPlan.recommended(budget).withMergeReads(MergePageCache.KERNEL).over(files());
    long merged = merge(directory, new RateLimitedMergeScheduler(budget));
    assertNear(3 * Files.size(used), merged, "merged");
    assertNear(2 * Files.size(used), inputBytes, "input");
  }

  /** By the cap's layer, or by that of writeback alone. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copy_ofAnotherIndex_leavesOfItAsMuchAsReadersHad(boolean capped) throws IOException {
    DirectoryPlan plan =
        capped
            ? DirectoryPlan.recommended(ByteBudget.unlimited())
            : DirectoryPlan.empty()
                .withMergeReads(MergePageCache.NEUTRAL)
                .withWriteback(WritebackOptions.DEFAULT);
    Path into = Files.createDirectory(temp.resolve("into"));

    copy(plan.over(new MMapDirectory(into)));

    long others = 0;
    for (Path file : files(".fdt")) {
      others += file.equals(used) ? 0 : cache.residentBytes(file);
    }
    assertNear(Files.size(used), cache.residentBytes(used), "what readers use has stayed");
    assertNear(0, others, "what only the copy has read");
    try (Directory copied = new MMapDirectory(into)) {
      MergeLab.check(copied, SEGMENTS * DOCUMENTS);
    }
  }

  @Test
  void copy_leftToTheKernel_leavesEverything() throws IOException {
    Path into = Files.createDirectory(temp.resolve("into"));

    copy(
        DirectoryPlan.recommended(ByteBudget.unlimited())
            .withMergeReads(MergePageCache.KERNEL)
            .over(new MMapDirectory(into)));

    for (Path file : files(".fdt")) {
      assertNear(Files.size(file), cache.residentBytes(file), file.toString());
    }
  }

  private void copy(Directory into) throws IOException {
    try (into;
        Directory from = files();
        IndexWriter writer =
            new IndexWriter(into, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      writer.addIndexes(from);
      writer.commit();
    }
  }
}
