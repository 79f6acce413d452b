package io.weir.store;

import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Closes mapped files on a thread of its own, one after the other, so that no thread that holds a
 * lock of Lucene's waits for an unmapping.
 *
 * <p>One queue serves all directories of the process. More threads would gain nothing: the JVM does
 * one handshake at a time.
 *
 * <p><b>Threads:</b> any. {@link Owner#close} does not wait unless the queue is full; {@link
 * Owner#drain} waits. The thread is a daemon, starts with the first file and ends when it has had
 * nothing to do for a while. A process that exits does not wait for it: the kernel unmaps.
 *
 * <p><b>Bound:</b> each file in the queue keeps a mapping, and its disk space if it was deleted. A
 * file that finds the queue full is closed by its caller. So is one for which no thread can be
 * started.
 *
 * <p><b>Failure:</b> what closing a file throws is counted, and logged the first time. By then its
 * caller is gone.
 */
final class UnmapQueue {

  /** A quarter of the mappings that Linux allows a process by default ({@code max_map_count}). */
  static final int CAPACITY = 1 << 14;

  private static final System.Logger LOGGER = System.getLogger("io.weir.store");

  private static final Duration IDLE = Duration.ofSeconds(10);

  private static final UnmapQueue SHARED = new UnmapQueue(CAPACITY, UnmapQueue::daemon);

  private final int capacity;
  private final ThreadFactory threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition(); // waiting became more than 0
  private final Condition progress = lock.newCondition(); // some owner has one file less

  // All guarded by lock.
  private final ArrayDeque<Mapping> waiting = new ArrayDeque<>();
  private boolean running; // a thread takes from the queue
  private boolean inlineLogged;
  private boolean failureLogged;

  /** A file to close. */
  private record Mapping(Closeable file, Owner owner) {}

  UnmapQueue(int capacity, ThreadFactory threads) {
    this.capacity = capacity;
    this.threads = Objects.requireNonNull(threads, "threads");
  }

  /** The one of this process. */
  static UnmapQueue shared() {
    return SHARED;
  }

  /** A directory, whose files are counted apart. */
  final class Owner {

    // All guarded by lock.
    private int pending;
    private long deferred;
    private long inline;
    private long failures;

    /** Closes {@code file} soon; or now, when the queue is full or has no thread. */
    void close(Closeable file) {
      if (!enqueue(new Mapping(file, this))) {
        run(new Mapping(file, this));
      }
    }

    /**
     * Waits until all files handed over so far are closed.
     *
     * @return how many are not, after {@code timeout} or an interrupt, which stays set
     */
    int drain(Duration timeout) {
      lock.lock();
      try {
        long leftNanos = timeout.toNanos();
        while (pending > 0 && leftNanos > 0) {
          leftNanos = progress.awaitNanos(leftNanos);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
      return snapshot().pendingFiles();
    }

    UnmapSnapshot snapshot() {
      lock.lock();
      try {
        return new UnmapSnapshot(pending, deferred, inline, failures);
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean enqueue(Mapping mapping) {
    String obstacle;
    lock.lock();
    try {
      obstacle = waiting.size() >= capacity ? "too many files wait: " + capacity : startThread();
      if (obstacle == null) {
        mapping.owner().pending++;
        mapping.owner().deferred++;
        waiting.add(mapping);
        work.signal();
        return true;
      }
      mapping.owner().pending++;
      mapping.owner().inline++;
      if (inlineLogged) {
        return false;
      }
      inlineLogged = true;
    } finally {
      lock.unlock();
    }
    LOGGER.log(
        Level.WARNING,
        "Files are unmapped by the threads that close them, which may delay a reopen: " + obstacle);
    return false;
  }

  /** Makes sure that a thread runs; if there can be none, says why. */
  private String startThread() {
    if (!running) {
      try {
        threads.newThread(this::runUntilIdle).start();
        running = true;
      } catch (RuntimeException | Error e) { // no memory for a thread, or no permission
        return "no thread could be started: " + e;
      }
    }
    return null;
  }

  private void runUntilIdle() {
    while (true) {
      Mapping next = take();
      if (next == null) {
        return;
      }
      run(next);
    }
  }

  /** The next file; null once the thread has been idle, and is to end. */
  private Mapping take() {
    lock.lock();
    try {
      long leftNanos = IDLE.toNanos();
      while (waiting.isEmpty()) {
        if (leftNanos <= 0) {
          running = false;
          return null;
        }
        leftNanos = awaitWork(leftNanos);
      }
      return waiting.remove();
    } finally {
      lock.unlock();
    }
  }

  /** An interrupt is meant for somebody else: this thread belongs to no application. */
  private long awaitWork(long nanos) {
    try {
      return work.awaitNanos(nanos);
    } catch (InterruptedException e) {
      return nanos;
    }
  }

  private void run(Mapping mapping) {
    Throwable failure = null;
    try {
      mapping.file().close();
    } catch (Throwable e) {
      failure = e;
    }
    boolean log;
    lock.lock();
    try {
      mapping.owner().pending--;
      log = failure != null && !failureLogged;
      if (failure != null) {
        mapping.owner().failures++;
        failureLogged = true;
      }
      progress.signalAll();
    } finally {
      lock.unlock();
    }
    if (log) {
      LOGGER.log(Level.WARNING, "A file could not be unmapped; it stays mapped", failure);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "weir-unmap");
    thread.setDaemon(true);
    return thread;
  }
}
