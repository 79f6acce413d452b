package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.merge.MergeLab;
import io.weir.rate.ByteBudget;
import io.weir.store.ResidentKeys;
import io.weir.store.WritebackDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.misc.index.BPIndexReorderer;
import org.apache.lucene.misc.index.BPReorderingMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Charged equals written, through the facade, for the writes that are easily missed. */
class WeirChargeTest {

  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 4000;

  @TempDir Path temp;

  private final ByteBudget budget = ByteBudget.unlimited();
  private Weir weir; // the one that was opened

  /** The cache above is too small for any file, but takes every copy apart. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void addIndexes_ofDirectories_chargesAndSmoothsEachByteOnce(boolean cacheAbove)
      throws IOException {
    Directory whole = open(FSDirectory.open(temp));
    Directory directory = cacheAbove ? new NRTCachingDirectory(whole, 1e-9, 1e-9) : whole;
    try (Directory source = new ByteBuffersDirectory();
        directory;
        IndexWriter writer = new IndexWriter(directory, config())) {
      MergeLab.build(source, SEGMENTS, DOCUMENTS, MergeLab::source);
      writer.addIndexes(source);
      assertEquals(bytes(source), budget.snapshot().grantedBytes());
      writer.commit();
      assertEquals(bytes(source), budget.snapshot().grantedBytes(), "a commit is not charged");
      assertTrue(smoothing(whole).snapshot().startedBytes() > 0, smoothing(whole).methodReason());
    }
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, SEGMENTS * DOCUMENTS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flushesReopensAndCommits_areNotCharged(boolean cacheAbove) throws IOException {
    Directory whole = open(FSDirectory.open(temp));
    Directory directory = cacheAbove ? new NRTCachingDirectory(whole, 1, 1) : whole;
    try (directory;
        IndexWriter writer = new IndexWriter(directory, config())) {
      for (int i = 0; i < DOCUMENTS; i++) {
        writer.addDocument(MergeLab.document(i));
        if (i % 500 == 0) {
          DirectoryReader.open(writer).close();
        }
      }
      writer.commit();
    }
    assertEquals(0, budget.snapshot().grantedBytes());
  }

  /**
   * Its temporary files bear no segment's name, and are written past the merge's directory. With
   * Lucene's own scheduler nobody binds them.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void forceMerge_thatReordersDocuments_chargesItsTemporaryFiles(boolean lucenesScheduler)
      throws IOException {
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.build(stock, SEGMENTS, DOCUMENTS, MergeLab::text);
    }
    BPIndexReorderer reorderer = new BPIndexReorderer();
    reorderer.setMinDocFreq(2);
    CountingDirectory disk = new CountingDirectory(FSDirectory.open(temp));
    Directory whole = open(disk);
    IndexWriterConfig config =
        weir.configure(new IndexWriterConfig())
            .setMergePolicy(new BPReorderingMergePolicy(new TieredMergePolicy(), reorderer));
    if (lucenesScheduler) {
      config.setMergeScheduler(new ConcurrentMergeScheduler());
    }
    try (whole;
        IndexWriter writer = new IndexWriter(whole, config)) {
      long before = disk.bytes();
      writer.forceMerge(1);
      assertTrue(
          disk.bytesByFile().keySet().stream().anyMatch(name -> name.startsWith("postings")),
          "nothing was reordered: " + disk.bytesByFile());
      assertEquals(disk.bytes() - before, budget.snapshot().grantedBytes());
    }
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, SEGMENTS * DOCUMENTS);
    }
  }

  private Directory open(Directory files) {
    weir = Weir.builder().budget(budget).keys(ResidentKeys.of("id")).open(files);
    return weir.directory();
  }

  private IndexWriterConfig config() {
    return weir.configure(new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
  }

  private static WritebackDirectory smoothing(Directory directory) {
    return directory instanceof WritebackDirectory found
        ? found
        : smoothing(((FilterDirectory) directory).getDelegate());
  }

  /** Of the files of all segments. */
  private static long bytes(Directory directory) throws IOException {
    long bytes = 0;
    for (SegmentCommitInfo segment : SegmentInfos.readLatestCommit(directory)) {
      bytes += segment.sizeInBytes();
    }
    return bytes;
  }
}
