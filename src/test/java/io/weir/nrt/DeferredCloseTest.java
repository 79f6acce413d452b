package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.facet.taxonomy.FacetLabel;
import org.apache.lucene.facet.taxonomy.SearcherTaxonomyManager;
import org.apache.lucene.facet.taxonomy.directory.DirectoryTaxonomyWriter;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Old readers of real indexes: who closes them, when, and that all of them are. */
@Timeout(60)
@SuppressWarnings("try") // what is attached is only closed
class DeferredCloseTest {

  private final Queue<Runnable> handedOver = new ArrayDeque<>();
  private NrtIndex index;
  private SearcherManager searchers;

  @BeforeEach
  void open() throws IOException {
    index = new NrtIndex();
    searchers = new SearcherManager(index.writer, index.factory());
  }

  @AfterEach
  void close() throws IOException {
    searchers.close();
    index.close();
  }

  @Test
  void attach_searcherManager_closesTheOldReaderOnADaemonThread() throws Exception {
    BlockingQueue<Thread> closers = new LinkedBlockingQueue<>();
    onClose(index.readers.get(0), () -> closers.add(Thread.currentThread()));
    try (DeferredClose closer = new DeferredClose();
        Closeable attached = closer.attach(searchers)) {
      reopenChanged();
      Thread thread = closers.take();
      assertNotSame(Thread.currentThread(), thread);
      assertTrue(thread.isDaemon());
      assertEquals("weir-deferred-close", thread.getName());
    }
  }

  @Test
  void attach_manyReopensAndSearches_leavesNoReference() throws Exception {
    try (DeferredClose closer =
        new DeferredClose(DeferredCloseOptions.defaults().withCapacity(3))) {
      try (Closeable attached = closer.attach(searchers)) {
        for (int i = 0; i < 200; i++) {
          IndexSearcher searching = searchers.acquire();
          if (i % 3 != 0) {
            index.add();
          }
          searchers.maybeRefreshBlocking();
          searchers.release(searching);
        }
      }
      closer.close();
      DeferredCloseSnapshot done = closer.snapshot();
      assertEquals(133, done.deferred() + done.inline());
      assertEquals(0, done.failed());
      assertEquals(0, done.waiting());
    }
    List<Integer> expected = new ArrayList<>(Collections.nCopies(133, 0));
    expected.add(1);
    assertEquals(expected, index.refCounts());
  }

  @Test
  void attach_reopenFindsNothingNew_handsNothingOver() throws Exception {
    DeferredClose closer = manual(4);
    try (Closeable attached = closer.attach(searchers)) {
      searchers.maybeRefreshBlocking();
    }
    assertEquals(List.of(1), index.refCounts());
    assertEquals(0, handedOver.size());
    assertEquals(0, closer.snapshot().waiting());
  }

  @Test
  void attach_reopenFails_letsGo() throws Exception {
    searchers.close();
    index.readers.clear();
    searchers =
        new SearcherManager(
            index.writer,
            index.factory(
                () -> {
                  throw new IOException("cannot warm");
                }));
    try (DeferredClose closer = manual(4);
        Closeable attached = closer.attach(searchers)) {
      index.add();
      assertThrows(IOException.class, searchers::maybeRefreshBlocking);
    }
    assertEquals(List.of(1, 0), index.refCounts());
  }

  @Test
  void attach_closedInTheMiddleOfAReopen_letsGo() throws Exception {
    searchers.close();
    index.readers.clear();
    DeferredClose closer = manual(4);
    List<Closeable> attached = new ArrayList<>();
    searchers = new SearcherManager(index.writer, index.factory(() -> attached.get(0).close()));
    attached.add(closer.attach(searchers));
    reopenChanged();
    closer.close();
    assertEquals(List.of(0, 1), index.refCounts());
    reopenChanged();
    assertEquals(List.of(0, 0, 1), index.refCounts());
    assertEquals(1, closer.snapshot().inline());
  }

