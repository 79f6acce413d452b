package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.ForwardingClock;
import io.weir.fakes.SteppedClock;
import io.weir.fakes.SteppedFileSystem;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real reopens that are held up where a test wants it, on a clock that only the test moves. */
@Timeout(60)
class SlowReopensTest {

  private static final long MILLI = 1_000_000;

  @TempDir Path temporary;

  private final SteppedClock clock = new SteppedClock();
  private final IndexWriterConfig config = new IndexWriterConfig();
  private final ReopenPhases phases = new ReopenPhases();
  private final List<SlowReopen> told = new ArrayList<>(); // guarded by itself
  private SlowReopenOptions options = SlowReopenOptions.defaults();
  private NrtIndex.Warm warm = () -> {};
  private NrtIndex index;
  private SearcherManager searchers;
  private ReopenMonitor monitor;
  private SlowReopens slow;

  private void open() throws IOException {
    open(new ByteBuffersDirectory());
  }

  private void open(Directory directory) throws IOException {
    config.setInfoStream(phases.infoStream(InfoStream.NO_OUTPUT));
    index = new NrtIndex(directory, config);
    searchers =
        new SearcherManager(index.writer, phases.searcherFactory(index.factory(() -> warm.warm())));
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases), clock);
    explain();
  }

  private void explain() {
    slow = monitor.explainSlow(options);
    slow.addListener(
        one -> {
          synchronized (told) {
            told.add(one);
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    if (index != null) {
      searchers.close();
      monitor.close();
      assertFalse(slow.thread().isAlive());
      index.close();
    }
  }

  @Test
  void slowWarming_isNamedToTheNanosecond() throws Exception {
    open();
    warm = () -> pass(100);
    index.add();
    monitor.maybeRefreshBlocking();
    SlowReopen one = onlyTold();
    assertEquals(ReopenCause.WARM, one.cause());
    assertEquals(
        Map.of(ReopenCause.WARM, 90 * MILLI, ReopenCause.NOT_SAMPLED, 10 * MILLI),
        one.causeNanos());
    assertEquals(19, one.samplesTaken());
    assertEquals(19, one.samplesExpected());
    assertEquals(0.9, one.share(ReopenCause.WARM));
    assertEquals(Optional.of(ReopenPhase.WARM), one.phase());
    assertEquals(100 * MILLI, one.reopen().totalNanos());
    assertEquals(List.of(one), slow.recent());
  }

  /** The application's frames below the refresh would make every caller's stack another one. */
  @Test
  void stacks_beginWhereTheThreadIsAndEndWithTheRefresh() throws Exception {
    open();
    warm = () -> pass(100);
    index.add();
    searchers.maybeRefresh();
    List<StackTraceElement> frames = onlyTold().stacks().get(0).frames();
    assertEquals("org.apache.lucene.search.ReferenceManager", frames.getLast().getClassName());
    assertEquals("maybeRefresh", frames.getLast().getMethodName());
    assertTrue(
        frames.stream().anyMatch(frame -> frame.getClassName().equals(getClass().getName())),
        frames.toString());
    assertEquals(19, onlyTold().stacks().stream().mapToInt(SlowReopen.Stack::samples).sum());
    assertEquals(90 * MILLI, onlyTold().stacks().stream().mapToLong(SlowReopen.Stack::nanos).sum());
  }

  @Test
  void reopenBelowTheThreshold_isNotTold() throws Exception {
    open();
    warm = () -> pass(49);
    index.add();
    monitor.maybeRefreshBlocking();
    warm = () -> pass(50);
    index.add();
    monitor.maybeRefreshBlocking();
    assertEquals(50 * MILLI, onlyTold().reopen().totalNanos());
  }

  @Test
  void reopenYoungerThanTheFirstStack_isNeverLookedAt() throws Exception {
    AtomicBoolean looked = new AtomicBoolean();
    open();
    slow.addListener(
        new SlowReopenListener() {
          @Override
          public void samplingBegan() {
            looked.set(true);
          }

          @Override
          public void slowReopen(SlowReopen one) {}
        });
    warm = () -> pass(9);
    index.add();
    monitor.maybeRefreshBlocking();
    pass(100);
    assertFalse(looked.get());
    warm = () -> pass(10);
    index.add();
    monitor.maybeRefreshBlocking();
    pass(100);
    assertTrue(looked.get());
    assertEquals(List.of(), slow.recent());
  }

  /** A sleep without an end: it costs nothing while nobody reopens. */
  @Test
  void sampler_afterAReopen_sleepsUntilItIsWoken() throws Exception {
    open();
    index.add();
    monitor.maybeRefreshBlocking();
    pass(100);
    clock.awaitParked(slow.thread());
    assertEquals(Long.MAX_VALUE, clock.nanosToNextWakeUp());
  }

  /** A wake-up costs the reopen a system call; one in ten milliseconds is enough. */
  @Test
  void manyFastReopens_wakeTheSamplerOnce() throws Exception {
    AtomicInteger wakeUps = new AtomicInteger();
    open();
    monitor.close();
    NanoClock counting =
        new ForwardingClock(clock) {
          @Override
          public void unpark(Thread thread) {
            wakeUps.incrementAndGet();
            super.unpark(thread);
          }
        };
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults(), counting);
    explain();
    clock.awaitParked(slow.thread());
    for (int i = 0; i < 100; i++) {
      synchronized (clock) { // the sampler finds it over
        monitor.maybeRefreshBlocking();
      }
      clock.awaitParked(slow.thread());
    }
    assertEquals(1, wakeUps.get());
  }

  /** What the sampler does for its listeners is not the machine's fault. */
  @Test
  void listenerThatLooksAroundForLong_isNoStandstill() throws Exception {
    open();
    slow.addListener(
        new SlowReopenListener() {
          @Override
          public void samplingBegan() {
            clock.advanceNanos(40 * MILLI);
          }

          @Override
          public void slowReopen(SlowReopen one) {}
        });
    warm = () -> pass(60);
    index.add();
    monitor.maybeRefreshBlocking();
    SlowReopen one = onlyTold();
    assertEquals(Set.of(ReopenCause.WARM, ReopenCause.NOT_SAMPLED), one.causeNanos().keySet());
    assertEquals(100 * MILLI, one.reopen().totalNanos());
  }

  /** A directory that blocks in one write, as the kernel's limit of dirty pages does. */
  @Test
  void blockedWriteOfTheFlush_isTheWrite() throws Exception {
    AtomicBoolean block = new AtomicBoolean();
    Path disk =
        SteppedFileSystem.of(
            temporary,
            (step, file) -> {
              if (step == SteppedFileSystem.Step.WRITE && block.compareAndSet(true, false)) {
                pass(80);
              }
            });
    config.setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(false);
    open(new NIOFSDirectory(disk));
    index.add();
    block.set(true);
    monitor.maybeRefreshBlocking();
    SlowReopen one = onlyTold();
    assertEquals(ReopenCause.FILE_WRITE, one.cause());
    assertEquals(70 * MILLI, one.causeNanos().get(ReopenCause.FILE_WRITE));
    assertEquals(Optional.of(ReopenPhase.FLUSH), one.phase());
  }

  @Test
  void blockedCreationOfAFile_isTheOpening() throws Exception {
    AtomicBoolean block = new AtomicBoolean();
    Path disk =
        SteppedFileSystem.of(
            temporary,
            (step, file) -> {
              if (step == SteppedFileSystem.Step.CREATE && block.compareAndSet(true, false)) {
                pass(80);
              }
            });
    config.setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(false);
    open(new NIOFSDirectory(disk));
    index.add();
    block.set(true);
    monitor.maybeRefreshBlocking();
    assertEquals(ReopenCause.FILE_OPEN, onlyTold().cause());
  }

  /** The merge takes 80 ms, and the reopen waits for it. */
  @Test
  void mergeThatTheReopenWaitsFor_isTheMergeWait() throws Exception {
    Thread reopening = Thread.currentThread();
    config.setMergePolicy(new MergeForEachReader()).setMaxFullFlushMergeWaitMillis(60_000);
    config.setMergeScheduler(
        new ConcurrentMergeScheduler() {
          @Override
          protected void doMerge(MergeSource source, MergePolicy.OneMerge merge)
              throws IOException {
            await(reopening, "await");
            pass(80);
            super.doMerge(source, merge);
          }
        });
    open();
    index.add();
    monitor.maybeRefreshBlocking(); // one segment, nothing to merge
    index.add();
    monitor.maybeRefreshBlocking();
    SlowReopen one = onlyTold();
    assertEquals(ReopenCause.MERGE_WAIT, one.cause());
    assertEquals(70 * MILLI, one.causeNanos().get(ReopenCause.MERGE_WAIT));
    assertEquals(Optional.of(ReopenPhase.MERGE_WAIT), one.phase());
  }

  @Test
  void anotherReopensMeanwhile_isTheWaitForItAsMeasured() throws Exception {
    open();
    CountDownLatch warming = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    warm =
        () -> {
          warming.countDown();
          await(mayGoOn);
          warm = () -> {};
        };
    index.add();
    FutureTask<Void> other =
        new FutureTask<>(
            () -> {
              searchers.maybeRefreshBlocking();
              return null;
            });
    Thread.ofPlatform().start(other);
    warming.await();
    FutureTask<Void> second =
        new FutureTask<>(
            () -> {
              monitor.maybeRefreshBlocking();
              return null;
            });
    Thread waiter = Thread.ofPlatform().start(second);
    await(waiter, "lock");
    pass(70);
    mayGoOn.countDown();
    other.get();
    second.get();
    clock.awaitParked(slow.thread());
    List<SlowReopen> both = slow.recent();
    assertEquals(2, both.size());
    assertEquals(ReopenCause.WARM, both.get(0).cause());
    assertEquals(
        Map.of(ReopenCause.REFRESH_LOCK, 70 * MILLI), both.get(1).causeNanos(), both.toString());
  }

  /** As in a garbage collection: the sampler wakes up 95 ms late, so nobody else ran either. */
  @Test
  void samplerComesLate_isAStandstill() throws Exception {
    open();
    warm =
        () -> {
          pass(30);
          clock.advanceNanos(100 * MILLI);
          pass(0);
        };
    index.add();
    monitor.maybeRefreshBlocking();
    SlowReopen one = onlyTold();
    assertEquals(ReopenCause.STANDSTILL, one.cause());
    assertEquals(
        Map.of(
            ReopenCause.STANDSTILL,
            95 * MILLI,
            ReopenCause.WARM,
            25 * MILLI,
            ReopenCause.NOT_SAMPLED,
            10 * MILLI),
        one.causeNanos());
    assertEquals(6, one.samplesTaken());
    assertEquals(25, one.samplesExpected());
  }

  /** It was over before the sampler ran at all. */
  @Test
  void samplerComesTooLate_isAStandstill() throws Exception {
    open();
    warm = () -> clock.advanceNanos(200 * MILLI);
    index.add();
    synchronized (clock) { // the sampler cannot look at it
      monitor.maybeRefreshBlocking();
    }
    SlowReopen one = onlyTold();
    assertEquals(
        Map.of(ReopenCause.STANDSTILL, 190 * MILLI, ReopenCause.NOT_SAMPLED, 10 * MILLI),
        one.causeNanos());
    assertEquals(0, one.samplesTaken());
  }

  /** A thread in a page fault answers when it is over: the sampler waited, nothing stood still. */
  @Test
  void stackThatComesAfterTheEnd_isNoStandstill() throws Exception {
    open();
    CountDownLatch asked = new CountDownLatch(1);
    warm =
        () -> {
          pass(0); // the sampler waits for the moment at which it asks
          clock.advanceNanos(10 * MILLI);
          await(asked);
          clock.advanceNanos(50 * MILLI);
        };
    index.add();
    FutureTask<Void> reopen =
        new FutureTask<>(
            () -> {
              monitor.maybeRefreshBlocking();
              return null;
            });
    Thread reopening =
        new Thread(reopen) {
          @Override
          public StackTraceElement[] getStackTrace() {
            StackTraceElement[] stack = super.getStackTrace();
            asked.countDown();
            try {
              join();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return stack;
          }
        };
    reopening.start();
    reopen.get();
    assertEquals(Map.of(ReopenCause.NOT_SAMPLED, 60 * MILLI), onlyTold().causeNanos());
  }

  @Test
  void merges_areThoseOfBeginningAndEnd() throws Exception {
    List<String> running = new ArrayList<>(List.of("_1"));
    options = options.withMerges(() -> List.copyOf(running));
    open();
    warm =
        () -> {
          pass(50);
          running.set(0, "_2");
          pass(50);
        };
    index.add();
    monitor.maybeRefreshBlocking();
    assertEquals(List.of("_1", "_2"), onlyTold().merges());
  }

  @Test
  void listenersAndMergesThatThrow_hurtNobody() throws Exception {
    options =
        options.withMerges(
            () -> {
              throw new IllegalStateException("merges");
            });
    open();
    slow.addListener(
        one -> {
          throw new IllegalStateException("listener");
        });
    warm = () -> pass(60);
    for (int i = 0; i < 2; i++) {
      index.add();
      monitor.maybeRefreshBlocking();
    }
    clock.awaitParked(slow.thread());
    assertEquals(2, slow.recent().size());
  }

  /** What comes while it tells is told later, up to a number; the rest is counted. */
  @Test
  void manySlowReopensWhileAListenerWorks_areKeptUpToABound() throws Exception {
    options = options.withRecent(100);
    open();
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    slow.addListener(
        one -> {
          telling.countDown();
          await(mayGoOn);
        });
    warm = () -> clock.advanceNanos(60 * MILLI);
    index.add();
    monitor.maybeRefreshBlocking();
    telling.await();
    for (int i = 0; i < 20; i++) {
      index.add();
      monitor.maybeRefreshBlocking();
    }
    mayGoOn.countDown();
    clock.awaitParked(slow.thread());
    assertEquals(4, slow.unreported());
    assertEquals(17, slow.recent().size());
    assertEquals(Map.of(ReopenCause.NOT_SAMPLED, 60 * MILLI), slow.recent().get(5).causeNanos());
  }

  /** A listener before ours throws, so the monitor never hears of the end; then the thread ends. */
  @Test
  void reopenWhoseEndIsNotTold_isGivenUp() throws Exception {
    open();
    monitor.close();
    AtomicBoolean fail = new AtomicBoolean(true);
    searchers.addListener(
        new ReferenceManager.RefreshListener() {
          @Override
          public void beforeRefresh() {}

          @Override
          public void afterRefresh(boolean didRefresh) throws IOException {
            if (fail.compareAndSet(true, false)) {
              throw new IOException("refused");
            }
          }
        });
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases), clock);
    explain();
    index.add();
    FutureTask<Void> failing =
        new FutureTask<>(
            () -> {
              assertThrows(IOException.class, searchers::maybeRefresh);
              return null;
            });
    Thread ending = Thread.ofPlatform().start(failing);
    failing.get();
    ending.join();
    pass(100);
    clock.awaitParked(slow.thread());
    assertEquals(Long.MAX_VALUE, clock.nanosToNextWakeUp(), "asleep");
    assertEquals(List.of(), slow.recent());
    warm = () -> pass(80);
    index.add();
    searchers.maybeRefresh();
    assertEquals(ReopenCause.WARM, onlyTold().cause());
  }

  @Test
  void close_inTheMiddleOfAReopen_leavesNoThreadAndTheMonitorWhole() throws Exception {
    open();
    warm =
        () -> {
          pass(60);
          slow.close();
          assertFalse(slow.thread().isAlive());
        };
    index.add();
    monitor.maybeRefreshBlocking();
    assertEquals(List.of(), slow.recent());
    assertEquals(1, monitor.snapshot().changed());
    explain();
    warm = () -> pass(80);
    index.add();
    monitor.maybeRefreshBlocking();
    assertEquals(ReopenCause.WARM, onlyTold().cause());
  }

  /** It waited for ever. */
  @Test
  void close_whileAListenerStandsStill_goesOnWithoutIt() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    RunningReopen current = new RunningReopen();
    slow = new SlowReopens(options, current, NanoClock.SYSTEM, Duration.ofMillis(1));
    slow.addListener(
        one -> {
          told.countDown();
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    slow.start();
    long now = NanoClock.SYSTEM.nanoTime();
    Measurement slowOne = new Measurement();
    slowOne.start(Measurement.UNKNOWN_NANOS, now - options.threshold().toNanos());
    slowOne.begunNanos = now;
    current.begin(slowOne);
    slowOne.finishedNanos = now;
    current.end(slowOne, ReopenResult.CHANGED);
    told.await();
    slow.close();
    assertTrue(slow.thread().isAlive());
    gate.countDown();
    slow.thread().join();
  }

  @Test
  void explainSlow_twiceOrClosed_isRefused() throws Exception {
    open();
    assertThrows(IllegalStateException.class, () -> monitor.explainSlow(options));
    monitor.close();
    assertThrows(IllegalStateException.class, () -> monitor.explainSlow(options));
  }

  @Test
  void options_outOfRange_areRefused() {
    IllegalArgumentException threshold =
        assertThrows(
            IllegalArgumentException.class, () -> options.withThreshold(Duration.ofNanos(999_999)));
    assertEquals("threshold must be from 1 to 3600000 ms: 0.999999 ms", threshold.getMessage());
    assertThrows(
        IllegalArgumentException.class,
        () -> options.withSampling(Duration.ofMillis(51), Duration.ofMillis(5)));
    assertThrows(
        IllegalArgumentException.class,
        () -> options.withSampling(Duration.ofMillis(10), Duration.ofSeconds(2)));
    assertThrows(IllegalArgumentException.class, () -> options.withRecent(1025));
    assertEquals(Duration.ofMillis(5), options.withThreshold(Duration.ofMillis(5)).sampleAfter());
  }

  /** Moves time in steps at which the sampler has done what it had to do. */
  private void pass(long millis) {
    try {
      long leftNanos = millis * MILLI;
      while (leftNanos > 0) {
        clock.awaitParked(slow.thread());
        long stepNanos = Math.min(leftNanos, clock.nanosToNextWakeUp());
        clock.advanceNanos(stepNanos);
        leftNanos -= stepNanos;
      }
      clock.awaitParked(slow.thread());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private SlowReopen onlyTold() throws InterruptedException {
    clock.awaitParked(slow.thread());
    synchronized (told) {
      assertEquals(1, told.size(), told.toString());
      return told.get(0);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Until {@code thread} is parked in a method of that name. */
  private static void await(Thread thread, String method) {
    while (!isIn(thread, method)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isIn(Thread thread, String method) {
    StackTraceElement[] stack = thread.getStackTrace();
    for (StackTraceElement frame : stack) {
      if (frame.getMethodName().equals(method)) {
        return stack[0].getMethodName().equals("park");
      }
    }
    return false;
  }

  /** Merges all segments into one for each reader. */
  private static final class MergeForEachReader extends FilterMergePolicy {

    MergeForEachReader() {
      super(NoMergePolicy.INSTANCE);
    }

    @Override
    public MergeSpecification findFullFlushMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) {
      List<SegmentCommitInfo> all = infos.asList();
      if (all.size() < 2) {
        return null;
      }
      MergeSpecification merges = new MergeSpecification();
      merges.add(new OneMerge(all));
      return merges;
    }
  }
}
