package io.weir.stress.index;

import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.store.MergeReadsDirectory;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * Builds the index that every arm starts from: several segments of several sizes, as one that has
 * grown by itself, but half as many a tier as the arms' policy allows, and all merges done. So the
 * small segments that an arm adds do not at once make its policy merge most of the index.
 *
 * <p><b>Threads:</b> {@link #build} uses one thread a processor, four at most; {@link
 * #indexedDocuments} may be called from another at the same time.
 *
 * <p><b>Failure:</b> what the documents or the directory throw; nothing is committed then, so the
 * directory holds no index.
 */
public final class IndexBuilder {

  private static final int MAX_THREADS = 4;
  private static final double RAM_BUFFER_MB = 64;
  private static final long LOOK_FOR_MERGES_NANOS = 20_000_000;

  private final Path path;
  private final Documents documents;
  private final IndexLayout layout;
  private final ReadProblems problems;
  private final BooleanSupplier stopped;
  private final double ramBufferMegabytes;
  private final AtomicLong indexed = new AtomicLong();
  private final AtomicReference<Optional<Throwable>> failure =
      new AtomicReference<>(Optional.empty());

  /**
   * A builder of one index.
   *
   * @param layout what its files are to be like
   * @param problems where unreadable input is reported
   * @param stopped asked between documents; when it says true the build ends and commits nothing
   */
  public IndexBuilder(
      Path path,
      Documents documents,
      IndexLayout layout,
      ReadProblems problems,
      BooleanSupplier stopped) {
    this(path, documents, layout, problems, stopped, RAM_BUFFER_MB);
  }

  IndexBuilder(
      Path path,
      Documents documents,
      IndexLayout layout,
      ReadProblems problems,
      BooleanSupplier stopped,
      double ramBufferMegabytes) {
    this.path = path;
    this.documents = documents;
    this.layout = layout;
    this.problems = problems;
    this.stopped = stopped;
    this.ramBufferMegabytes = ramBufferMegabytes;
  }

  /** How many documents have been indexed so far. */
  public long indexedDocuments() {
    return indexed.get();
  }

  /**
   * Builds and commits.
   *
   * @return how many documents the index holds; 0 when stopped
   */
  public long build() throws IOException {
    DocumentSource source = DocumentSources.parse(documents.source(), documents.seed());
    DocumentVectors vectors = DocumentVectors.of(documents);
    OptionalLong textBytes = source.textBytes();
    ConcurrentMergeScheduler merges = new ConcurrentMergeScheduler();
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setSegmentsPerTier(policy.getSegmentsPerTier() / 2);
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer())
            .setCodec(IndexSchema.codec(layout))
            .setMergeScheduler(merges)
            .setMergePolicy(policy)
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
            .setRAMBufferSizeMB(ramBufferMegabytes)
            .setCommitOnClose(false);
    layout.compound().applyTo(config, policy);
    // As in an application that uses Weir, files keep the checksums of their blocks.
    try (Directory directory = new MergeReadsDirectory(FSDirectory.open(path));
        IndexWriter writer = new IndexWriter(directory, config);
        DocumentReader reader = source.open(problems)) {
      Feed feed = new Feed(reader);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()); i++) {
        threads.add(
            Thread.ofPlatform().name("weir-build-" + i).start(() -> index(feed, vectors, writer)));
      }
      for (Thread thread : threads) {
        joinUninterruptibly(thread);
      }
      throwFailure();
      writer.flush();
      writer.maybeMerge();
      while (!stopped.getAsBoolean()
          && (writer.hasPendingMerges() || merges.mergeThreadCount() > 0)) {
        NanoClock.SYSTEM.parkNanos(this, LOOK_FOR_MERGES_NANOS);
      }
      if (stopped.getAsBoolean()) {
        return 0;
      }
      writer.setLiveCommitData(
          IndexStamp.of(documents, textBytes, indexed.get(), layout).toCommitData().entrySet());
      writer.commit();
      return indexed.get();
    }
  }

  private void index(Feed feed, DocumentVectors vectors, IndexWriter writer) {
    try {
      for (Optional<Feed.Numbered> next = feed.next(); next.isPresent(); next = feed.next()) {
        long number = next.get().number();
        CorpusDocument text = next.get().document();
        writer.addDocument(
            IndexSchema.document(
                DocumentKeys.of(number, documents.seed()), text, vectors.of(number, text)));
        indexed.incrementAndGet();
      }
    } catch (Throwable t) {
      failure.updateAndGet(first -> first.or(() -> Optional.of(t)));
    }
  }

  private void throwFailure() throws IOException {
    if (failure.get().isPresent()) {
      throw failure.get().get() instanceof NoDocumentsException e
          ? e
          : new IOException(
              "building the index failed: " + failure.get().get(), failure.get().get());
    }
  }

  private static void joinUninterruptibly(Thread thread) throws IOException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while building the index", e);
    }
  }

  /** Hands out the documents, each once, with its number. */
  private final class Feed {
    private final DocumentReader reader; // guarded by this
    private long count; // guarded by this

    Feed(DocumentReader reader) {
      this.reader = reader;
    }

    synchronized Optional<Numbered> next() throws IOException {
      boolean enough = documents.maxDocuments() > 0 && count >= documents.maxDocuments();
      if (enough || stopped.getAsBoolean() || failure.get().isPresent()) {
        return Optional.empty();
      }
      return Optional.ofNullable(reader.next()).map(document -> new Numbered(count++, document));
    }

    record Numbered(long number, CorpusDocument document) {}
  }
}
