package io.weir.benchmark.bulkindexing;

import com.sun.management.OperatingSystemMXBean;
import io.weir.stress.index.IndexSchema;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * One index built from nothing, until its last merge has ended and its writer is closed, with the
 * same work each time.
 *
 * <p>A flush by memory comes when threads happen to have filled it, and which segments a merge
 * finds is then chance too. Here each block of documents goes to the writer in one call, fills one
 * segment and is flushed: there are as many segments as blocks, of the same documents each time.
 * Merges take {@value #MERGE_FACTOR} neighbours of one size, so that all are merged as often.
 */
final class IndexingRun {

  /** How many segments become one, and how many of those one more. */
  static final int MERGE_FACTOR = 2;

  /** Blocks of a run, each a flush; each document is merged twice. */
  static final int BLOCKS = MERGE_FACTOR * MERGE_FACTOR;

  /**
   * What was measured.
   *
   * @param wallNanos from the first document until the writer was closed
   * @param mergedNanos of that, until the last merge had ended
   * @param processNanos processor time of the whole process in that time, all arms that it runs
   * @param gcNanos of that time in which collections ran
   * @param merges how many
   * @param mergedDocuments what all merges together had; a document counts once for each of its own
   */
  record Timing(
      long wallNanos,
      long mergedNanos,
      long processNanos,
      long gcNanos,
      int merges,
      long mergedDocuments) {}

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final IndexedDocuments documents;
  private final AtomicInteger merges = new AtomicInteger();
  private final AtomicLong mergedDocuments = new AtomicLong();

  private IndexingRun(IndexedDocuments documents) {
    this.documents = documents;
  }

  /** Builds the index and {@linkplain #check checks} it. */
  static Timing run(IndexingArm arm, IndexedDocuments documents, int threads, Path path)
      throws IOException, InterruptedException {
    Timing timing = build(arm, documents, threads, path);
    check(documents, path);
    return timing;
  }

  /**
   * Builds the index.
   *
   * @param threads at most 2 when documents are updated: a thread has then indexed itself what a
   *     block of its own replaces
   * @param path an empty directory, or none
   */
  static Timing build(IndexingArm arm, IndexedDocuments documents, int threads, Path path)
      throws IOException, InterruptedException {
    return new IndexingRun(documents).index(arm, threads, path);
  }

  /**
   * Checks that the index holds every document.
   *
   * @throws IOException if it does not
   */
  static void check(IndexedDocuments documents, Path path) throws IOException {
    try (Directory plain = FSDirectory.open(path);
        DirectoryReader reader = DirectoryReader.open(plain)) {
      if (reader.numDocs() != documents.live()) {
        throw new IOException(
            "the index must hold %d documents: %d".formatted(documents.live(), reader.numDocs()));
      }
    }
  }

  private Timing index(IndexingArm arm, int threads, Path path)
      throws IOException, InterruptedException {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setMergePolicy(mergePolicy())
            .setMaxBufferedDocs(documents.blockSize())
            .setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
    try (Directory directory = arm.open(path, config)) {
      long cpuNanos = PROCESS.getProcessCpuTime();
      long gcNanos = gcNanos();
      long startNanos = NanoClock.SYSTEM.nanoTime();
      long mergedNanos;
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        arm.check(writer);
        index(writer, threads);
        awaitMerges(writer);
        mergedNanos = NanoClock.SYSTEM.nanoTime();
      }
      return new Timing(
          NanoClock.SYSTEM.nanoTime() - startNanos,
          mergedNanos - startNanos,
          PROCESS.getProcessCpuTime() - cpuNanos,
          gcNanos() - gcNanos,
          merges.get(),
          mergedDocuments.get());
    }
  }

  /** By numbers of documents alone; the first merges make compound files, the last one does not. */
  private MergePolicy mergePolicy() {
    LogDocMergePolicy policy =
        new LogDocMergePolicy() {
          @Override
          public boolean useCompoundFile(
              SegmentInfos infos, SegmentCommitInfo merged, MergeContext context) {
            return merged.info.maxDoc() < BLOCKS * documents.blockSize();
          }
        };
    policy.setMergeFactor(MERGE_FACTOR);
    policy.setMinMergeDocs(documents.blockSize());
    policy.setCalibrateSizeByDeletes(false);
    return new OneMergeWrappingMergePolicy(
        policy,
        merge -> {
          merges.incrementAndGet();
          mergedDocuments.addAndGet(merge.totalNumDocs());
          return merge;
        });
  }

  /** Not left to {@code close}, which may be set to abort them. */
  private static void awaitMerges(IndexWriter writer) throws IOException {
    ConcurrentMergeScheduler scheduler =
        (ConcurrentMergeScheduler) writer.getConfig().getMergeScheduler();
    writer.flush();
    writer.maybeMerge();
    while (writer.hasPendingMerges() || scheduler.mergeThreadCount() > 0) {
      scheduler.sync();
    }
  }

  private void index(IndexWriter writer, int threads) throws IOException, InterruptedException {
    List<FutureTask<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int first = i;
      FutureTask<Void> task = new FutureTask<>(() -> indexBlocks(writer, first, threads), null);
      tasks.add(task);
      Thread.ofPlatform().name("index-" + i).start(task);
    }
    for (FutureTask<Void> task : tasks) {
      try {
        task.get();
      } catch (ExecutionException e) {
        throw new IOException("indexing failed: " + e.getCause(), e.getCause());
      }
    }
  }

  private void indexBlocks(IndexWriter writer, int first, int threads) {
    try {
      for (int i = first; i < BLOCKS; i += threads) {
        List<Document> block = documents.block(i);
        List<Term> replaced = documents.replacedBy(i);
        if (!replaced.isEmpty()) {
          writer.deleteDocuments(replaced.toArray(Term[]::new));
        }
        writer.addDocuments(block);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long gcNanos() {
    return 1_000_000
        * ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
  }
}
