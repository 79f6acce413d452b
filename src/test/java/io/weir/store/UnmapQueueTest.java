package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.FailingLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnmapQueueTest {

  private static final Duration LONG = Duration.ofSeconds(20);

  private final List<Thread> closedBy = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);

  @Test
  void close_handsOver_andReturnsWhileTheFileIsStillMapped() {
    UnmapQueue.Owner owner = owner(2);
    owner.close(this::waitAndClose);
    assertEquals(new UnmapSnapshot(1, 1, 0, 0), owner.snapshot());
    gate.countDown();
    assertEquals(0, owner.drain(LONG));
    assertEquals(new UnmapSnapshot(0, 1, 0, 0), owner.snapshot());
    assertNotSame(Thread.currentThread(), closedBy.get(0));
  }

  @Test
  void close_whenTheQueueIsFull_closesOnTheCallersThread() throws Exception {
    UnmapQueue.Owner owner = owner(1);
    CountDownLatch taken = new CountDownLatch(1);
    owner.close(
        () -> {
          taken.countDown();
          waitAndClose();
        });
    taken.await();
    owner.close(this::close); // waits in the queue, and fills it
    owner.close(this::close);
    assertEquals(List.of(Thread.currentThread()), closedBy);
    assertEquals(new UnmapSnapshot(2, 2, 1, 0), owner.snapshot());
    gate.countDown();
    assertEquals(0, owner.drain(LONG));
  }

  @Test
  void close_whileTheLogFails_closesAll() {
    try (FailingLog log = FailingLog.of(UnmapQueue.class.getPackage())) {
      UnmapQueue.Owner owner = owner(2);
      owner.close(
          () -> {
            throw new IOException("on purpose");
          });
      owner.drain(LONG);
      owner.close(this::close);
      assertEquals(0, owner.drain(LONG));
      assertEquals(new UnmapSnapshot(0, 2, 0, 1), owner.snapshot());

      UnmapQueue.Owner inline =
          new UnmapQueue(
              8,
              task -> {
                throw new SecurityException("no threads here");
              })
          .new Owner();
      inline.close(this::close);
      assertSame(Thread.currentThread(), closedBy.get(1));
      assertEquals(2, log.calls());
    }
  }

  @Test
  void close_whenNoThreadCanBeStarted_closesOnTheCallersThread_andTriesAgain() {
    AtomicInteger tries = new AtomicInteger();
    UnmapQueue queue =
        new UnmapQueue(
            8,
            task -> {
              if (tries.getAndIncrement() == 0) {
                throw new SecurityException("no threads here");
              }
              return daemon(task);
            });
    UnmapQueue.Owner owner = queue.new Owner();
    owner.close(this::close);
    assertSame(Thread.currentThread(), closedBy.get(0));
    owner.close(this::close);
    assertEquals(0, owner.drain(LONG));
    assertNotSame(Thread.currentThread(), closedBy.get(1));
    assertEquals(new UnmapSnapshot(0, 1, 1, 0), owner.snapshot());
  }

  @Test
  void close_thatFails_isCounted_andTheNextFileIsClosed() {
    UnmapQueue.Owner owner = owner(8);
    owner.close(
        () -> {
          throw new IOException("injected");
        });
    owner.close(
        () -> {
          throw new AssertionError("injected");
        });
    owner.close(this::close);
    assertEquals(0, owner.drain(LONG));
    assertEquals(new UnmapSnapshot(0, 3, 0, 2), owner.snapshot());
    assertEquals(1, closedBy.size());
  }

  @Test
  void drain_waitsForItsOwnFilesOnly_andNoLongerThanAllowed() {
    UnmapQueue queue = new UnmapQueue(8, UnmapQueueTest::daemon);
    UnmapQueue.Owner stuck = queue.new Owner();
    UnmapQueue.Owner idle = queue.new Owner();
    stuck.close(this::waitAndClose);
    assertEquals(0, idle.drain(LONG));
    assertEquals(1, stuck.drain(Duration.ofMillis(1)));
    gate.countDown();
    assertEquals(0, stuck.drain(LONG));
  }

  @Test
  void drain_whenInterrupted_returnsWithTheInterruptSet() {
    UnmapQueue.Owner owner = owner(8);
    owner.close(this::waitAndClose);
    Thread.currentThread().interrupt();
    assertEquals(1, owner.drain(LONG));
    assertTrue(Thread.interrupted());
    gate.countDown();
    assertEquals(0, owner.drain(LONG));
  }

  @Test
  void interrupt_ofTheThread_losesNoFile() {
    UnmapQueue.Owner owner = owner(8);
    owner.close(() -> Thread.currentThread().interrupt());
    owner.close(this::close);
    assertEquals(0, owner.drain(LONG));
    owner.close(this::close);
    assertEquals(0, owner.drain(LONG));
    assertEquals(2, closedBy.size());
  }

  @Test
  void thread_ofTheProcess_isADaemon() {
    UnmapQueue.Owner owner = UnmapQueue.shared().new Owner();
    owner.close(this::close);
    assertEquals(0, owner.drain(LONG));
    assertTrue(closedBy.get(0).isDaemon());
    assertFalse(closedBy.get(0).isVirtual());
  }

  private UnmapQueue.Owner owner(int capacity) {
    return new UnmapQueue(capacity, UnmapQueueTest::daemon).new Owner();
  }

  private void close() {
    closedBy.add(Thread.currentThread());
  }

  private void waitAndClose() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    close();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "unmap");
    thread.setDaemon(true);
    return thread;
  }
}
