package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ReadersFirst.DiskPressure;
import io.weir.control.ReadersFirst.ReaderWatch;
import io.weir.fakes.AutoClock;
import io.weir.fakes.CapturedLog;
import io.weir.fakes.ReadFileSystem;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the look costs, counted in files of the kernel that are opened, and what a denial does. */
@Timeout(60)
class ReaderWatchTest {

  private static final int SCHEDULERS = 50;
  private static final int MERGES = 4;
  private static final int WINDOWS = 10;
  private static final long STEP_NANOS = 1_000_000;

  @TempDir Path root;

  private final AutoClock clock = new AutoClock();
  private final AtomicInteger pressureReads = new AtomicInteger();
  private final AtomicInteger ioReads = new AtomicInteger();
  private KernelFiles kernel;

  @BeforeEach
  void quietMachine() throws IOException {
    kernel = new KernelFiles(root);
    kernel.waited(0);
    kernel.process(1000);
    kernel.thread("merge", 0);
    kernel.current("merge");
  }

  @Test
  void idleDisk_fiftySchedulersOfFourMerges_costOnePressureReadAWindow() throws Exception {
    ReaderWatch watch = counted();
    List<ReadersFirst> yields = merging(watch);
    int pressureBefore = pressureReads.get();
    int ioBefore = ioReads.get();
    CountDownLatch done = new CountDownLatch(2);
    for (int thread = 0; thread < 2; thread++) { // two at once, as fast as they can
      Thread.ofPlatform()
          .start(
              () -> {
                for (int i = 0; i < WINDOWS * DiskPressure.WINDOW_NANOS / STEP_NANOS / 2; i++) {
                  yields.forEach(ReadersFirst::standAside);
                  clock.advanceNanos(STEP_NANOS);
                }
                done.countDown();
              });
    }
    done.await();
    int read = pressureReads.get() - pressureBefore;
    assertTrue(read <= WINDOWS, read + " reads of the pressure in " + WINDOWS + " windows");
    assertTrue(read > 0, "nobody looked");
    assertEquals(0, ioReads.get() - ioBefore, "reads of what threads do");
  }

  @Test
  void busyDisk_fiftySchedulersOfFourMerges_openEachCounterOnceForAll() throws Exception {
    ReaderWatch watch = counted();
    List<ReadersFirst> yields = merging(watch);
    int ioBefore = ioReads.get();
    kernel.waited(400_000);
    clock.advanceNanos(DiskPressure.WINDOW_NANOS);
    for (int i = 0; i < 100; i++) {
      yields.forEach(ReadersFirst::standAside);
      clock.advanceNanos(ReaderWatch.LOOK_NANOS);
    }
    int merges = SCHEDULERS * MERGES;
    assertEquals(merges + 1, ioReads.get() - ioBefore, "one for each merge, one for the process");
    yields.forEach(yield -> yield.mergeEnds(Thread.currentThread()));
  }

