package io.weir.benchmark.bulkindexing;

import com.sun.management.OperatingSystemMXBean;
import io.weir.corpus.CorpusDocument;
import io.weir.corpus.DocumentReader;
import io.weir.corpus.DocumentSources;
import io.weir.corpus.ReadProblems;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.result.RunJson;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * One index built from nothing, until its last merge has ended and its writer is closed. It is all
 * that its JVM does. The texts are made before, a part of them, and used over again; keys are
 * unique.
 */
final class IndexingRun {

  /**
   * What to do.
   *
   * @param arm its name
   * @param path an empty directory, or none
   */
  record Task(String arm, int documents, int threads, Path path) {}

  /**
   * What was measured.
   *
   * @param wallNanos from the first document until the writer was closed
   * @param addingNanos of that, until the last document was added
   * @param cpuNanos of the whole process in that time
   * @param gcNanos of that time in which collections ran
   * @param mergedDocuments what all merges together had; a document counts once for each of its own
   */
  record Result(
      long wallNanos, long addingNanos, long cpuNanos, long gcNanos, long mergedDocuments) {}

  private static final long SEED = 1;
  private static final int MAX_TEXTS = 20_000;

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** Lucene tells of the vector instructions it could have; kept here or it would be forgotten. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  /** Where a document goes. */
  @FunctionalInterface
  private interface Sink {
    void take(Document document) throws IOException;
  }

  private final Task task;
  private final List<CorpusDocument> texts = new ArrayList<>();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong mergedDocuments = new AtomicLong();

  private IndexingRun(Task task) {
    this.task = task;
  }

  /** Reads a {@link Task} from the file named first, leaves a {@link Result} in the second. */
  public static void main(String[] arguments) throws Exception {
    LUCENE.setLevel(Level.SEVERE);
    Thread.ofPlatform().daemon().name("stdin").start(IndexingRun::endWithTheBenchmark);
    Task task = RunJson.read(Path.of(arguments[0]), Task.class);
    RunJson.write(Path.of(arguments[1]), run(task));
  }

  /** The standard input ends when the JVM that started this one does, however that ends. */
  private static void endWithTheBenchmark() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; only the end means something.
      }
    } catch (IOException e) {
      // As good as an end.
    }
    Runtime.getRuntime().halt(1);
  }

  /** Builds the index. */
  static Result run(Task task) throws IOException, InterruptedException {
    IndexingRun run = new IndexingRun(task);
    run.makeTexts();
    IndexingArm arm = IndexingArm.of(task.arm());
    return arm.equals(IndexingArm.GENERATOR) ? run.generate() : run.index(arm);
  }

  private void makeTexts() throws IOException {
    int count = Math.min(task.documents(), MAX_TEXTS);
    try (DocumentReader reader =
        DocumentSources.parse("synthetic:" + count, SEED).open(new ReadProblems())) {
      for (int i = 0; i < count; i++) {
        texts.add(reader.next());
      }
    }
  }

  private Result generate() throws IOException, InterruptedException {
    AtomicLong fields = new AtomicLong(); // so that no compiler can leave the documents out
    Costs costs = new Costs();
    give(document -> fields.addAndGet(document.getFields().size()));
    costs.added();
    if (fields.get() == 0) {
      throw new IOException("no documents were made");
    }
    return costs.end();
  }

  private Result index(IndexingArm arm) throws IOException, InterruptedException {
    IndexWriterConfig config =
        new IndexWriterConfig(IndexSchema.analyzer()).setMergePolicy(counting());
    Result result;
    try (Directory directory = arm.open(task.path(), config)) {
      Costs costs = new Costs();
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        give(writer::addDocument);
        costs.added();
        writer.flush();
        awaitMerges(writer);
      }
      result = costs.end();
    }
    try (Directory plain = FSDirectory.open(task.path());
        DirectoryReader reader = DirectoryReader.open(plain)) {
      if (reader.numDocs() != task.documents()) {
        throw new IOException(
            "the index must hold %d documents: %d".formatted(task.documents(), reader.numDocs()));
      }
      return result;
    }
  }

  /** How much is merged depends on which segments there are when, so it differs by chance. */
  private MergePolicy counting() {
    return new OneMergeWrappingMergePolicy(
        new TieredMergePolicy(),
        merge -> {
          mergedDocuments.addAndGet(merge.totalNumDocs());
          return merge;
        });
  }

  /** Not left to {@code close}, which may be set to abort them. */
  private static void awaitMerges(IndexWriter writer) throws IOException {
    ConcurrentMergeScheduler scheduler =
        (ConcurrentMergeScheduler) writer.getConfig().getMergeScheduler();
    writer.maybeMerge();
    while (writer.hasPendingMerges() || scheduler.mergeThreadCount() > 0) {
      scheduler.sync();
    }
  }

  private void give(Sink sink) throws IOException, InterruptedException {
    List<FutureTask<Void>> threads = new ArrayList<>();
    for (int i = 0; i < task.threads(); i++) {
      FutureTask<Void> thread = new FutureTask<>(() -> giveTo(sink), null);
      threads.add(thread);
      Thread.ofPlatform().name("index-" + i).start(thread);
    }
    for (FutureTask<Void> thread : threads) {
      try {
        thread.get();
      } catch (ExecutionException e) {
        throw new IOException("indexing failed: " + e.getCause(), e.getCause());
      }
    }
  }

  private void giveTo(Sink sink) {
    try {
      for (long i = next.getAndIncrement(); i < task.documents(); i = next.getAndIncrement()) {
        CorpusDocument text = texts.get((int) (i % texts.size()));
        sink.take(IndexSchema.document(DocumentKeys.of(i, SEED), text));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From its making on. */
  private final class Costs {
    private final long startNanos = NanoClock.SYSTEM.nanoTime();
    private final long startCpuNanos = PROCESS.getProcessCpuTime();
    private final long startGcNanos = gcNanos();
    private long addedNanos;

    /** The last document has been added. */
    void added() {
      addedNanos = NanoClock.SYSTEM.nanoTime();
    }

    /** All is done. */
    Result end() {
      return new Result(
          NanoClock.SYSTEM.nanoTime() - startNanos,
          addedNanos - startNanos,
          PROCESS.getProcessCpuTime() - startCpuNanos,
          gcNanos() - startGcNanos,
          mergedDocuments.get());
    }

    private static long gcNanos() {
      return 1_000_000
          * ManagementFactory.getGarbageCollectorMXBeans().stream()
              .mapToLong(GarbageCollectorMXBean::getCollectionTime)
              .sum();
    }
  }
}
