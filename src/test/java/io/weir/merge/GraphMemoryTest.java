package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.rate.WaitStrategy;
import io.weir.time.Listeners;
import io.weir.time.OnceLog;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs of merges on a heap of a given size, on a clock that the test moves. */
@Timeout(60)
class GraphMemoryTest {

  private static final long MB = 1L << 20;

  private final SteppedClock clock = new SteppedClock();
  private final FixedHeap heap = new FixedHeap();
  private final GraphMemory memory = new GraphMemory(heap, clock);

  /** Has so much room when nothing is promised. */
  private static final class FixedHeap implements GraphMemory.Heap {

    private long roomBytes = 100 * MB; // guarded by this
    private long promisedBytes; // guarded by this

    synchronized void has(long bytes) {
      roomBytes = bytes;
    }

    synchronized long promisedBytes() {
      return promisedBytes;
    }

    @Override
    public synchronized long roomBytes() {
      return roomBytes - promisedBytes;
    }

    @Override
    public synchronized void promise(long bytes) {
      promisedBytes += bytes;
    }

    @Override
    public synchronized void drop(long bytes) {
      promisedBytes -= bytes;
    }
  }

  /** A merge that waits on the clock. */
  private final class Merge implements WaitStrategy {

    final KindCounters counters =
        new KindCounters(
            MergeKind.NATURAL, new Listeners<>(new OnceLog(GraphMemoryTest.class), "failed"));
    final GraphMemory.OfMerge graphs;
    volatile boolean hurries;
    volatile boolean aborted;
    private volatile Thread thread;

    Merge(long bytes) {
      graphs = memory.ofMerge(() -> bytes, this, () -> hurries, counters);
      graphs.created("_1.vex");
    }

    /** As Lucene does when the vectors are written. */
    Merge begin() throws InterruptedException {
      graphs.opens();
      return this;
    }

    /** Begins on another thread, and is about to wait. */
    FutureTask<Void> beginsLater() throws InterruptedException {
      FutureTask<Void> task =
          new FutureTask<>(
              () -> {
                graphs.opens();
                return null;
              });
      thread = Thread.ofPlatform().daemon().start(task);
      clock.awaitParked(thread);
      return task;
    }

    void abort() {
      aborted = true;
      clock.unpark(thread);
    }

    void end() {
      graphs.created("_1.fnm");
    }

    /** Looks again, and still waits. */
    void looksInVain() throws InterruptedException {
      clock.advanceNanos(GraphMemory.LOOK_NANOS);
      clock.awaitParked(thread);
      assertFalse(graphs.isHeld());
    }