  /** Refused with what engines throw, when it is made, when a merge begins and when it looks. */
  @ParameterizedTest
  @ValueSource(strings = {"pressure/io", "self/io", "thread-self/stat", "/io"})
  void denied_fromTheStart_isInactiveSaysSoOnceAndFailsNoMerge(String file) throws IOException {
    try (CapturedLog log = CapturedLog.of(ReadersFirst.class.getPackage())) {
      ReadersFirst denied = new ReadersFirst(new ReaderWatch(refusing(file), clock));
      assertFalse(denied.isActive());
      assertFalse(denied.reason().isEmpty());
      merge(denied);
      merge(denied);
      assertEquals(1, log.records().size(), log.records().toString());
      assertEquals(Level.INFO, log.records().get(0).getLevel());
      assertTrue(
          log.messages().get(0).startsWith("merges do not stand aside for readers: "),
          log.messages().get(0));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pressure/io", "self/io", "thread-self/stat", "/io"})
  void denied_later_isInactiveFromThenAndFailsNoMerge(String file) throws IOException {
    AtomicInteger allowed = new AtomicInteger(1);
    Procfs procfs =
        new Procfs(
            ReadFileSystem.of(
                root,
                path -> {
                  if (path.endsWith(file) && allowed.get() == 0) {
                    throw new NotEntitledException(path);
                  }
                }));
    try (CapturedLog log = CapturedLog.of(ReadersFirst.class.getPackage())) {
      ReadersFirst readersFirst = new ReadersFirst(new ReaderWatch(procfs, clock));
      assertTrue(readersFirst.isActive(), readersFirst.reason());
      readersFirst.mergeBegins();
      kernel.waited(400_000);
      clock.advanceNanos(DiskPressure.WINDOW_NANOS);
      allowed.set(0);
      for (int i = 0; i < 3; i++) {
        assertFalse(readersFirst.standAside());
        clock.advanceNanos(DiskPressure.WINDOW_NANOS);
      }
      merge(readersFirst);
      assertTrue(log.records().size() <= 1, log.messages().toString());
      assertEquals(readersFirst.isActive(), log.records().isEmpty());
    }
  }

  /** It ended for good: a process that was out of descriptors once never yielded again. */
  @Test
  void deniedForAMoment_yieldsAgainAfterTheRetry() throws Exception {
    AtomicInteger denials = new AtomicInteger();
    Procfs procfs =
        new Procfs(
            ReadFileSystem.of(
                root,
                path -> {
                  if (path.endsWith("self/io")
                      && denials.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    throw new NotEntitledException(path);
                  }
                }));
    ReadersFirst readersFirst = new ReadersFirst(new ReaderWatch(procfs, clock));
    readersFirst.mergeBegins();
    denials.set(1);
    kernel.waited(400_000);
    clock.advanceNanos(DiskPressure.WINDOW_NANOS);
    assertFalse(readersFirst.standAside());
    assertFalse(readersFirst.isActive());

    clock.advanceNanos(ReaderWatch.RETRY_NANOS);
    assertFalse(readersFirst.standAside());
    assertTrue(readersFirst.isActive(), readersFirst.reason());
    kernel.waited(800_000);
    clock.advanceNanos(DiskPressure.WINDOW_NANOS);
    readersFirst.standAside(); // opens the counters
    kernel.process(2_000_000);
    clock.advanceNanos(ReaderWatch.LOOK_NANOS);
    assertTrue(readersFirst.standAside(), "a read of another thread");
    readersFirst.mergeEnds(Thread.currentThread());
  }

  private static void merge(ReadersFirst readersFirst) throws IOException {
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();
    scheduler.setYield(readersFirst);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setMergeScheduler(scheduler))) {
      for (int i = 0; i < 3; i++) {
        writer.addDocument(new Document());
        writer.flush();
      }
      writer.forceMerge(1);
    }
  }

  private ReaderWatch counted() {
    Path counting =
        ReadFileSystem.of(
            root,
            path -> {
              if (path.endsWith("pressure/io")) {
                pressureReads.incrementAndGet();
              } else if (path.endsWith("/io")) {
                ioReads.incrementAndGet();
              }
            });
    ReaderWatch watch = new ReaderWatch(new Procfs(counting), clock);
    assertTrue(watch.isActive(), watch.reason());
    return watch;
  }

  /** One for each scheduler; all merges have begun, each on a thread of its own. */
  private List<ReadersFirst> merging(ReaderWatch watch) throws InterruptedException {
    List<ReadersFirst> yields = new ArrayList<>();
    for (int scheduler = 0; scheduler < SCHEDULERS; scheduler++) {
      ReadersFirst yield = new ReadersFirst(watch);
      yields.add(yield);
      for (int merge = 0; merge < MERGES; merge++) {
        Thread thread = Thread.ofPlatform().start(yield::mergeBegins);
        thread.join();
      }
    }
    return yields;
  }

  private Procfs refusing(String file) {
    return new Procfs(
        ReadFileSystem.of(
            root,
            path -> {
              if (path.endsWith(file)) {
                throw new NotEntitledException(path);
              }
            }));
  }

  /** As Elasticsearch's: a plain RuntimeException. */
  private static final class NotEntitledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotEntitledException(String path) {
      super("not entitled to read " + path);
    }
  }
}