  /** The manager tells a listener that is removed while it tells the others. */
  @Test
  void attach_closedByAnEarlierListenerOfTheReopen_takesNothing() throws Exception {
    List<Closeable> attached = new ArrayList<>();
    searchers.addListener(
        new ReferenceManager.RefreshListener() {
          @Override
          public void beforeRefresh() throws IOException {
            attached.get(0).close();
          }

          @Override
          public void afterRefresh(boolean didRefresh) {}
        });
    try (DeferredClose closer = manual(4)) {
      attached.add(closer.attach(searchers));
      reopenChanged();
      assertEquals(List.of(0, 1), index.refCounts());
    }
  }

  /** The reference taken before a refresh stayed for good, if the end of it was not told. */
  @Test
  void attach_anotherListenerThrowsAtTheEnd_theNextReopenLetsGo() throws Exception {
    ReferenceManager.RefreshListener failing =
        new ReferenceManager.RefreshListener() {
          @Override
          public void beforeRefresh() {}

          @Override
          public void afterRefresh(boolean didRefresh) throws IOException {
            throw new IOException("listener");
          }
        };
    searchers.addListener(failing);
    try (DeferredClose closer = manual(4);
        Closeable attached = closer.attach(searchers)) {
      index.add();
      assertThrows(IOException.class, searchers::maybeRefreshBlocking);
      assertEquals(List.of(1, 1), index.refCounts());
      searchers.removeListener(failing);
      searchers.maybeRefreshBlocking();
      runHandedOver();
      assertEquals(List.of(0, 1), index.refCounts());
    }
  }

  @Test
  void attach_managerIsClosedBeforeTheRefreshEnds_leavesNothing() throws Exception {
    searchers.close();
    index.readers.clear();
    List<SearcherManager> self = new ArrayList<>();
    SearcherManager closing =
        new SearcherManager(index.writer, index.factory(() -> self.get(0).close()));
    self.add(closing);
    try (DeferredClose closer = manual(4);
        Closeable attached = closer.attach(closing)) {
      index.add();
      assertThrows(AlreadyClosedException.class, closing::maybeRefreshBlocking);
    }
    assertEquals(List.of(0, 0), index.refCounts());
  }

  @Test
  void attach_searcherTaxonomyManager_letsGoOfBothReaders() throws Exception {
    try (Directory taxonomy = new ByteBuffersDirectory();
        DirectoryTaxonomyWriter taxonomyWriter = new DirectoryTaxonomyWriter(taxonomy);
        SearcherTaxonomyManager both =
            new SearcherTaxonomyManager(index.writer, index.factory(), taxonomyWriter)) {
      var old = both.acquire();
      both.release(old);
      try (DeferredClose closer = manual(4);
          Closeable attached = closer.attach(both)) {
        index.add();
        taxonomyWriter.addCategory(new FacetLabel("color", "blue"));
        both.maybeRefreshBlocking();
        assertEquals(1, old.searcher().getIndexReader().getRefCount());
        assertEquals(1, old.taxonomyReader().getRefCount());
        runHandedOver();
        assertEquals(0, old.searcher().getIndexReader().getRefCount());
        assertEquals(0, old.taxonomyReader().getRefCount());
        assertEquals(1, closer.snapshot().deferred());
      }
    }
  }

  @Test
  void release_queueIsFull_releasesInlineAndCountsIt() throws Exception {
    DeferredClose closer = manual(2);
    List<Boolean> inline = new ArrayList<>();
    closer.addListener(
        new DeferredCloseListener() {
          @Override
          public void released(long releaseNanos, boolean isInline) {
            inline.add(isInline);
          }
        });
    try (Closeable attached = closer.attach(searchers)) {
      for (int i = 0; i < 3; i++) {
        reopenChanged();
      }
      assertEquals(List.of(1, 1, 0, 1), index.refCounts());
      assertEquals(new Counts(0, 1, 0, 2), Counts.of(closer));
      runHandedOver();
      assertEquals(List.of(0, 0, 0, 1), index.refCounts());
      assertEquals(new Counts(2, 1, 0, 0), Counts.of(closer));
      assertEquals(List.of(true, false, false), inline);
    }
  }

