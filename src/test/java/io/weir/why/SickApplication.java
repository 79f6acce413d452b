package io.weir.why;

import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * An application with stock Lucene and nothing of Weir: it updates documents, refreshes four times
 * a second and searches, and has one thing wrong with it. It prints {@code ready} once it does, and
 * runs until it is killed.
 *
 * <p>Fixtures of {@code RulesTest} are recorded from it; see {@link #main}.
 */
public final class SickApplication {

  /** What is wrong. */
  enum Illness {
    NOTHING,
    /** Refreshes wait for merges on full flush, and merges write slowly. */
    MERGE_WAIT,
    /** One merge at a time, and merges write slowly. */
    MERGE_STALL,
    /** Merges run on the refreshing thread. */
    SERIAL_MERGES,
    /** The searcher factory takes its time. */
    WARMING,
    /** A listener of refreshes takes its time. */
    LISTENER,
    /** Every request refreshes. */
    REFRESH_BY_REQUEST,
    /** The heap is hardly larger than what lives; run it with {@code -Xmx64m}. */
    SMALL_HEAP,
    /** A forced merge of an index that is larger than the page cache, on a slow disk. */
    FORCED_MERGE,
    /** A commit each second; on a spindle. */
    SLOW_COMMIT,
    /**
     * Another thread writes a large file beside the index; on a spindle, with few vm.dirty_bytes.
     */
    DIRTY_THROTTLING,
    /** Nothing of its own: it commits at times; on a slow disk that another process uses. */
    NEIGHBOUR,
    /** Searches read more than a volume gives, of an index that is larger than the page cache. */
    VOLUME_LIMIT,
    /** As that; on a volume whose credits end while it is looked at. */
    VOLUME_CREDITS,
    /** Nothing merges. */
    MANY_SEGMENTS,
    /** Nothing of its own; run it in a control group with a quota of a part of a processor. */
    PROCESSOR_QUOTA,
    /** Many updates, and no wait for merges, which would wait too; other processes compute. */
    NO_PROCESSOR,
    /** Searches read documents that are not in the page cache, on a slow disk. */
    COLD_SEARCHES;

    /** Whether the index is built first, of as many documents as is said. */
    private boolean hasLargeIndex() {
      return this == FORCED_MERGE || this == COLD_SEARCHES || readsMuch();
    }

    private boolean readsMuch() {
      return this == VOLUME_LIMIT || this == VOLUME_CREDITS;
    }
  }

  private static final long REFRESH_NANOS = Duration.ofMillis(250).toNanos();

  /** Much more than a flush takes on a machine that is busy with something else. */
  private static final long SLOW_NANOS = Duration.ofMillis(900).toNanos();

  private static final long COMMIT_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long RARE_COMMIT_NANOS = Duration.ofSeconds(5).toNanos();
  private static final int WORDS = 20_000;
  private static final int IDS = 40_000;
  private static final int SEGMENTS = 3000;
  private static final int READERS = 8;
  private static final int WRITERS = 4;
  private static final int SCRATCH_BLOCKS = 400;

  /** Below it are the segments of the large index, which stay as they are. */
  private static final double SMALL_SEGMENTS_MEGABYTES = 20;

  private SickApplication() {}

  /**
   * Runs it.
   *
   * @param arguments the illness, a directory for the index and, for a large one, how many
   *     documents it has
   */
  public static void main(String[] arguments) throws Exception {
    PrintStream progress = System.out; // of a process, whose caller waits for it
    Illness illness = Illness.valueOf(arguments[0]);
    Path place = Path.of(arguments[1]);
    // Page faults of mapped files hold all threads up when stacks are asked for; reads do not.
    Directory directory = illness.readsMuch() ? new NIOFSDirectory(place) : FSDirectory.open(place);
    Random random = new Random(1);
    int documents = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0;
    if (illness.hasLargeIndex()) {
      if (!DirectoryReader.indexExists(directory)) {
        build(directory, documents, random);
      }
      progress.println("built");
    }
    IndexWriter writer = new IndexWriter(slow(directory, illness), config(illness));
    SearcherManager searchers = new SearcherManager(writer, factory(illness));
    if (illness == Illness.LISTENER) {
      searchers.addListener(new SlowListener());
    }
    for (int i = 0; i < 2000; i++) {
      update(writer, random);
    }
    for (int i = 0; i < SEGMENTS && illness == Illness.MANY_SEGMENTS; i++) {
      update(writer, random);
      writer.flush();
    }
    List<Object> alive = new ArrayList<>();
    start("update", () -> updates(writer));
    start("search", () -> searches(searchers));
    switch (illness) {
      case REFRESH_BY_REQUEST -> {
        for (int i = 0; i < 8; i++) {
          start("request-" + i, () -> requests(writer, searchers));
        }
      }
      case SMALL_HEAP -> start("garbage", () -> garbage(alive));
      case FORCED_MERGE -> start("forced", () -> writer.forceMerge(1));
      case SLOW_COMMIT -> start("commit", () -> commits(writer, COMMIT_NANOS));
      case DIRTY_THROTTLING -> start("scratch", () -> scratch(place.resolveSibling("scratch")));
      case NO_PROCESSOR -> {
        for (int i = 0; i < WRITERS; i++) {
          start("update-" + i, () -> updates(writer));
        }
      }
      case NEIGHBOUR -> start("commit", () -> commits(writer, RARE_COMMIT_NANOS));
      case VOLUME_LIMIT, VOLUME_CREDITS -> {
        start("commit", () -> commits(writer, RARE_COMMIT_NANOS));
        for (int i = 0; i < READERS; i++) {
          Random own = new Random(i);
          start("read-" + i, () -> reads(searchers, own));
        }
      }
      case COLD_SEARCHES -> {
        for (int i = 0; i < 4; i++) {
          Random own = new Random(100 + i);
          start("cold-" + i, () -> coldSearches(searchers, own));
        }
      }
      default -> {}
    }
    progress.println("ready");
    long due = System.nanoTime();
    while (!Thread.interrupted()) {
      if (illness != Illness.REFRESH_BY_REQUEST) {
        searchers.maybeRefreshBlocking();
      }
      due = Math.max(due + REFRESH_NANOS, System.nanoTime());
      pause(due - System.nanoTime());
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  /** Returns when the thread runs, and so has its name in the kernel. */
  private static void start(String name, Work work) throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              runs.countDown();
              try {
                work.run();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    runs.await();
  }

  private static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  private static void updates(IndexWriter writer) throws Exception {
    Random random = new Random(2);
    while (true) {
      for (int i = 0; i < 5; i++) {
        update(writer, random);
      }
      pause(20_000_000);
    }
  }

  private static void update(IndexWriter writer, Random random) throws Exception {
    Document document = document(Integer.toString(random.nextInt(IDS)), 100, random);
    writer.updateDocument(new Term("id", document.get("id")), document);
  }

  private static Document document(String id, int words, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append('w').append(random.nextInt(WORDS)).append(' ');
    }
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    document.add(new TextField("body", text.toString(), Field.Store.YES));
    return document;
  }

  private static void build(Directory directory, int documents, Random random) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setMergePolicy(NoMergePolicy.INSTANCE).setRAMBufferSizeMB(48).setUseCompoundFile(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(document(Integer.toString(i), 250, random));
      }
    }
  }

  private static void searches(SearcherManager searchers) throws Exception {
    Random random = new Random(3);
    while (true) {
      IndexSearcher searcher = searchers.acquire();
      try {
        searcher.search(new TermQuery(new Term("body", "w" + random.nextInt(WORDS))), 10);
      } finally {
        searchers.release(searcher);
      }
      pause(100_000_000);
    }
  }

  /** Each finds ten documents, wherever they are, and reads them. */
  private static void coldSearches(SearcherManager searchers, Random random) throws Exception {
    while (true) {
      IndexSearcher searcher = searchers.acquire();
      try {
        var query = new TermQuery(new Term("body", "w" + random.nextInt(WORDS)));
        for (ScoreDoc hit : searcher.search(query, 10).scoreDocs) {
          searcher.storedFields().document(hit.doc);
        }
      } finally {
        searchers.release(searcher);
      }
    }
  }

  private static void requests(IndexWriter writer, SearcherManager searchers) throws Exception {
    Random random = new Random(4);
    while (true) {
      update(writer, random);
      searchers.maybeRefreshBlocking();
    }
  }

  private static void commits(IndexWriter writer, long apartNanos) throws Exception {
    while (true) {
      long due = System.nanoTime() + apartNanos;
      writer.commit();
      pause(due - System.nanoTime());
    }
  }

  /** Writes as fast as the kernel lets it. */
  private static void scratch(Path file) throws Exception {
    ByteBuffer block = ByteBuffer.allocateDirect(1 << 20);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long i = 0; true; i++) {
        channel.write(block.clear(), i % SCRATCH_BLOCKS << 20);
      }
    }
  }

  /** Reads documents that are mostly not in the page cache. */
  private static void reads(SearcherManager searchers, Random random) throws Exception {
    while (true) {
      IndexSearcher searcher = searchers.acquire();
      try {
        searcher.storedFields().document(random.nextInt(searcher.getIndexReader().maxDoc()));
      } finally {
        searchers.release(searcher);
      }
    }
  }

  /** Keeps so much of the heap that little is left, and makes garbage. */
  private static void garbage(List<Object> alive) {
    long keep = Runtime.getRuntime().maxMemory() * 6 / 10;
    while (true) {
      if (alive.size() * 8192L < keep) {
        alive.add(new byte[8192]);
      } else {
        alive.set((int) (System.nanoTime() % alive.size()), new byte[8192]);
      }
    }
  }

  private static IndexWriterConfig config(Illness illness) {
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    ConcurrentMergeScheduler scheduler = new ConcurrentMergeScheduler();
    LogDocMergePolicy eager = new LogDocMergePolicy();
    eager.setMergeFactor(3);
    eager.setMinMergeDocs(10_000);
    switch (illness) {
      case MERGE_WAIT ->
          config
              .setMaxFullFlushMergeWaitMillis(5000)
              .setMergePolicy(eager)
              .setMergeScheduler(scheduler);
      case MERGE_STALL -> {
        scheduler.setMaxMergesAndThreads(1, 1);
        eager.setMinMergeDocs(100);
        config.setMaxFullFlushMergeWaitMillis(0).setMergePolicy(eager).setMergeScheduler(scheduler);
      }
      case SERIAL_MERGES ->
          config
              .setMaxFullFlushMergeWaitMillis(0)
              .setMergePolicy(eager)
              .setMergeScheduler(new SerialMergeScheduler());
      case FORCED_MERGE, NO_PROCESSOR -> config.setMaxFullFlushMergeWaitMillis(0);
      case VOLUME_LIMIT, VOLUME_CREDITS -> {
        TieredMergePolicy small = new TieredMergePolicy();
        small.setMaxMergedSegmentMB(SMALL_SEGMENTS_MEGABYTES);
        config.setMaxFullFlushMergeWaitMillis(0).setMergePolicy(small);
      }
      case MANY_SEGMENTS -> config.setMergePolicy(NoMergePolicy.INSTANCE);
      case COLD_SEARCHES -> {
        eager.setMinMergeDocs(100);
        eager.setMaxMergeDocs(10_000); // so the large ones stay as they are
        config.setMaxFullFlushMergeWaitMillis(0).setMergePolicy(eager).setMergeScheduler(scheduler);
      }
      default -> {}
    }
    return config;
  }

  private static SearcherFactory factory(Illness illness) {
    return illness != Illness.WARMING
        ? new SearcherFactory()
        : new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
            pause(SLOW_NANOS);
            return new IndexSearcher(reader);
          }
        };
  }

  private static final class SlowListener implements ReferenceManager.RefreshListener {

    @Override
    public void beforeRefresh() {}

    @Override
    public void afterRefresh(boolean didRefresh) {
      pause(SLOW_NANOS);
    }
  }

  /** Merges write slowly. */
  private static Directory slow(Directory directory, Illness illness) {
    return switch (illness) {
      case MERGE_WAIT, MERGE_STALL, SERIAL_MERGES ->
          new FilterDirectory(directory) {
            @Override
            public IndexOutput createOutput(String name, IOContext context)
                throws java.io.IOException {
              if (context.context() == IOContext.Context.MERGE) {
                pause(60_000_000);
              }
              return super.createOutput(name, context);
            }
          };
      default -> directory;
    };
  }
}
