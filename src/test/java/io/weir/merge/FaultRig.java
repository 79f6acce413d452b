package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedFileSystem;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.Bits;

/**
 * The whole stack on a real file system, in a directory that is emptied first: a directory with a
 * budget, a scheduler with the same budget, a writer, and a book of what was indexed and of what
 * was committed. After whatever a test did to it, {@link #checkAfterwards} says if it is whole.
 */
final class FaultRig implements AutoCloseable {

  /** {@code -Dweir.faults.dense=true} strikes at each step and not only at every so many. */
  private static final boolean DENSE = Boolean.getBoolean("weir.faults.dense");

  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final int ROUNDS = 6;
  private static final int DOCUMENTS_PER_ROUND = 8;

  final ByteBudget budget;
  final RateLimitedMergeScheduler scheduler;
  final IndexWriter writer;

  /** What background threads died of. */
  final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

  private final Path path;
  private final RateLimitedDirectory directory;
  private final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();
  private final Thread.UncaughtExceptionHandler handlerBefore =
      Thread.getDefaultUncaughtExceptionHandler();
  private final Random random = new Random(42);
  private final Map<String, Long> live = new TreeMap<>();
  private Map<String, Long> committed = Map.of();
  private Map<String, Long> committing = Map.of(); // what the commit that failed was to contain
  private long versions;

  FaultRig(Path path, SteppedFileSystem.Hook hook, boolean fullFlushMerges) throws IOException {
    this(path, hook, fullFlushMerges, tight(), policy());
  }

  FaultRig(
      Path path,
      SteppedFileSystem.Hook hook,
      boolean fullFlushMerges,
      ByteBudget budget,
      MergePolicy policy)
      throws IOException {
    empty(path);
    this.path = path;
    this.budget = budget;
    this.scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(30, 20); // so many that some are left for within merges
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    directory =
        new RateLimitedDirectory(new MMapDirectory(SteppedFileSystem.of(path, hook)), budget);
    writer =
        new IndexWriter(
            directory,
            config(policy)
                .setCodec(new ThreadedPointsCodec())
                .setMaxFullFlushMergeWaitMillis(fullFlushMerges ? 500 : 0));
  }

  /** So few bytes at a time that each file of some size waits, yet not for long. */
  static ByteBudget tight() {
    return tight(8_000_000);
  }

  /** As {@link #tight()}, at another rate. */
  static ByteBudget tight(long bytesPerSecond) {
    return new ByteBudget(
        BudgetOptions.named("faults")
            .withRate(Rate.perSecond(bytesPerSecond))
            .withBurst(Duration.ofMillis(1)));
  }

  /** Merges soon, into compound files. */
  static MergePolicy policy() {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setSegmentsPerTier(2);
    policy.setFloorSegmentMB(0.03);
    policy.setNoCFSRatio(1);
    return policy;
  }

  /** As {@link #policy}, and says of each merge that it is large: Lucene gives those threads. */
  static MergePolicy policyOfLargeMerges() {
    return new OneMergeWrappingMergePolicy(policy(), Large::new);
  }

  /** At which step to strike next. */
  static int next(int step, int stride) {
    return step + (DENSE ? 1 : stride);
  }

  /** Adds, updates, deletes, reopens, commits, natural merges, and at the end a forced one. */
  void work() throws IOException {
    index();
    forceMerge();
    commit();
  }