  @Test
  void release_afterItWasDrained_isHandedOverAgain() throws Exception {
    DeferredClose closer = manual(2);
    try (Closeable attached = closer.attach(searchers)) {
      for (int i = 0; i < 5; i++) {
        reopenChanged();
        assertEquals(1, handedOver.size());
        runHandedOver();
      }
    }
    assertEquals(new Counts(5, 0, 0, 0), Counts.of(closer));
    assertEquals(List.of(0, 0, 0, 0, 0, 1), index.refCounts());
  }

  @Test
  void release_executorRejects_releasesInline() throws Exception {
    DeferredClose closer =
        new DeferredClose(
            DeferredCloseOptions.defaults()
                .withExecutor(
                    task -> {
                      throw new RejectedExecutionException("full");
                    }));
    try (Closeable attached = closer.attach(searchers)) {
      reopenChanged();
      reopenChanged();
    }
    assertEquals(List.of(0, 0, 1), index.refCounts());
    assertEquals(new Counts(0, 2, 0, 0), Counts.of(closer));
  }

  /** A dropped task left every later reader open until the end. */
  @Test
  void release_executorDropsWhatItAccepts_theNextReleaseMakesUpForIt() throws Exception {
    AtomicInteger accepted = new AtomicInteger();
    DeferredClose closer =
        new DeferredClose(
            DeferredCloseOptions.defaults()
                .withExecutor(
                    task -> {
                      if (accepted.getAndIncrement() > 0) {
                        task.run();
                      }
                    }));
    try (Closeable attached = closer.attach(searchers)) {
      reopenChanged();
      assertEquals(List.of(1, 1), index.refCounts());
      reopenChanged();
      assertEquals(List.of(0, 0, 1), index.refCounts());
    }
    assertEquals(new Counts(2, 0, 0, 0), Counts.of(closer));
  }

  @Test
  void release_throws_isToldAndTheOthersAreReleased() throws Exception {
    DeferredClose closer = manual(4);
    List<String> told = new ArrayList<>();
    closer.addListener(
        new DeferredCloseListener() {
          @Override
          public void released(long releaseNanos, boolean inline) {
            told.add("released");
            throw new IllegalStateException("listener");
          }

          @Override
          public void releaseFailed(Throwable failure) {
            told.add(failure.getMessage());
          }
        });
    try (Closeable attached = closer.attach(searchers)) {
      onClose(
          index.readers.get(0),
          () -> {
            throw new IllegalStateException("cannot close");
          });
      reopenChanged();
      reopenChanged();
      runHandedOver();
    }
    assertEquals(List.of("cannot close", "released"), told);
    assertEquals(new Counts(2, 0, 1, 0), Counts.of(closer));
    assertEquals(List.of(0, 0, 1), index.refCounts());
  }

  @Test
  void release_takesAWhile_isTimedToTheNanosecond() throws Exception {
    AutoClock clock = new AutoClock();
    DeferredClose closer =
        new DeferredClose(DeferredCloseOptions.defaults().withExecutor(handedOver::add), clock);
    long[] told = new long[1];
    closer.addListener(
        new DeferredCloseListener() {
          @Override
          public void released(long releaseNanos, boolean inline) {
            told[0] = releaseNanos;
          }
        });
    try (Closeable attached = closer.attach(searchers)) {
      onClose(index.readers.get(0), () -> clock.advanceNanos(1234));
      reopenChanged();
      runHandedOver();
      reopenChanged();
      runHandedOver();
    }
    assertEquals(0, told[0]);
    assertEquals(1234, closer.snapshot().releaseNanos());
    assertEquals(1234, closer.snapshot().maxReleaseNanos());
  }

  @Test
  void close_referencesWait_releasesThemAndThoseThatComeLater() throws Exception {
    DeferredClose closer = manual(4);
    try (Closeable attached = closer.attach(searchers)) {
      reopenChanged();
      reopenChanged();
      closer.close();
      assertEquals(List.of(0, 0, 1), index.refCounts());
      reopenChanged();
      assertEquals(List.of(0, 0, 0, 1), index.refCounts());
      assertEquals(new Counts(0, 3, 0, 0), Counts.of(closer));
    }
    closer.close();
  }