    @Override
    public void await(long waitNanos, BooleanSupplier stillWaiting) throws InterruptedException {
      if (stillWaiting.getAsBoolean()) {
        clock.parkNanos(this, waitNanos);
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    @Override
    public void wakeUp(Thread waiter) {
      clock.unpark(waiter);
    }

    @Override
    public boolean isCancelled() {
      return aborted;
    }
  }

  @Test
  void graphs_thatFitTogether_areBegunAtOnce() throws Exception {
    Merge first = new Merge(60 * MB).begin();
    Merge second = new Merge(40 * MB).begin();

    assertTrue(first.graphs.isHeld() && second.graphs.isHeld());
    assertEquals(100 * MB, heap.promisedBytes());
    assertEquals(60 * MB, first.counters.totals().graphBytes());
    assertEquals(0, first.counters.totals().graphWaits());
    assertEquals(0, memory.misfits());

    first.end();
    second.end();

    assertEquals(0, heap.promisedBytes());
    assertEquals(0, first.counters.totals().graphBytes());
  }

  @Test
  void graph_thatDoesNotFit_waitsUntilTheOtherIsWritten() throws Exception {
    Merge first = new Merge(60 * MB).begin();
    Merge second = new Merge(60 * MB);
    FutureTask<Void> begun = second.beginsLater();
    second.looksInVain();

    first.end();
    begun.get(); // no time passes

    assertTrue(second.graphs.isHeld());
    assertEquals(1, second.counters.totals().graphWaits());
    assertEquals(GraphMemory.LOOK_NANOS, second.counters.totals().graphWaitNanos());
    assertEquals(60 * MB, heap.promisedBytes());
    assertEquals(0, memory.misfits());
  }

  @Test
  void graph_thatDoesNotFit_waitsUntilACollectionShowsRoom() throws Exception {
    new Merge(60 * MB).begin();
    Merge second = new Merge(60 * MB);
    FutureTask<Void> begun = second.beginsLater();

    heap.has(120 * MB);
    clock.advanceNanos(GraphMemory.LOOK_NANOS);
    begun.get();

    assertTrue(second.graphs.isHeld());
  }

  @Test
  void graph_largerThanTheHeap_isBegunAlone() throws Exception {
    Merge huge = new Merge(500 * MB).begin();

    assertTrue(huge.graphs.isHeld());
    assertEquals(1, memory.misfits());
    assertEquals(0, huge.counters.totals().graphWaits());
  }

  @Test
  void graph_largerThanTheHeap_waitsForAllOthersAndIsNext() throws Exception {
    Merge small = new Merge(10 * MB).begin();
    Merge huge = new Merge(500 * MB);
    FutureTask<Void> begun = huge.beginsLater();

    small.end();
    begun.get();

    assertTrue(huge.graphs.isHeld());
    assertEquals(1, memory.misfits());
  }

  @Test
  void smallGraphs_overtakeALargeOne_untilTheyHaveTakenAsMuch() throws Exception {
    Merge first = new Merge(80 * MB).begin();
    Merge large = new Merge(30 * MB);
    FutureTask<Void> begun = large.beginsLater();
    for (int i = 0; i < 3; i++) {
      Merge small = new Merge(10 * MB).begin();
      assertTrue(small.graphs.isHeld());
      small.end();
      clock.awaitParked(large.thread);
    }
    Merge fourth = new Merge(10 * MB);
    FutureTask<Void> fourthBegun = fourth.beginsLater();
    fourth.looksInVain();

    first.end();
    begun.get();
    fourthBegun.get();

    assertTrue(large.graphs.isHeld() && fourth.graphs.isHeld());
  }

  @Test
  void abort_whileItWaits_endsTheWaitWithoutAGraph() throws Exception {
    new Merge(60 * MB).begin();
    Merge second = new Merge(60 * MB);
    FutureTask<Void> begun = second.beginsLater();

    second.abort();
    begun.get();

    assertFalse(second.graphs.isHeld());
    assertEquals(60 * MB, heap.promisedBytes());
  }

  @Test
  void interrupt_whileItWaits_endsTheWaitWithoutAGraph() throws Exception {
    Merge first = new Merge(60 * MB).begin();
    Merge second = new Merge(60 * MB);
    FutureTask<Void> begun = second.beginsLater();
    Merge third = new Merge(50 * MB);
    FutureTask<Void> thirdBegun = third.beginsLater();

    second.thread.interrupt();
    second.thread.join();
    first.end();
    thirdBegun.get(); // it is the next one

    assertTrue(begun.isDone());
    assertFalse(second.graphs.isHeld());
    assertTrue(third.graphs.isHeld());
  }

  @Test
  void mergeThatHurries_beginsAtOnce_andIsCounted() throws Exception {
    new Merge(60 * MB).begin();
    Merge second = new Merge(60 * MB);
    FutureTask<Void> begun = second.beginsLater();

    second.hurries = true;
    clock.advanceNanos(GraphMemory.LOOK_NANOS);
    begun.get();

    assertTrue(second.graphs.isHeld());
    assertEquals(1, memory.misfits());
  }

  @Test
  void graphs_belowAMegabyte_neitherWaitNorCount() throws Exception {
    new Merge(100 * MB).begin();
    Merge tiny = new Merge(MB - 1).begin();

    assertFalse(tiny.graphs.isHeld());
    assertEquals(100 * MB, heap.promisedBytes());
  }

  @Test
  void merge_hasAGraph_betweenItsVectorsAndTheNextFile() throws Exception {
    Merge merge = new Merge(10 * MB);
    merge.begin();
    assertTrue(merge.graphs.isHeld());
    merge.graphs.created("_1_Lucene99HnswVectorsFormat_0.vec_temp_1.tmp"); // of the next field
    assertFalse(merge.graphs.isHeld());
    merge.begin();
    assertTrue(merge.graphs.isHeld());
    merge.graphs.created("_1.tvd");
    merge.begin(); // reads term vectors, or warms the merged segment
    assertFalse(merge.graphs.isHeld());
    assertEquals(0, heap.promisedBytes());
  }

  @Test
  void graph_thatCannotBePredicted_isBegunAtOnce() throws Exception {
    GraphMemory.OfMerge graphs =
        memory.ofMerge(
            () -> {
              throw new IllegalStateException("maxDoc isn't set yet");
            },
            new Merge(1),
            () -> false,
            new Merge(1).counters);
    graphs.created("_1.vex");
    graphs.opens();

    assertFalse(graphs.isHeld());
    assertEquals(0, heap.promisedBytes());
  }

  @Test
  void merge_beforeItCreatesAGraph_hasNone() throws Exception {
    GraphMemory.OfMerge graphs =
        memory.ofMerge(() -> 10 * MB, new Merge(1), () -> false, new Merge(1).counters);
    graphs.created("_1.nvd");
    graphs.opens(); // norms, to merge terms

    assertFalse(graphs.isHeld());
  }

  @Test
  void merge_thatEndsWithAGraph_givesItBackOnce() throws Exception {
    Merge merge = new Merge(10 * MB).begin();

    merge.graphs.ends();
    merge.graphs.ends();
    merge.begin(); // a thread that has not noticed

    assertEquals(0, heap.promisedBytes());
    assertFalse(merge.graphs.isHeld());
  }
}
