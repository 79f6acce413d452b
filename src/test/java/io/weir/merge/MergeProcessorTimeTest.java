package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The processor time of a merge is that of its threads while they work for it, no more or less. */
@Timeout(60)
class MergeProcessorTimeTest {

  private static final long BURNT_NANOS = Duration.ofMillis(30).toNanos();
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<Thread, Long> used = new HashMap<>();
  private final LongAdder ofKind = new LongAdder();
  private final MergeProcessorTime time =
      new MergeProcessorTime(thread -> used.getOrDefault(thread, -1L), ofKind);

  @Test
  void totalNanos_isWhatTheThreadUsedBetweenItsBeginningAndItsEnd() {
    uses(1000);
    assertTrue(time.begins());
    uses(1700);
    assertEquals(OptionalLong.of(700), time.totalNanos());
    assertEquals(700, ofKind.sum());
    uses(1900);
    time.ends(Thread.currentThread());
    uses(5000);

    assertEquals(OptionalLong.of(900), time.totalNanos());
    assertEquals(900, ofKind.sum(), "a look must not count twice");
  }

  /** Who waits for a part of a merge goes on before the part's thread has left it. */
  @Test
  void ends_afterTheMergeHasFinished_addsNothing() throws Exception {
    uses(100);
    time.begins();
    uses(150);
    Thread merging = new Thread(time::finishes);
    merging.start();
    merging.join();

    uses(190);
    time.ends(Thread.currentThread());

    assertEquals(OptionalLong.of(50), time.totalNanos());
    assertEquals(50, ofKind.sum());
  }

  @Test
  void begins_ofAThreadThatWorksForTheMergeAlready_changesNothing() {
    uses(10);
    assertTrue(time.begins());
    uses(20);

    assertFalse(time.begins());

    uses(30);
    assertEquals(OptionalLong.of(20), time.totalNanos());
  }

  @Test
  void totalNanos_ofAThreadThatDiedWithoutAnEnd_keepsWhatWasSeen() {
    uses(10);
    time.begins();
    uses(60);
    time.totalNanos();

    uses(-1);

    assertEquals(OptionalLong.of(50), time.totalNanos());
    time.ends(Thread.currentThread());
    assertEquals(OptionalLong.of(50), time.totalNanos());
  }

  @Test
  void totalNanos_whereTheJvmMeasuresNoThreads_isUnknown() {
    assertTrue(time.begins());
    time.ends(Thread.currentThread());

    assertEquals(OptionalLong.empty(), time.totalNanos());
    assertEquals(0, ofKind.sum());
  }

  @Test
  void totalNanos_whenTheMeasuringFails_isUnknown_andNothingIsThrown() {
    MergeProcessorTime failing =
        new MergeProcessorTime(
            thread -> {
              throw new UnsupportedOperationException("test");
            },
            ofKind);

    failing.begins();
    failing.ends(Thread.currentThread());

    assertEquals(OptionalLong.empty(), failing.totalNanos());
  }

  @Test
  void merge_ofAScheduler_hasWhatItsThreadAndItsPartsHaveUsed() throws Exception {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    scheduler.setMaxMergesAndThreads(4, 4);
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    scheduler.addListener(recorder);
    Burner burner = new Burner(scheduler);
    IndexWriterConfig config = burner.into(MergeLab.config(scheduler));
    try (IndexWriter writer =
        new IndexWriter(
            new RateLimitedDirectory(new ByteBuffersDirectory(), scheduler.budget()), config)) {
      merge(writer, recorder);
    }

    MergeTotals merge = recorder.finished.getLast();
    burner.check(merge);
    assertTrue(burner.partNanos.get() >= BURNT_NANOS, "the part must run on a thread of its own");
    assertTrue(burner.seenWhileItRan.get() >= BURNT_NANOS, "the kind's total includes it live");
    assertEquals(
        merge.processorNanos().orElseThrow(), scheduler.totals(MergeKind.FORCED).processorNanos());
    assertEquals(0, scheduler.totals(MergeKind.NATURAL).processorNanos());
  }

  @Test
  void merge_thatIsTracked_hasWhatItsThreadHasUsed() throws Exception {
    TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), ByteBudget.unlimited());
    Burner burner = new Burner(lab.tracker);
    try (IndexWriter writer =
        new IndexWriter(
            lab.directory,
            lab.config()
                .setMergePolicy(
                    lab.tracker.track(
                        burner.into(MergeLab.config(lab.scheduler)).getMergePolicy())))) {
      merge(writer, lab.recorder);
    }

    MergeTotals merge = lab.recorder.finished.getLast();
    assertTrue(merge.processorNanos().orElseThrow() >= burner.ownNanos.get());
    assertEquals(
        merge.processorNanos().orElseThrow(),
        lab.tracker.totals(MergeKind.FORCED).processorNanos());
  }

  private static void merge(IndexWriter writer, MergeLab.Recorder recorder) throws IOException {
    for (int i = 0; i < 2; i++) {
      writer.addDocument(MergeLab.document(i));
      writer.flush();
    }
    writer.forceMerge(1);
    Await.until("the merge has ended", () -> recorder.finished.size() == 1);
  }

  private void uses(long nanos) {
    used.put(Thread.currentThread(), nanos);
  }

  /** Has merges use the processor on their own thread, and on one of the executor within them. */
  private static final class Burner {

    final AtomicLong ownNanos = new AtomicLong();
    final AtomicLong partNanos = new AtomicLong();
    final AtomicLong seenWhileItRan = new AtomicLong();
    private final MergeActivity merges;

    Burner(MergeActivity merges) {
      this.merges = merges;
    }

    IndexWriterConfig into(IndexWriterConfig config) {
      return config.setMergePolicy(
          new OneMergeWrappingMergePolicy(config.getMergePolicy(), Burning::new));
    }

    /** At least what was burnt, and no more than two threads can use in its time. */
    void check(MergeTotals merge) {
      long nanos = merge.processorNanos().orElseThrow();
      assertTrue(nanos >= ownNanos.get() + partNanos.get(), merge::toString);
      assertTrue(nanos <= 2 * merge.elapsed().toNanos(), merge::toString);
    }

    private static long burn() {
      long began = THREADS.getCurrentThreadCpuTime();
      long now = began;
      while (now - began < BURNT_NANOS) {
        now = THREADS.getCurrentThreadCpuTime();
      }
      return now - began;
    }

    private final class Burning extends OneMerge {

      Burning(OneMerge merge) {
        super(merge.segments);
      }

      @Override
      public void mergeInit() throws IOException {
        super.mergeInit();
        estimatedMergeBytes = 1L << 30; // large enough for threads within it
      }

      @Override
      public Sorter.DocMap reorder(CodecReader reader, Directory directory, Executor executor) {
        ownNanos.addAndGet(burn());
        seenWhileItRan.set(merges.totals(MergeKind.FORCED).processorNanos());
        Thread own = Thread.currentThread();
        CompletableFuture.runAsync(
                () -> {
                  long nanos = burn();
                  (Thread.currentThread() == own ? ownNanos : partNanos).addAndGet(nanos);
                },
                executor)
            .join();
        return null;
      }
    }
  }
}