  @Test
  void close_aReleaseIsGoingOn_waitsForIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    DeferredClose closer =
        new DeferredClose(DeferredCloseOptions.defaults().withCloseTimeout(Duration.ofMinutes(1)));
    Closeable attached = hangingRelease(closer, begun, mayEnd);
    Thread closing = new Thread(closer::close);
    closing.start();
    while (closing.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(closing.isAlive(), "did not wait");
      Thread.onSpinWait();
    }
    mayEnd.countDown();
    closing.join();
    assertEquals(new Counts(1, 0, 0, 0), Counts.of(closer));
    attached.close();
  }

  @Test
  void close_aReleaseThatHangs_goesOnWithoutItAfterTheTimeout() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    DeferredClose closer =
        new DeferredClose(DeferredCloseOptions.defaults().withCloseTimeout(Duration.ofMillis(5)));
    Closeable attached = hangingRelease(closer, begun, mayEnd);
    closer.close();
    assertEquals(new Counts(0, 0, 0, 0), Counts.of(closer));
    mayEnd.countDown();
    attached.close();
  }

  @Test
  void close_interrupted_endsTheWaitAndStaysInterrupted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    DeferredClose closer =
        new DeferredClose(DeferredCloseOptions.defaults().withCloseTimeout(Duration.ofHours(1)));
    Closeable attached = hangingRelease(closer, begun, mayEnd);
    Thread.currentThread().interrupt();
    closer.close();
    assertTrue(Thread.interrupted());
    mayEnd.countDown();
    attached.close();
  }

  @Test
  void release_toOneSharedByTwoManagers_goesToTheRightOne() throws Exception {
    try (NrtIndex other = new NrtIndex();
        SearcherManager others = new SearcherManager(other.writer, other.factory());
        DeferredClose closer = manual(4);
        Closeable first = closer.attach(searchers);
        Closeable second = closer.attach(others)) {
      reopenChanged();
      other.add();
      others.maybeRefreshBlocking();
      runHandedOver();
      assertEquals(List.of(0, 1), index.refCounts());
      assertEquals(List.of(0, 1), other.refCounts());
    }
  }

  @Test
  void options_outOfRange_areRefused() {
    DeferredCloseOptions options = DeferredCloseOptions.defaults();
    assertEquals(
        "capacity must be from 1 to 1024 readers: 0",
        assertThrows(IllegalArgumentException.class, () -> options.withCapacity(0)).getMessage());
    assertEquals(
        "closeTimeout must be from 0 to 3600 s: PT-1S",
        assertThrows(
                IllegalArgumentException.class,
                () -> options.withCloseTimeout(Duration.ofSeconds(-1)))
            .getMessage());
    assertSame(options.executor(), options.withCapacity(1024).executor());
    assertFalse(options.executor().isPresent());
  }

  /** A deferred close whose releases run when the test says so. */
  private DeferredClose manual(int capacity) {
    return new DeferredClose(
        DeferredCloseOptions.defaults().withCapacity(capacity).withExecutor(handedOver::add));
  }

  private void runHandedOver() {
    for (Runnable task = handedOver.poll(); task != null; task = handedOver.poll()) {
      task.run();
    }
  }

  private Closeable hangingRelease(
      DeferredClose closer, CountDownLatch begun, CountDownLatch mayEnd) throws Exception {
    onClose(
        index.readers.get(0),
        () -> {
          begun.countDown();
          try {
            mayEnd.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    Closeable attached = closer.attach(searchers);
    reopenChanged();
    begun.await();
    return attached;
  }

  private void reopenChanged() throws IOException {
    index.add();
    searchers.maybeRefreshBlocking();
  }

  private static void onClose(IndexReader reader, Runnable action) {
    ((DirectoryReader) reader).getReaderCacheHelper().addClosedListener(key -> action.run());
  }

  private record Counts(long deferred, long inline, long failed, int waiting) {
    static Counts of(DeferredClose closer) {
      DeferredCloseSnapshot s = closer.snapshot();
      return new Counts(s.deferred(), s.inline(), s.failed(), s.waiting());
    }
  }
}
