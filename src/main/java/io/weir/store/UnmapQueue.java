package io.weir.store;

import io.weir.time.DaemonThreads;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Closes mapped and deleted files one by one on its own thread, so that no thread waits for an
 * unmapping, or for the freeing of disk space, while it holds one of Lucene's locks.
 *
 * <p>One queue serves all directories of the process. More threads would not help: the JVM does one
 * handshake at a time.
 *
 * <p><b>Threads:</b> any. {@link Owner#close} waits only if the queue is full; {@link Owner#drain}
 * waits. The thread is a daemon; it starts with the first file and ends after it has been idle for
 * a while. A process that exits does not wait for it, because the kernel unmaps everything.
 *
 * <p><b>Bound:</b> each file in the queue keeps its mapping, and its disk space if it was deleted.
 * If the queue is full or no thread can be started, the caller closes the file itself.
 *
 * <p><b>Failure:</b> an exception from closing a file is counted, and the first one is logged; the
 * caller has already returned.
 */
final class UnmapQueue {

  /** A quarter of the mappings that Linux allows a process by default ({@code max_map_count}). */
  static final int CAPACITY = 1 << 14;

  private static final Duration IDLE = Duration.ofSeconds(10);

  private static final UnmapQueue SHARED =
      new UnmapQueue(CAPACITY, DaemonThreads.named("weir-unmap"));

  private final int capacity;
  private final ThreadFactory threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition(); // waiting is no longer empty
  private final Condition progress = lock.newCondition(); // some owner has one file fewer

  // All guarded by lock.
  private final ArrayDeque<Mapping> waiting; // with room for all: to add a file cannot fail
  private boolean running; // a thread takes from the queue
  private boolean inlineLogged;
  private boolean failureLogged;

  /** A file to close. */
  private record Mapping(Closeable file, Owner owner) {}

  UnmapQueue(int capacity, ThreadFactory threads) {
    this.capacity = capacity;
    this.waiting = new ArrayDeque<>(capacity);
    this.threads = Objects.requireNonNull(threads, "threads");
  }

  /** The queue of this process. */
  static UnmapQueue shared() {
    return SHARED;
  }

  /** A directory, with counters of its own. */
  final class Owner {

    // All guarded by lock.
    private int pending;
    private long deferred;
    private long inline;
    private long failures;

    /** Closes {@code file} soon, or now if the queue is full or has no thread. */
    void close(Closeable file) {
      if (!enqueue(new Mapping(file, this))) {
        run(new Mapping(file, this));
      }
    }

    /**
     * Waits until all files handed over so far are closed.
     *
     * @return the number of files still open after {@code timeout} or an interrupt, which stays set
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
    StoreLog.log(
        Level.WARNING,
        "Files are unmapped by the threads that close them, which may delay a reopen: " + obstacle);
    return false;
  }

  /** Makes sure that a thread runs; returns the reason if none can be started, otherwise null. */
  private String startThread() {
    if (!running) {
      try {
        threads.newThread(this::runUntilIdle).start();
        running = true;
      } catch (RuntimeException | Error e) { // no memory or no permission for a thread
        return "no thread could be started: " + e;
      }
    }
    return null;
  }

  private void runUntilIdle() {
    boolean idle = false;
    try {
      for (Mapping next = take(); next != null; next = take()) {
        run(next);
      }
      idle = true;
    } finally {
      if (!idle) { // an error of memory, for example; the next file starts another thread
        lock.lock();
        running = false;
        lock.unlock();
      }
    }
  }

  /** The next file; null if the thread has been idle long enough to end. */
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

  /** Ignores interrupts: this thread belongs to no application. */
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
      StoreLog.log(
          Level.WARNING, "A file could not be unmapped or freed; it is still held", failure);
    }
  }
}
