package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.GraphPool;
import io.weir.fakes.SteppedClock;
import io.weir.merge.MergeReadMeter.Counter;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.stress.Await;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What other threads than its own compute and read for a merge counts for it, and no more. */
@Timeout(60)
class MergeThreadsTest {

  private static final long READ_BYTES = 4321;

  private final Map<Thread, Long> used = new ConcurrentHashMap<>();
  private final Map<Thread, Long> read = new ConcurrentHashMap<>();
  private final Map<Thread, Integer> merging = new ConcurrentHashMap<>();
  private final MergeProcessorTime processor =
      new MergeProcessorTime(thread -> used.getOrDefault(thread, -1L), new LongAdder());
  private final MergeReadAccount reads = new MergeReadAccount(this::counter, new SteppedClock());
  private final Yields yields = new Yields();
  private final MergeThreads threads =
      new MergeThreads(
          yields,
          processor,
          reads,
          new MergeSchedulingClass(new FakeScheduler(), new SteppedClock(), task -> {})
              .ofMerge(() -> false, () -> {}));

  /** As Elasticsearch and the k-NN plug-in of OpenSearch give their formats a pool. */
  @Test
  void merge_thatBuildsItsGraphOnAPoolOfTheFormat_hasWhatThePoolUsedAndRead() throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    budget.setCounting(Counting.READS_AND_WRITES);
    TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), budget);
    lab.tracker.setReadMeter(this::counter);
    lab.tracker.setYield(yields);
    try (GraphPool pool = new GraphPool();
        IndexWriter writer = new IndexWriter(lab.directory, lab.config().setCodec(pool.codec()))) {
      GraphPool.index(writer);
      writer.forceMerge(1);
      Await.until("the merge has ended", () -> lab.recorder.finished.size() == 1);

      GraphPool.check(writer);
      MergeTotals merge = lab.recorder.finished.getLast();
      long nanos = merge.processorNanos().orElseThrow();
      assertTrue(pool.nanos() > 0, "no part of the graph was built on the pool");
      assertTrue(nanos > pool.nanos() * 9 / 10, () -> merge + ", of the pool " + pool.nanos());
    }

    MergeTotals merge = lab.recorder.finished.getLast();
    assertEquals(OptionalLong.of(2 * READ_BYTES), merge.readBytes());
    assertEquals(
        merge.writtenBytes() + 2 * READ_BYTES, budget.snapshot().grantedBytes(), merge::toString);
    assertEquals(2, yields.begun.size(), "the merge's own thread and that of the pool");
    assertEquals(Map.of(), merging, "who has begun ends");
  }

  @Test
  void works_untilTheMergesThreadGoesOn_countsWhatTheThreadUses() throws Exception {
    Thread other =
        during(
            () -> {
              uses(100, 10);
              threads.works();
              uses(250, 17);
              threads.works();
            });
    assertEquals(Map.of(other, 1), merging);

    threads.end();

    used.put(other, 900L); // it works for another merge now
    read.put(other, 1000L);
    threads.finish();
    assertEquals(OptionalLong.of(150), processor.totalNanos());
    assertEquals(7, reads.take());
    assertEquals(Map.of(), merging);
  }

  @Test
  void works_againAfterItsEnd_countsFromThenOn() throws Exception {
    during(
        () -> {
          uses(100, 0);
          threads.works();
          uses(150, 0);
          threads.end();
          uses(600, 0);
          threads.works();
          uses(601, 0);
        });

    threads.finish();

    assertEquals(OptionalLong.of(51), processor.totalNanos());
  }

  @Test
  void works_afterTheMergeHasFinished_countsNothing() throws Exception {
    threads.finish();

    during(
        () -> {
          uses(1, 1);
          threads.works();
          uses(5, 5);
        });

    assertEquals(OptionalLong.empty(), processor.totalNanos());
    assertEquals(OptionalLong.empty(), reads.total());
    assertEquals(Map.of(), merging);
  }

  /** The kernel forgets a thread at its death; what others read is known all the same. */
  @Test
  void end_ofAThreadThatHasDied_keepsWhatWasSeenOfIt() throws Exception {
    uses(0, 0);
    reads.begins();
    Thread dead =
        during(
            () -> {
              uses(10, 10);
              threads.works();
              uses(30, 30);
              assertEquals(20, reads.take());
              assertEquals(OptionalLong.of(20), processor.totalNanos());
            });
    dead.join();
    used.remove(dead);
    read.remove(dead); // its counter fails from now on

    threads.end();

    uses(0, 5);
    reads.ends(Thread.currentThread());
    assertEquals(OptionalLong.of(25), reads.total());
    assertEquals(OptionalLong.of(20), processor.totalNanos());
    assertEquals(Map.of(), merging);
  }

  @Test
  void end_whenTheYieldFails_endsTheOthersToo() throws Exception {
    during(threads::works);
    during(threads::works);
    yields.fails = true;

    threads.end();

    assertEquals(Map.of(), merging);
  }

  /** Runs it on a thread that has ended then. */
  private static Thread during(Runnable act) throws InterruptedException {
    Throwable[] failure = new Throwable[1];
    Thread thread = new Thread(act);
    thread.setUncaughtExceptionHandler((t, e) -> failure[0] = e);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new AssertionError(failure[0]);
    }
    return thread;
  }

  private void uses(long nanos, long bytes) {
    used.put(Thread.currentThread(), nanos);
    read.put(Thread.currentThread(), bytes);
  }

  /** In a merge, each thread has read that much when it is asked first. */
  private Optional<Counter> counter() {
    Thread thread = Thread.currentThread();
    AtomicLong seen = new AtomicLong(read.getOrDefault(thread, 0L));
    read.putIfAbsent(thread, READ_BYTES);
    return Optional.of(
        new Counter() {
          @Override
          public long bytesSinceLast() {
            Long now = read.get(thread);
            if (now == null) {
              throw new IllegalStateException("the thread has died");
            }
            return now - seen.getAndSet(now);
          }

          @Override
          public void close() {}
        });
  }

  /** Knows which threads merge. */
  private final class Yields implements MergeYield {

    final List<Thread> begun = new CopyOnWriteArrayList<>();
    volatile boolean fails;

    @Override
    public boolean standAside() {
      return false;
    }

    @Override
    public void mergeBegins() {
      begun.add(Thread.currentThread());
      merging.merge(Thread.currentThread(), 1, Integer::sum);
    }

    @Override
    public void mergeEnds(Thread thread) {
      merging.computeIfPresent(thread, (key, depth) -> depth == 1 ? null : depth - 1);
      if (fails) {
        throw new IllegalStateException("test");
      }
    }
  }
}
