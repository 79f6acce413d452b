package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real merges that build graphs of vectors, on a heap with room for one of them. */
@Timeout(120)
class GraphMergeTest {

  private static final int SEGMENTS = 8;
  private static final int DOCUMENTS = 500; // Lucene builds no graph of so few
  private static final int ALL = SEGMENTS * DOCUMENTS;

  /** Not as a copy of what a graph is built from: since Lucene 10.5. */
  private static final boolean VECTORS_COME_FIRST =
      Arrays.stream(KnnVectorsWriter.class.getMethods())
          .anyMatch(m -> m.getName().equals("mergeOneField") && m.getReturnType() != void.class);

  private static final Directory VECTORS = new ByteBuffersDirectory();

  private final AtomicLong roomBytes = new AtomicLong(2 << 20);
  private final GraphMemory memory = new GraphMemory(new FixedHeap(), NanoClock.SYSTEM);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final List<Index> indexes = new ArrayList<>();

  private final class FixedHeap implements GraphMemory.Heap {

    @Override
    public long roomBytes() {
      return roomBytes.get();
    }

    @Override
    public void promise(long bytes) {
      roomBytes.addAndGet(-bytes);
    }

    @Override
    public void drop(long bytes) {
      roomBytes.addAndGet(bytes);
    }
  }

  /** An index with a writer and a scheduler of its own. */
  private final class Index {

    final ByteBudget budget = ByteBudget.unlimited();
    final RateLimitedMergeScheduler scheduler =
        new RateLimitedMergeScheduler(
            budget, NanoClock.SYSTEM, MergeSchedulingClass.OF_THIS_PROCESS, memory);
    final Directory disk;
    final Watched watched;
    final IndexWriter writer;

    Index() throws IOException {
      disk = MergeLab.copyOf(VECTORS);
      watched = new Watched(disk);
      writer =
          new IndexWriter(new RateLimitedDirectory(watched, budget), MergeLab.config(scheduler));
      indexes.add(this);
    }

    MergeKindTotals merges() {
      return scheduler.totals(MergeKind.FORCED);
    }

    long held() {
      return merges().graphBytes();
    }

    /** Its merge has a graph, and stands while it writes it. */
    FutureTask<Void> standsWithGraph() {
      watched.onGraph = () -> MergeLab.unchecked(goOn::await);
      FutureTask<Void> merge = MergeLab.forceMerge(writer);
      Await.until("it has a graph", () -> held() > 0);
      return merge;
    }

    FutureTask<Void> waits() {
      FutureTask<Void> merge = MergeLab.forceMerge(writer);
      Await.until("it waits", () -> merges().graphWaits() == 1);
      return merge;
    }
  }

  /** Tells when a graph is written, and when the file after it is created. */
  private static final class Watched extends FilterDirectory {

    volatile Runnable onGraph = () -> {};
    volatile Runnable onVectors = () -> {};
    volatile Runnable onFieldInfos = () -> {};

    Watched(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.endsWith(".fnm")) {
        onFieldInfos.run();
      }
      return watched(in.createOutput(name, context));
    }

    /** Before Lucene 10.5 a merge writes the vectors of a field to one, and then copies it. */
    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
        throws IOException {
      return watched(in.createTempOutput(prefix, suffix, context));
    }

