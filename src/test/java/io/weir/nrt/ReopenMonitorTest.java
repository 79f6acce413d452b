package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ReaderManager;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reopens of real indexes, on a clock that moves only where a test moves it. */
@Timeout(60)
class ReopenMonitorTest {

  private static final OptionalLong NONE = OptionalLong.empty();

  private final AutoClock clock = new AutoClock();
  private final Told told = new Told();
  private NrtIndex index;
  private NrtIndex.Warm warm = () -> {};
  private SearcherManager searchers;
  private ReopenMonitor monitor;

  @BeforeEach
  void open() throws IOException {
    index = new NrtIndex();
    searchers = new SearcherManager(index.writer, index.factory(() -> warm.warm()));
    clock.advanceNanos(1_000_000);
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults(), clock);
    monitor.addListener(told);
  }

  /** Instead of what is open: a manager whose factory tells the visible moment. */
  private void openTimed() throws IOException {
    searchers.close();
    monitor.close();
    ReopenPhases phases = new ReopenPhases();
    searchers =
        new SearcherManager(index.writer, phases.searcherFactory(index.factory(() -> warm.warm())));
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases), clock);
    monitor.addListener(told);
  }

  @AfterEach
  void close() throws IOException {
    searchers.close();
    monitor.close();
    for (int i = 0; i < index.readers.size(); i++) {
      assertEquals(0, index.readers.get(i).getRefCount(), "reader " + i);
    }
    index.close();
  }

  @Test
  void attach_reopensByTheManager_areTimedFromTheLockToTheEnd() throws Exception {
    warm = () -> clock.advanceNanos(700);
    openTimed();
    index.add();
    assertTrue(searchers.maybeRefresh());
    searchers.maybeRefreshBlocking();
    assertEquals(
        List.of(
            new Reopen(
                ReopenResult.CHANGED,
                NONE,
                1_000_000,
                OptionalLong.of(1_000_700),
                1_000_700,
                Map.of(ReopenPhase.WARM, 700L, ReopenPhase.RELEASE, 0L)),
            new Reopen(ReopenResult.UNCHANGED, NONE, 1_000_700, NONE, 1_000_700, Map.of())),
        monitor.recent());
    assertEquals(
        List.of("WARM 700", "RELEASE 0", "visible 700", "CHANGED 700 700", "UNCHANGED 0 0"),
        told.news);
  }

  @Test
  void close_duringAReopen_leavesNoneRunning() throws Exception {
    warm =
        () -> {
          assertTrue(monitor.running().isPresent());
          monitor.close();
        };
    index.add();
    monitor.maybeRefreshBlocking();
    clock.advanceNanos(1000);
    assertTrue(monitor.running().isEmpty(), "it has ended");
  }

  @Test
  void maybeRefresh_intendedEarlier_countsFromThen() throws Exception {
    warm = () -> clock.advanceNanos(700);
    index.add();
    assertTrue(monitor.maybeRefresh(999_000));
    Reopen reopen = monitor.recent().get(0);
    assertEquals(OptionalLong.of(999_000), reopen.intendedNanos());
    assertEquals(700, reopen.totalNanos());
    assertEquals(1_700, reopen.latencyNanos());
    assertEquals("CHANGED 700 1700", told.news.getLast());
  }

  @Test
  void maybeRefreshBlocking_listenersTakeTime_countsUntilTheCallReturns() throws Exception {
    openTimed();
    searchers.addListener(after(() -> clock.advanceNanos(300)));
    warm = () -> clock.advanceNanos(700);
    index.add();
    monitor.maybeRefreshBlocking();
    Reopen reopen = monitor.recent().get(0);
    assertEquals(OptionalLong.of(1_000_700), reopen.visibleNanos());
    assertEquals(1_001_000, reopen.finishedNanos());
  }

  @Test
  void maybeRefreshBlocking_anotherReopens_timesTheLockWaitApart() throws Exception {
    CountDownLatch warming = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    index.add();
    warm =
        () -> {
          warming.countDown();
          await(mayGoOn);
        };
    FutureTask<Void> other = start(() -> searchers.maybeRefreshBlocking());
    warming.await();
    warm = () -> clock.advanceNanos(40);
    index.add();
    FutureTask<Void> second =
        new FutureTask<>(
            () -> {
              monitor.maybeRefreshBlocking();
              return null;
            });
    Thread waiting = new Thread(second);
    waiting.start();
    while (waiting.getState() != Thread.State.WAITING) {
      assertTrue(waiting.isAlive(), "did not wait for the lock");
      Thread.onSpinWait();
    }
    clock.advanceNanos(5_000);
    mayGoOn.countDown();
    other.get();
    second.get();
    Reopen last = monitor.recent().get(1);
    assertEquals(5_000, last.phaseNanos().get(ReopenPhase.LOCK_WAIT));
    assertEquals(5_040, last.totalNanos());
    assertEquals(ReopenResult.CHANGED, last.result());
    assertFalse(monitor.recent().get(0).phaseNanos().containsKey(ReopenPhase.LOCK_WAIT));
  }

  @Test
  void maybeRefresh_anotherReopens_isSkippedAndNotKept() throws Exception {
    CountDownLatch warming = new CountDownLatch(1);
    CountDownLatch mayGoOn = new CountDownLatch(1);
    index.add();
    warm =
        () -> {
          warming.countDown();
          await(mayGoOn);
        };
    FutureTask<Void> other = start(() -> monitor.maybeRefreshBlocking());
    warming.await();
    assertFalse(monitor.maybeRefresh());
    assertEquals(List.of("SKIPPED 0 0"), told.news);
    mayGoOn.countDown();
    other.get();
    assertEquals(new Counts(1, 0, 0, 1, 0), Counts.of(monitor));
    assertEquals(1, monitor.recent().size());
  }

  @Test
  void maybeRefresh_warmingFails_isFailedAndThrows() throws Exception {
    warm =
        () -> {
          clock.advanceNanos(60);
          throw new IOException("cannot warm");
        };
    index.add();
    assertEquals(
        "cannot warm", assertThrows(IOException.class, monitor::maybeRefresh).getMessage());
    assertEquals(
        List.of(
            new Reopen(
                ReopenResult.FAILED,
                NONE,
                1_000_000,
                NONE,
                1_000_060,
                Map.of(ReopenPhase.LOCK_WAIT, 0L))),
        monitor.recent());
  }

  /** The manager tells its listeners false, as if there had been nothing new. */
  @Test
  void attach_reopenByTheManagerFails_isNotUnchanged() throws Exception {
    warm =
        () -> {
          throw new IOException("cannot warm");
        };
    index.add();
    assertThrows(IOException.class, searchers::maybeRefresh);
    assertEquals(new Counts(0, 0, 0, 0, 1), Counts.of(monitor));
    index.writer.rollback();
    assertThrows(AlreadyClosedException.class, searchers::maybeRefresh);
    assertEquals(new Counts(0, 0, 1, 0, 1), Counts.of(monitor));
  }

  @Test
  void attach_readerManager_tellsUnchangedFromChanged() throws Exception {
    try (ReaderManager readers = new ReaderManager(index.writer);
        ReopenMonitor readerMonitor =
            ReopenMonitor.attach(readers, ReopenOptions.defaults(), clock)) {
      readers.maybeRefresh();
      index.add();
      readers.maybeRefresh();
      assertEquals(new Counts(1, 1, 0, 0, 0), Counts.of(readerMonitor));
    }
  }

  @Test
  void attach_managerOfSomethingElse_isUnclearUnlessCalled() throws Exception {
    try (NumberManager numbers = new NumberManager();
        ReopenMonitor numberMonitor =
            ReopenMonitor.attach(numbers, ReopenOptions.defaults(), clock)) {
      numbers.maybeRefresh();
      assertEquals(new Counts(0, 0, 0, 0, 1), Counts.of(numberMonitor));
      numberMonitor.maybeRefresh();
      assertEquals(new Counts(0, 1, 0, 0, 1), Counts.of(numberMonitor));
      assertEquals(1, numbers.references, "the manager's own");
    }
  }

  @Test
  void attach_anotherListenerThrowsAtTheBeginning_countsAFailure() throws Exception {
    monitor.close();
    boolean[] failing = {false};
    searchers.addListener(
        new ReferenceManager.RefreshListener() {
          @Override
          public void beforeRefresh() throws IOException {
            if (failing[0]) {
              throw new IOException("listener");
            }
          }

          @Override
          public void afterRefresh(boolean didRefresh) {}
        });
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults(), clock);
    searchers.maybeRefresh();
    failing[0] = true;
    assertThrows(IOException.class, searchers::maybeRefresh);
    assertEquals(new Counts(0, 1, 1, 0, 0), Counts.of(monitor));
    assertThrows(IOException.class, monitor::maybeRefresh);
    assertEquals(new Counts(0, 1, 2, 0, 0), Counts.of(monitor));
  }

  @Test
  void attach_anotherListenerThrowsAtTheEnd_countsAnUnclearOneAndGoesOn() throws Exception {
    monitor.close();
    boolean[] failing = {true};
    searchers.addListener(
        after(
            () -> {
              if (failing[0]) {
                throw new IOException("listener");
              }
            }));
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults(), clock);
    index.add();
    assertThrows(IOException.class, searchers::maybeRefresh);
    failing[0] = false;
    index.add();
    searchers.maybeRefresh();
    assertEquals(new Counts(1, 0, 0, 0, 1), Counts.of(monitor));
  }

  @Test
  void attach_inTheMiddleOfAReopen_doesNotCountIt() throws Exception {
    monitor.close();
    warm = () -> monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults(), clock);
    index.add();
    searchers.maybeRefresh();
    assertEquals(new Counts(0, 0, 0, 0, 0), Counts.of(monitor));
    searchers.maybeRefresh();
    assertEquals(new Counts(0, 1, 0, 0, 0), Counts.of(monitor));
  }

  @Test
  void close_inTheMiddleOfAReopen_leavesNothing() throws Exception {
    warm = () -> monitor.close();
    index.add();
    monitor.maybeRefresh();
    assertEquals(0, index.readers.get(0).getRefCount());
    assertEquals(new Counts(0, 0, 0, 0, 0), Counts.of(monitor));
    index.add();
    assertTrue(monitor.maybeRefresh());
    assertEquals(new Counts(0, 0, 0, 0, 0), Counts.of(monitor));
    monitor.close();
  }

  @Test
  void maybeRefresh_managerIsClosed_isFailed() throws Exception {
    searchers.close();
    assertThrows(AlreadyClosedException.class, monitor::maybeRefresh);
    assertThrows(AlreadyClosedException.class, monitor::maybeRefreshBlocking);
    assertEquals(new Counts(0, 0, 2, 0, 0), Counts.of(monitor));
    assertEquals(List.of("FAILED 0 0", "FAILED 0 0"), told.news);
  }

  @Test
  void maybeRefresh_calledByAListenerOfTheReopen_passesThrough() throws Exception {
    searchers.addListener(after(() -> monitor.maybeRefreshBlocking(), 1));
    index.add();
    assertTrue(monitor.maybeRefresh());
    index.add();
    assertTrue(monitor.maybeRefresh());
    assertEquals(2, Counts.of(monitor).changed());
  }

  @Test
  void attach_withoutPhases_closesOnThisThreadAndDoesNotKnowWhenVisible() throws Exception {
    List<Thread> closers = new ArrayList<>();
    ((DirectoryReader) index.readers.get(0))
        .getReaderCacheHelper()
        .addClosedListener(key -> closers.add(Thread.currentThread()));
    index.add();
    monitor.maybeRefresh();
    assertEquals(List.of(Thread.currentThread()), closers);
    Reopen reopen = monitor.recent().get(0);
    assertEquals(NONE, reopen.visibleNanos());
    assertEquals(Map.of(ReopenPhase.LOCK_WAIT, 0L), reopen.phaseNanos());
  }

  @Test
  void staleness_growsFromTheBeginningOfTheLastGoodReopen() throws Exception {
    clock.advanceNanos(10);
    assertEquals(Duration.ofNanos(10), monitor.staleness());
    warm = () -> clock.advanceNanos(700);
    index.add();
    searchers.maybeRefresh();
    assertEquals(Duration.ofNanos(700), monitor.staleness());
    clock.advanceNanos(5);
    searchers.maybeRefresh(); // nothing new: as fresh as can be
    assertEquals(Duration.ZERO, monitor.staleness());
    clock.advanceNanos(20);
    warm =
        () -> {
          throw new IOException("cannot warm");
        };
    index.add();
    assertThrows(IOException.class, monitor::maybeRefresh);
    assertEquals(Duration.ofNanos(20), monitor.staleness());
    assertEquals(20, monitor.snapshot().stalenessNanos());
    warm = () -> {};
  }

  @Test
  void indexed_document_isVisibleWithTheNextReopenThatBegins() throws Exception {
    monitor.indexed(index.add());
    clock.advanceNanos(100);
    warm =
        () -> {
          monitor.indexed(index.add()); // too late for this one
          clock.advanceNanos(700);
        };
    monitor.maybeRefresh();
    assertEquals("document 800", told.news.getLast());
    assertEquals(1, monitor.snapshot().freshnessSamples());
    warm = () -> {};
    clock.advanceNanos(50);
    monitor.maybeRefresh();
    assertEquals("document 750", told.news.getLast());
    ReopenSnapshot seen = monitor.snapshot();
    assertEquals(2, seen.freshnessSamples());
    assertEquals(OptionalLong.of(750), seen.lastFreshnessNanos());
    assertEquals(OptionalLong.of(800), seen.maxFreshnessNanos());
  }

  /** The reopen was due at 150, and could begin at 200. */
  @Test
  void indexed_handedOverEarlier_isTimedFromThenUntilItIsVisible_byParts() throws Exception {
    openTimed();
    searchers.addListener(after(() -> clock.advanceNanos(300)));
    warm = () -> clock.advanceNanos(700);
    clock.advanceNanos(30);
    monitor.indexed(index.add(), 1_000_000);
    clock.advanceNanos(170);
    monitor.indexed(index.add(), 1_000_190);
    monitor.maybeRefresh(1_000_150);
    assertEquals(
        List.of("WRITE 30", "NEXT_REOPEN 120", "LOCK 50", "REOPEN 700", "longest 900"), told.waits);
    assertEquals(OptionalLong.of(900), monitor.snapshot().lastVisibleNanos());
    assertEquals(OptionalLong.of(900), monitor.snapshot().maxVisibleNanos());

    told.waits.clear();
    monitor.maybeRefresh();
    assertEquals(List.of(), told.waits, "nothing was waiting");

    monitor.indexed(index.add(), clock.nanoTime() + 5); // handed over in the future: now
    searchers.maybeRefresh(); // bypasses the monitor: the wait for the lock is not known
    assertEquals(
        List.of("WRITE 0", "NEXT_REOPEN 0", "LOCK 0", "REOPEN 700", "longest 700"), told.waits);
    assertEquals(OptionalLong.of(700), monitor.snapshot().lastVisibleNanos());
    assertEquals(OptionalLong.of(900), monitor.snapshot().maxVisibleNanos());
  }

  @Test
  void indexed_reopenThatIsNotDueYet_waitsForNoLock() throws Exception {
    monitor.indexed(index.add());
    clock.advanceNanos(10);
    monitor.maybeRefresh(clock.nanoTime() + 500);
    assertEquals(
        List.of("WRITE 0", "NEXT_REOPEN 10", "LOCK 0", "REOPEN 0", "longest 10"), told.waits);
  }

  /** The sample has become thin, but the first document after a reopen began waits the longest. */
  @Test
  void indexed_manyDocuments_theFirstAfterTheLastReopenIsTheOneThatCounts() throws Exception {
    for (int i = 0; i < 1000; i++) {
      monitor.indexed(index.add());
    }
    monitor.maybeRefresh();
    told.waits.clear();
    long samples = monitor.snapshot().freshnessSamples();
    for (int i = 0; i < 20; i++) {
      monitor.indexed(0x5555 + i); // such numbers are in no sample of one in a thousand
      clock.advanceNanos(10);
    }
    index.add();
    monitor.maybeRefresh();
    assertEquals("longest 200", told.waits.getLast());
    assertEquals(samples, monitor.snapshot().freshnessSamples(), "it is no sample");
  }

  @Test
  void indexed_noDocumentReported_hasNoLongestWait() throws Exception {
    index.add();
    monitor.maybeRefresh();
    assertEquals(List.of(), told.waits);
    assertEquals(NONE, monitor.snapshot().lastVisibleNanos());
    assertEquals(NONE, monitor.snapshot().maxVisibleNanos());
  }

  @Test
  void indexed_reopenFails_waitsForAGoodOne() throws Exception {
    monitor.indexed(index.add());
    warm =
        () -> {
          clock.advanceNanos(60);
          throw new IOException("cannot warm");
        };
    assertThrows(IOException.class, monitor::maybeRefresh);
    assertEquals(0, monitor.snapshot().freshnessSamples());
    warm = () -> clock.advanceNanos(7);
    monitor.maybeRefresh();
    assertEquals(OptionalLong.of(67), monitor.snapshot().lastFreshnessNanos());
    assertEquals(
        List.of("WRITE 0", "NEXT_REOPEN 60", "LOCK 0", "REOPEN 7", "longest 67"), told.waits);
  }

  @Test
  void addListener_onThatThrows_isStillCalledAndHurtsNobody() throws Exception {
    List<String> calls = new ArrayList<>();
    ReopenListener failing =
        new ReopenListener() {
          @Override
          public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
            calls.add("failing");
            throw new IllegalStateException("listener");
          }
        };
    monitor.removeListener(told);
    monitor.addListener(failing);
    monitor.addListener(told);
    assertTrue(searchers.maybeRefresh());
    assertTrue(searchers.maybeRefresh());
    monitor.removeListener(failing);
    assertTrue(searchers.maybeRefresh());
    assertEquals(List.of("failing", "failing"), calls);
    assertEquals(3, told.news.size());
  }

  @Test
  void snapshot_afterReopens_hasTheLastTheLongestAndTheSum() throws Exception {
    assertEquals(NONE, monitor.snapshot().lastNanos());
    assertEquals(NONE, monitor.snapshot().maxNanos());
    for (long nanos : new long[] {30, 50, 20}) {
      warm = () -> clock.advanceNanos(nanos);
      index.add();
      searchers.maybeRefresh();
    }
    ReopenSnapshot seen = monitor.snapshot();
    assertEquals(OptionalLong.of(20), seen.lastNanos());
    assertEquals(OptionalLong.of(50), seen.maxNanos());
    assertEquals(100, seen.totalNanos());
    assertEquals(3, seen.changed());
  }

  @Test
  void recent_moreThanAreKept_holdsTheLastOnesInOrder() throws Exception {
    monitor.close();
    monitor = ReopenMonitor.attach(searchers, ReopenOptions.defaults().withRecent(2), clock);
    for (long nanos : new long[] {30, 50, 20}) {
      warm = () -> clock.advanceNanos(nanos);
      index.add();
      searchers.maybeRefresh();
    }
    assertEquals(List.of(50L, 20L), monitor.recent().stream().map(Reopen::totalNanos).toList());
  }

  @Test
  void options_outOfRange_areRefused() {
    ReopenOptions options = ReopenOptions.defaults();
    assertEquals(
        "recent must be from 0 to 65536 reopens: -1",
        assertThrows(IllegalArgumentException.class, () -> options.withRecent(-1)).getMessage());
    assertEquals(
        "recent must be from 0 to 65536 reopens: 65537",
        assertThrows(IllegalArgumentException.class, () -> options.withRecent(65_537))
            .getMessage());
  }

  @Test
  void attach_manyThreadsReopen_countsEachChangeOnceAndTimesEachDocument() throws Exception {
    List<FutureTask<Void>> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      boolean called = t % 2 == 0;
      threads.add(start(() -> indexAndReopen(called)));
    }
    for (FutureTask<Void> thread : threads) {
      thread.get();
    }
    monitor.maybeRefreshBlocking();
    ReopenSnapshot seen = monitor.snapshot();
    assertEquals(index.readers.size() - 1, seen.changed());
    assertEquals(0, seen.failed());
    assertEquals(60, seen.freshnessSamples()); // so few that none is left out
  }

  private void indexAndReopen(boolean called) throws IOException {
    for (int i = 0; i < 50; i++) {
      var searching = searchers.acquire();
      synchronized (index) {
        long number = index.add();
        if (i < 15) {
          monitor.indexed(number);
        }
      }
      if (called) {
        monitor.maybeRefresh();
      } else {
        searchers.maybeRefreshBlocking();
      }
      searchers.release(searching);
    }
  }

  /** A removed document that was never there: the writer makes a reader, and it is the same one. */
  @Test
  void maybeRefresh_deletesThatMatchNothing_isUnchanged() throws Exception {
    index.add();
    searchers.maybeRefresh();
    index.writer.deleteDocuments(new Term("id", "none"));
    searchers.maybeRefresh();
    assertEquals(new Counts(1, 1, 0, 0, 0), Counts.of(monitor));
  }

  private interface Action {
    void run() throws IOException;
  }

  private static ReferenceManager.RefreshListener after(Action action) {
    return after(action, Integer.MAX_VALUE);
  }

  private static ReferenceManager.RefreshListener after(Action action, int times) {
    return new ReferenceManager.RefreshListener() {
      private int left = times;

      @Override
      public void beforeRefresh() {}

      @Override
      public void afterRefresh(boolean didRefresh) throws IOException {
        if (left-- > 0) {
          action.run();
        }
      }
    };
  }

  private static FutureTask<Void> start(Action action) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              action.run();
              return null;
            });
    new Thread(task).start();
    return task;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes down what it is told. */
  private static final class Told implements ReopenListener {

    private final List<String> news = new CopyOnWriteArrayList<>();
    private final List<String> waits = new CopyOnWriteArrayList<>();

    @Override
    public void phaseEnded(ReopenPhase phase, long phaseNanos) {
      news.add(phase + " " + phaseNanos);
    }

    @Override
    public void searcherVisible(long visibleNanos) {
      news.add("visible " + visibleNanos);
    }

    @Override
    public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
      news.add(result + " " + totalNanos + " " + latencyNanos);
    }

    @Override
    public void visiblePart(VisiblePart part, long nanos) {
      waits.add(part + " " + nanos);
    }

    @Override
    public void documentsVisible(long longestNanos) {
      waits.add("longest " + longestNanos);
    }

    @Override
    public void documentVisible(long freshnessNanos) {
      news.add("document " + freshnessNanos);
    }
  }

  private record Counts(long changed, long unchanged, long failed, long skipped, long unclear) {
    static Counts of(ReopenMonitor monitor) {
      ReopenSnapshot s = monitor.snapshot();
      return new Counts(s.changed(), s.unchanged(), s.failed(), s.skipped(), s.unclear());
    }
  }

  /** Manages something that the monitor knows nothing of. */
  private static final class NumberManager extends ReferenceManager<Integer> {

    private int references = 1;

    NumberManager() {
      current = 7;
    }

    @Override
    protected void decRef(Integer reference) {
      references--;
    }

    @Override
    protected Integer refreshIfNeeded(Integer referenceToRefresh) {
      return null;
    }

    @Override
    protected boolean tryIncRef(Integer reference) {
      references++;
      return true;
    }

    @Override
    protected int getRefCount(Integer reference) {
      return references;
    }
  }
}
