package io.weir.store.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.FailingLog;
import io.weir.store.Disk;
import io.weir.store.UnmapSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnmapQueueTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Disk DISK = disk();

  private final List<Thread> closedBy = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);
  private final AtomicInteger started = new AtomicInteger(); // threads of the queue

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
              1,
              task -> {
                throw new SecurityException("no threads here");
              })
          .new Owner(DISK);
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
            1,
            task -> {
              if (tries.getAndIncrement() == 0) {
                throw new SecurityException("no threads here");
              }
              return daemon(task);
            });
    UnmapQueue.Owner owner = queue.new Owner(DISK);
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
    UnmapQueue queue = queue(8, 8);
    UnmapQueue.Owner stuck = queue.new Owner(DISK);
    UnmapQueue.Owner idle = queue.new Owner(DISK);
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
    UnmapQueue.Owner owner = UnmapQueue.shared().new Owner(DISK);
    owner.close(this::close);
    assertEquals(0, owner.drain(LONG));
    assertTrue(closedBy.get(0).isDaemon());
    assertFalse(closedBy.get(0).isVirtual());
  }

  /** Of two directories on a disk, the one whose file hangs held up the other. */
  @Test
  void close_besideADirectoryWhoseFileHangs_isDone() {
    UnmapQueue queue = queue(8, 8);
    UnmapQueue.Owner stuck = queue.new Owner(DISK);
    UnmapQueue.Owner healthy = queue.new Owner(DISK);
    stuck.close(this::waitAndClose);
    stuck.close(this::waitAndClose);

    healthy.close(this::close);

    assertEquals(0, healthy.drain(LONG));
    assertEquals(new UnmapSnapshot(0, 1, 0, 0), healthy.snapshot());
    assertEquals(2, stuck.snapshot().pendingFiles());
    gate.countDown();
    assertEquals(0, stuck.drain(LONG));
  }

  @Test
  void drain_ofAThousandDirectoriesOnADiskThatHangs_waitsForFew() {
    Duration timeout = Duration.ofMillis(100);
    List<UnmapQueue.Owner> owners = new ArrayList<>();
    UnmapQueue queue = queue(1 << 12, 64);
    for (int i = 0; i < 1000; i++) {
      owners.add(queue.new Owner(DISK));
    }
    long begunNanos = System.nanoTime();
    for (UnmapQueue.Owner owner : owners) {
      owner.close(this::waitAndClose);
      assertEquals(1, owner.drain(timeout));
    }
    long nanos = System.nanoTime() - begunNanos;

    assertEquals(UnmapQueue.THREADS_PER_DISK, started.get());
    assertTrue(nanos > timeout.toNanos(), nanos + " ns: a close waits for files of its own");
    assertTrue(nanos < 100 * timeout.toNanos(), nanos + " ns for a thousand directories");
    gate.countDown();
    owners.forEach(owner -> assertEquals(0, owner.drain(LONG)));
  }

  @Test
  void drain_ofAFileThatHasHungLongEnough_doesNotWaitAgain() {
    UnmapQueue.Owner owner = owner(8);
    owner.close(this::waitAndClose);
    assertEquals(1, owner.drain(Duration.ofMillis(50)));
    long begunNanos = System.nanoTime();
    for (int i = 0; i < 1000; i++) {
      assertEquals(1, owner.drain(Duration.ofMillis(50)));
    }
    assertTrue(System.nanoTime() - begunNanos < LONG.toNanos());
    gate.countDown();
    assertEquals(0, owner.drain(LONG));
  }

  @Test
  void close_besideADiskThatFillsTheQueue_isStillDeferred() {
    UnmapQueue queue = queue(64, 8);
    UnmapQueue.Owner stuck = queue.new Owner(disk());
    UnmapQueue.Owner healthy = queue.new Owner(disk());
    stuck.close(this::waitAndClose);
    for (int i = 0; i < 64; i++) {
      stuck.close(() -> {});
    }
    assertTrue(stuck.snapshot().inlineFiles() > 0, "the queue is not full");

    for (int i = 0; i < 16; i++) {
      healthy.close(this::close);
    }

    assertEquals(0, healthy.drain(LONG));
    assertEquals(new UnmapSnapshot(0, 16, 0, 0), healthy.snapshot());
    gate.countDown();
    assertEquals(0, stuck.drain(LONG));
  }

  @Test
  void close_whenAllThreadsHangOnOtherDisks_closesOnTheCallersThread() {
    UnmapQueue queue = queue(8, 1);
    UnmapQueue.Owner stuck = queue.new Owner(disk());
    UnmapQueue.Owner healthy = queue.new Owner(disk());
    stuck.close(this::waitAndClose);

    healthy.close(this::close);

    assertEquals(List.of(Thread.currentThread()), closedBy);
    gate.countDown();
    assertEquals(0, stuck.drain(LONG));
  }

  @Test
  void thread_thatIsIdle_servesTheNextDisk() {
    UnmapQueue queue = queue(8, 1);
    for (int i = 0; i < 20; i++) {
      UnmapQueue.Owner owner = queue.new Owner(disk());
      while (owner.snapshot().deferredFiles() == 0) {
        owner.close(this::close); // by the caller, until the thread has come back
      }
      assertEquals(0, owner.drain(LONG));
    }
    assertEquals(1, started.get());
  }

  @Test
  void close_ofManyDirectoriesByManyThreads_closesEachFileOnceAndNoTwoOfADirectory()
      throws Exception {
    UnmapQueue queue = queue(64, 6);
    List<UnmapQueue.Owner> owners = new ArrayList<>();
    List<AtomicInteger> insides = new ArrayList<>();
    List<Disk> disks = List.of(disk(), disk(), disk());
    for (int i = 0; i < 24; i++) {
      owners.add(queue.new Owner(i % 6 == 0 ? disk() : disks.get(i % 3)));
      insides.add(new AtomicInteger());
    }
    AtomicInteger closed = new AtomicInteger();
    AtomicInteger together = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int c = 0; c < 4; c++) {
      int seed = c;
      Thread caller =
          daemon(
              () -> {
                Random random = new Random(seed);
                for (int i = 0; i < 5000; i++) {
                  int number = random.nextInt(owners.size());
                  Thread calling = Thread.currentThread();
                  owners
                      .get(number)
                      .close(
                          () -> {
                            AtomicInteger inside = insides.get(number);
                            boolean inline = Thread.currentThread() == calling;
                            if (!inline && inside.incrementAndGet() > 1) {
                              together.incrementAndGet();
                            }
                            closed.incrementAndGet();
                            if (!inline) {
                              inside.decrementAndGet();
                            }
                          });
                  if (random.nextInt(50) == 0) {
                    owners.get(number).drain(LONG);
                  }
                }
              });
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join();
    }
    owners.forEach(owner -> assertEquals(0, owner.drain(LONG)));

    assertEquals(4 * 5000, closed.get());
    assertEquals(0, together.get(), "two files of one directory at a time");
    assertTrue(started.get() <= 6, started.get() + " threads");
  }

  private static Disk disk() {
    return Disk.of(new ByteBuffersDirectory()); // one of its own, because it has no path
  }

  private UnmapQueue.Owner owner(int capacity) {
    return queue(capacity, 8).new Owner(DISK);
  }

  private UnmapQueue queue(int capacity, int maxThreads) {
    return new UnmapQueue(
        capacity,
        maxThreads,
        task -> {
          started.incrementAndGet();
          return daemon(task);
        });
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
