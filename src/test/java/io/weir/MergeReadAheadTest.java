package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.procfs.FaultCounters;
import io.weir.procfs.Procfs;
import io.weir.store.KernelPageCache;
import io.weir.store.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.ReadAdvice;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Merges read files that are mapped with the advice RANDOM in large pieces. Before, a merge of
 * compound segments read one page, 4 KiB, for each fault: on a slow disk below 1 MB/s.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MergeReadAheadTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 1000; // of 8 KB in each segment
  private static final int PAGE_BYTES = 4096;

  /** Who merges: Weir's scheduler, or one that Weir does not see, as in engines. */
  enum Scheduler {
    WEIRS,
    LUCENES
  }

  @TempDir Path temp;

  private final Procfs procfs = Procfs.SYSTEM;

  @ParameterizedTest
  @EnumSource
  void forcedMerge_ofCompoundSegmentsMappedRandom_hardlyFaults(Scheduler scheduler)
      throws IOException {
    assumeTrue(procfs.selfFaults().isPresent(), "this system does not count page faults");
    assumeTrue(
        KernelPageCache.unavailable().isEmpty(), () -> KernelPageCache.unavailable().toString());
    assumeTrue(
        KernelPageCache.obstacle(temp).isEmpty(), () -> KernelPageCache.obstacle(temp).toString());
    build();
    long pages = compoundBytes() / PAGE_BYTES;
    assertTrue(pages > SEGMENTS * DOCUMENTS, pages + " pages are in compound files");

    long faults;
    try (MMapDirectory files = new MMapDirectory(temp)) {
      files.setReadAdvice((name, context) -> Optional.of(ReadAdvice.RANDOM));
      IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(true);
      try (Weir weir = Weir.builder().open(files);
          IndexWriter writer =
              new IndexWriter(weir.directory(), scheduled(config, scheduler, weir))) {
        forget();
        long before = majorFaults();
        writer.forceMerge(1);
        faults = majorFaults() - before;
      }
    }
    assertTrue(faults < pages / 10, faults + " faults for a merge of " + pages + " pages");
    try (FSDirectory stock = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(stock)) {
      CheckIndex.Status status = check.checkIndex();
      assertTrue(status.clean);
      assertEquals(1, status.numSegments);
    }
  }

  private static IndexWriterConfig scheduled(
      IndexWriterConfig config, Scheduler scheduler, Weir weir) {
    return switch (scheduler) {
      case WEIRS -> weir.configure(config);
      case LUCENES -> config.setMergeScheduler(new ConcurrentMergeScheduler());
    };
  }

  private void build() throws IOException {
    Random random = new Random(7);
    byte[] bytes = new byte[8000]; // random, so that they stay as long as they are
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setRAMBufferSizeMB(256);
    try (FSDirectory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        for (int i = 0; i < DOCUMENTS; i++) {
          random.nextBytes(bytes);
          Document document = new Document();
          document.add(new StoredField("bytes", bytes));
          writer.addDocument(document);
        }
        writer.commit();
      }
    }
  }

  private List<Path> compoundFiles() throws IOException {
    try (FSDirectory directory = FSDirectory.open(temp)) {
      return Arrays.stream(directory.listAll())
          .filter(name -> name.endsWith(".cfs"))
          .map(temp::resolve)
          .toList();
    }
  }

  private long compoundBytes() throws IOException {
    long bytes = 0;
    for (Path file : compoundFiles()) {
      bytes += file.toFile().length();
    }
    return bytes;
  }

  /** Nothing of the index is in memory any more. */
  private void forget() throws IOException {
    PageCache cache = KernelPageCache.of(temp);
    for (Path file : compoundFiles()) {
      cache.drop(file);
    }
  }

  private long majorFaults() {
    return procfs.selfFaults().map(FaultCounters::majorFaults).orElseThrow().orElseThrow();
  }
}