    private IndexOutput watched(IndexOutput output) {
      return new FilterIndexOutput("Watched(" + output + ")", output.getName(), output) {
        @Override
        public void writeBytes(byte[] b, int offset, int length) throws IOException {
          if (getName().endsWith(".vex")) {
            onGraph.run();
          } else if (getName().contains(".vec")) {
            onVectors.run();
          }
          out.writeBytes(b, offset, length);
        }
      };
    }
  }

  @BeforeAll
  static void build() throws IOException {
    MergeLab.build(VECTORS, SEGMENTS, DOCUMENTS, GraphMergeTest::vector);
  }

  static void vector(Document document, Random random) {
    float[] vector = {random.nextFloat(), random.nextFloat(), random.nextFloat()};
    document.add(new KnnFloatVectorField("vector", vector));
  }

  @AfterEach
  void close() throws IOException {
    goOn.countDown();
    for (Index index : indexes) {
      index.writer.rollback();
      index.disk.close();
    }
  }

  @Test
  void merge_hasItsGraph_whileItWritesIt_andNotBeforeOrAfter() throws Exception {
    Index index = new Index();
    List<Long> withVectors = new ArrayList<>();
    List<Long> withGraph = new ArrayList<>();
    List<Long> after = new ArrayList<>();
    index.watched.onVectors = () -> withVectors.add(index.held());
    index.watched.onGraph = () -> withGraph.add(index.held());
    index.watched.onFieldInfos = () -> after.add(index.held());

    index.writer.forceMerge(1);

    assertEquals(0, withVectors.getFirst());
    if (VECTORS_COME_FIRST) {
      assertTrue(withVectors.stream().allMatch(held -> held == 0), withVectors.toString());
    }
    assertTrue(withGraph.size() > 1, withGraph.toString());
    assertTrue(withGraph.stream().allMatch(held -> held > 1 << 20), withGraph.toString());
    assertEquals(1, after.size());
    assertEquals(0, index.held());
    assertEquals(2 << 20, roomBytes.get());
  }

  /** A cap that pauses before the graph keeps no memory from others. */
  @Test
  void mergeUnderAPause_hasNoGraphBefore_andIsNotHeldUpWithOne() throws Exception {
    Index index = new Index();
    CountDownLatch written = new CountDownLatch(1);
    AtomicBoolean began = new AtomicBoolean();
    index.watched.onVectors =
        () -> index.budget.setRate(began.getAndSet(true) ? Rate.UNLIMITED : Rate.PAUSED);
    FutureTask<Void> merge = MergeLab.forceMerge(index.writer);
    Await.until("it is paused", () -> index.merges().pauses().count() > 0);
    assertEquals(0, index.held());

    index.watched.onGraph = () -> index.budget.setRate(Rate.PAUSED);
    index.watched.onFieldInfos = written::countDown;
    index.budget.setRate(Rate.UNLIMITED);
    written.await(); // the graph is, under a pause

    index.watched.onGraph = () -> {};
    index.budget.setRate(Rate.UNLIMITED);
    merge.get();
    assertTrue(index.budget.snapshot().grantedBytes() > 0);
    checkClosed(index);
  }

  @Test
  void secondMerge_inAnotherIndex_waitsUntilTheGraphIsWritten() throws Exception {
    Index first = new Index();
    Index second = new Index();
    FutureTask<Void> merge = first.standsWithGraph();
    FutureTask<Void> waiting = second.waits();
    assertEquals(0, second.held());

    goOn.countDown();
    merge.get();
    waiting.get();

    assertEquals(0, memory.misfits());
    assertTrue(second.merges().graphWaitNanos() > 0);
    checkClosed(first);
    checkClosed(second);
  }

  @Test
  void rollback_whileAMergeWaits_endsItAtOnce() throws Exception {
    Index first = new Index();
    Index second = new Index();
    first.standsWithGraph();
    FutureTask<Void> waiting = second.waits();

    second.writer.rollback();

    assertThrows(ExecutionException.class, waiting::get);
    assertEquals(0, second.held());
    MergeLab.check(second.disk, ALL);
  }

  @Test
  void close_whileAMergeWaits_doesNotWaitForAnotherIndex() throws Exception {
    Index first = new Index();
    Index second = new Index();
    first.standsWithGraph();
    second.waits();

    second.writer.close();

    assertEquals(1, memory.misfits());
    assertEquals(1, MergeLab.segments(second.disk));
    MergeLab.check(second.disk, ALL);
  }

  @Test
  void cancelForcedMerges_whileOneWaits_endsIt() throws Exception {
    Index first = new Index();
    Index second = new Index();
    first.standsWithGraph();
    FutureTask<Void> waiting = second.waits();

    assertEquals(1, second.scheduler.cancelForcedMerges());

    assertThrows(ExecutionException.class, waiting::get);
    assertTrue(second.writer.isOpen());
  }

  /** Merges without vectors of the same index go on beside one that waits. */
  @Test
  void mergeWithoutVectors_besideOneThatWaits_isNotHeldUp() throws Exception {
    Index first = new Index();
    Index second = new Index();
    first.standsWithGraph();
    FutureTask<Void> waiting = second.waits();
    for (int segment = 0; segment < 12; segment++) {
      second.writer.addDocument(MergeLab.document(ALL + segment));
      second.writer.flush();
    }

    Await.until(
        "a natural merge ends", () -> second.scheduler.totals(MergeKind.NATURAL).done() > 0);

    assertFalse(waiting.isDone());
  }

  @Test
  void trackedMerge_waitsAndIsAbortedAlike() throws Exception {
    Index first = new Index();
    first.standsWithGraph();
    ByteBudget budget = ByteBudget.unlimited();
    MergeTracker tracker = new MergeTracker(budget, MergeSchedulingClass.OF_THIS_PROCESS, memory);
    Directory disk = MergeLab.copyOf(VECTORS);
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergePolicy(tracker.track(config.getMergePolicy()));
    try (IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
      FutureTask<Void> waiting = MergeLab.forceMerge(writer);
      Await.until("it waits", () -> tracker.totals(MergeKind.FORCED).graphWaits() == 1);
      assertEquals(1, tracker.cancelForcedMerges());
      assertThrows(ExecutionException.class, waiting::get);

      FutureTask<Void> again = MergeLab.forceMerge(writer);
      Await.until("it waits again", () -> tracker.totals(MergeKind.FORCED).graphWaits() == 2);
      tracker.setLifted(true);
      again.get();
      assertEquals(0, tracker.totals(MergeKind.FORCED).graphBytes());
    }
    MergeLab.check(disk, ALL);
  }

  private static void checkClosed(Index index) throws IOException {
    index.writer.close();
    MergeLab.check(index.disk, ALL);
  }
}