  void index() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      indexRound(round);
      reopen();
      if (round % 2 == 1) {
        commit();
      }
    }
  }

  void indexRound(int round) throws IOException {
    for (int i = 0; i < DOCUMENTS_PER_ROUND; i++) {
      String id = Integer.toString(round * DOCUMENTS_PER_ROUND + i);
      if (live.containsKey(id)) {
        writer.updateDocument(new Term("id", id), document(id));
      } else {
        writer.addDocument(document(id));
      }
      live.put(id, versions);
    }
    if (round > 0) {
      for (int i = 0; i < 3; i++) {
        String id = Integer.toString((round - 1) * DOCUMENTS_PER_ROUND + i);
        writer.updateDocument(new Term("id", id), document(id));
        live.put(id, versions);
      }
      String id = Integer.toString((round - 1) * DOCUMENTS_PER_ROUND + 3);
      writer.deleteDocuments(new Term("id", id));
      live.remove(id);
    }
  }

  void forceMerge() throws IOException {
    writer.forceMerge(1);
  }

  /** A reader of the writer sees just what was indexed. */
  void reopen() throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      assertEquals(live, contents(reader));
    }
  }

  void commit() throws IOException {
    committing = new TreeMap<>(live);
    writer.commit();
    committed = committing;
  }

  /** The test did to the writer what commits everything. */
  void allIsCommitted() {
    committed = new TreeMap<>(live);
    committing = committed;
  }

  /** The test did to the writer what deletes everything. */
  void allIsDeleted() {
    live.clear();
  }

  /** After the writer was rolled back or closed: nothing is lost, nothing left, all goes on. */
  void checkAfterwards() throws Exception {
    Await.until("no thread is left", () -> left().isEmpty());
    assertEquals(0, budget.snapshot().waiting());
    assertEquals(List.of(), scheduler.running());
    assertEquals(1, budget.tryAcquire(1, BOUND), "the budget grants no more");
    directory.close();
    Map<String, Long> found = checkIndex();
    assertTrue(
        found.equals(committed) || found.equals(committing),
        () -> found + " is neither " + committed + " nor " + committing);
    found.put("afterwards", ++versions);
    try (FSDirectory plain = FSDirectory.open(path);
        RateLimitedDirectory again = new RateLimitedDirectory(plain, budget)) {
      try (IndexWriter next = new IndexWriter(again, config(policy()))) {
        Document document = MergeLab.document(0);
        document.clear();
        document.add(
            new org.apache.lucene.document.StringField(
                "id", "afterwards", org.apache.lucene.document.Field.Store.YES));
        document.add(new StoredField("version", versions));
        next.addDocument(document);
        next.forceMerge(1);
      }
      assertEquals(1, MergeLab.segments(plain));
      MergeLab.checkNothingLeftOver(plain);
    }
    assertEquals(found, checkIndex());
    Await.until("no thread is left", () -> left().isEmpty());
  }

  @Override
  public void close() throws IOException {
    Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    directory.close();
  }

  private IndexWriterConfig config(MergePolicy policy) {
    return new IndexWriterConfig().setMergeScheduler(scheduler).setMergePolicy(policy);
  }

  private Document document(String id) {
    versions++;
    Document document = MergeLab.document(Integer.parseInt(id));
    MergeLab.text(document, random);
    MergeLab.source(document, random);
    document.add(new StoredField("version", versions));
    document.add(new NumericDocValuesField("number", versions));
    for (int i = 0; i < 8; i++) {
      document.add(new LongPoint("point", random.longs(8).toArray()));
    }
    document.add(
        new KnnFloatVectorField("vector", new float[] {random.nextFloat(), random.nextFloat()}));
    return document;
  }

  private Map<String, Long> checkIndex() throws IOException {
    try (FSDirectory plain = FSDirectory.open(path)) {
      if (!DirectoryReader.indexExists(plain)) {
        return new TreeMap<>();
      }
      Map<String, Long> found;
      int documents;
      try (DirectoryReader reader = DirectoryReader.open(plain)) {
        found = contents(reader);
        documents = reader.numDocs();
      }
      MergeLab.check(plain, documents);
      return found;
    }
  }

  private static Map<String, Long> contents(DirectoryReader reader) throws IOException {
    Map<String, Long> found = new TreeMap<>();
    for (var leaf : reader.leaves()) {
      StoredFields stored = leaf.reader().storedFields();
      Bits liveDocs = leaf.reader().getLiveDocs();
      for (int i = 0; i < leaf.reader().maxDoc(); i++) {
        if (liveDocs == null || liveDocs.get(i)) {
          Document document = stored.document(i, Set.of("id", "version"));
          long version = document.getField("version").numericValue().longValue();
          assertEquals(null, found.put(document.get("id"), version), "twice there");
        }
      }
    }
    return found;
  }

  /** Those of merges: Lucene's by their name, those within a merge by the default of a pool. */
  private List<Thread> left() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !threadsBefore.contains(thread))
        .filter(
            thread ->
                thread.getName().startsWith("Lucene Merge Thread")
                    || thread.getName().startsWith("pool-"))
        .toList();
  }

  private static void empty(Path path) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private static final class Large extends MergePolicy.OneMerge {

    Large(MergePolicy.OneMerge of) {
      super(of.segments);
    }

    @Override
    public void mergeInit() throws IOException {
      super.mergeInit();
      estimatedMergeBytes = 1L << 30;
    }
  }
}
