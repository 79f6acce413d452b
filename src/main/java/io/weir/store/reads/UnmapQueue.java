package io.weir.store.reads;

import io.weir.store.Disk;
import io.weir.store.UnmapSnapshot;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Closes mapped and deleted files on threads of its own, so that no thread waits for an unmapping,
 * or for the freeing of disk space, while it holds one of Lucene's locks.
 *
 * <p>A close can hang: on a dead network mount, or while the kernel frees a huge file. So a thread
 * that closes a file serves nothing else meanwhile. The files of a directory are closed one after
 * the other, those of other directories by other threads, up to {@value #THREADS_PER_DISK} for each
 * disk. So a directory holds up no other, and a disk no other. While only one directory has files
 * to close, there is one thread: more would not help, because the JVM does one handshake at a time.
 *
 * <p><b>Threads:</b> any. {@link Owner#close} waits only if the queue is full; {@link Owner#drain}
 * waits. The threads are daemons; each starts when it is needed and ends after it has been idle for
 * a while. A process that exits does not wait for them, because the kernel unmaps everything.
 *
 * <p><b>Bound:</b> each file in the queue keeps its mapping, and its disk space if it was deleted.
 * A disk may have as many files in the queue as there are places left for all disks. If it has
 * more, or there is no thread for it, the caller closes the file itself.
 *
 * <p><b>Failure:</b> an exception from closing a file is counted, and the first one is logged; the
 * caller has already returned.
 *
 * <p><b>Implementation:</b> one lock guards everything, and no file is closed under it. Files and
 * owners are linked by their own fields, so that to add one cannot fail.
 */
public final class UnmapQueue {

  /** A quarter of the mappings that Linux allows a process by default ({@code max_map_count}). */
  static final int CAPACITY = 1 << 14;

  static final int THREADS_PER_DISK = 4;

  private static final int MAX_THREADS = 64;

  private static final Duration IDLE = Duration.ofSeconds(10);

  private static final UnmapQueue SHARED =
      new UnmapQueue(CAPACITY, MAX_THREADS, DaemonThreads.named("weir-unmap"));

  private final int capacity;
  private final int maxThreads;
  private final ThreadFactory factory;
  private final NanoClock clock = NanoClock.SYSTEM; // the one that the conditions wait by
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition call = lock.newCondition(); // called is no longer empty
  private final Condition progress = lock.newCondition(); // some owner has one file fewer
  private final OnceLog inlineLog = new OnceLog(UnmapQueue.class);
  private final OnceLog failureLog = new OnceLog(UnmapQueue.class);

  // All guarded by lock.
  private final Map<Disk, Lane> lanes = new WeakHashMap<>(); // a lane does not refer to its disk
  private final Deque<Lane> called; // an idle thread comes to each; with room for all
  private int waiting; // files that no thread has taken
  private int threads;
  private int idle; // threads in no disk that are not called

  /** A queue apart from that of the process. */
  public UnmapQueue(int capacity, int maxThreads, ThreadFactory factory) {
    this.capacity = capacity;
    this.maxThreads = maxThreads;
    this.factory = Objects.requireNonNull(factory, "factory");
    this.called = new ArrayDeque<>(maxThreads);
  }

  /** The queue of this process. */
  public static UnmapQueue shared() {
    return SHARED;
  }

  /** A file to close. */
  private static final class Mapping {

    private final Closeable file;
    private final Owner owner;

    // Guarded by lock.
    private boolean inline; // the caller closes it
    private Mapping next; // of the owner's

    Mapping(Closeable file, Owner owner) {
      this.file = file;
      this.owner = owner;
    }
  }

  /** The files of a disk, which can hang as a whole. All guarded by lock. */
  private static final class Lane {

    private Owner first; // of those whose files wait while no thread closes one; or null
    private Owner last;
    private int active; // owners with files that wait or are being closed by a thread
    private int threads; // in it, or called to it
    private int waiting; // files
    private long progressNanos; // when a thread last came, took a file or had closed one

    private void add(Owner owner) {
      if (first == null) {
        first = owner;
      } else {
        last.nextOwner = owner;
      }
      last = owner;
    }

    private Owner remove() {
      Owner owner = first;
      first = owner.nextOwner;
      owner.nextOwner = null;
      return owner;
    }
  }

  /** A directory, with counters of its own. */
  public final class Owner {

    private final Lane lane;

    // All guarded by lock.
    private Mapping first; // of the files that wait; or null
    private Mapping last;
    private Owner nextOwner; // of the disk's
    private boolean served; // a thread closes one of its files
    private long takenNanos; // when that thread took it
    private int pending;
    private long deferred;
    private long inline;
    private long failures;

    /**
     * Makes an owner without files.
     *
     * @param disk that the directory is on
     */
    public Owner(Disk disk) {
      this.lane = laneOf(disk);
    }

    /** Closes {@code file} soon, or now if there is no place or no thread for it. */
    public void close(Closeable file) {
      Mapping mapping = new Mapping(file, this);
      enqueue(mapping);
      if (mapping.inline) {
        run(mapping);
      }
    }

    /**
     * Waits until all files handed over so far are closed. It does not wait for a file that has
     * stood still for {@code timeout}, nor for a thread of a disk where all have.
     *
     * @return the number of files still open after {@code timeout} or an interrupt, which stays set
     */
    public int drain(Duration timeout) {
      lock.lock();
      try {
        callThread(lane);
        long begunNanos = clock.nanoTime();
        while (pending > 0) {
          long leftNanos = timeout.toNanos() - (clock.nanoTime() - stillSince(begunNanos));
          if (leftNanos <= 0) {
            break;
          }
          progress.awaitNanos(leftNanos);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        lock.unlock();
      }
      return snapshot().pendingFiles();
    }

    /** Since when its next file has stood still, but not later than this. */
    private long stillSince(long latestNanos) {
      long sinceNanos = latestNanos; // if only callers close files of it
      if (served) {
        sinceNanos = takenNanos;
      } else if (first != null) {
        sinceNanos = lane.progressNanos;
      }
      return sinceNanos - latestNanos < 0 ? sinceNanos : latestNanos;
    }

    private void add(Mapping mapping) {
      if (first == null) {
        first = mapping;
      } else {
        last.next = mapping;
      }
      last = mapping;
    }

    private Mapping remove() {
      Mapping mapping = first;
      first = mapping.next;
      mapping.next = null;
      return mapping;
    }

    /** The figures so far. */
    public UnmapSnapshot snapshot() {
      lock.lock();
      try {
        return new UnmapSnapshot(pending, deferred, inline, failures);
      } finally {
        lock.unlock();
      }
    }
  }

  private Lane laneOf(Disk disk) {
    lock.lock();
    try {
      return lanes.computeIfAbsent(disk, unused -> new Lane());
    } finally {
      lock.unlock();
    }
  }

  /** Leaves it to a thread, or to the caller. */
  private void enqueue(Mapping mapping) {
    Owner owner = mapping.owner;
    Lane lane = owner.lane;
    String obstacle;
    lock.lock();
    try {
      boolean begins = owner.first == null && !owner.served;
      lane.active += begins ? 1 : 0;
      obstacle =
          lane.waiting >= capacity - waiting ? "too many files wait: " + waiting : callThread(lane);
      owner.pending++;
      if (obstacle == null) {
        owner.deferred++;
        owner.add(mapping);
        lane.waiting++;
        waiting++;
        if (begins) {
          lane.add(owner);
        }
        return;
      }
      lane.active -= begins ? 1 : 0;
      owner.inline++;
      mapping.inline = true;
    } finally {
      lock.unlock();
    }
    inlineLog.log(
        Level.WARNING,
        "Files are unmapped by the threads that close them, which may delay a reopen: " + obstacle);
  }

  /**
   * Makes sure that a disk has a thread for each active owner, up to its bound.
   *
   * @return why it has none at all; otherwise null
   */
  private String callThread(Lane lane) {
    if (lane.threads >= Math.min(lane.active, THREADS_PER_DISK)) {
      return null;
    }
    String obstacle = null;
    if (idle > 0) {
      idle--;
      called.add(lane);
      call.signal();
    } else if (threads >= maxThreads) {
      obstacle = "other disks have all " + maxThreads + " threads";
    } else {
      try {
        factory.newThread(new Closing(lane)).start();
        threads++;
      } catch (RuntimeException | Error e) { // no memory or no permission for a thread
        obstacle = "no thread could be started: " + e;
      }
    }
    if (obstacle == null) {
      lane.threads++;
      lane.progressNanos = clock.nanoTime();
    }
    return lane.threads == 0 ? obstacle : null;
  }

  /** The work of a thread, which goes to another disk when nobody waits for it in its own. */
  private final class Closing implements Runnable {

    private Lane lane; // that it is in; null while it is idle; guarded by lock

    Closing(Lane lane) {
      this.lane = lane;
    }

    @Override
    public void run() {
      try {
        while (closeNext()) {
          // One after the other.
        }
      } finally {
        lock.lock();
        threads--;
        if (lane != null) { // an error of memory, for example
          lane.threads--;
        }
        lock.unlock();
      }
    }

    /** False if the thread has been idle long enough to end. */
    private boolean closeNext() {
      Mapping mapping = take();
      if (mapping != null) {
        UnmapQueue.this.run(mapping);
      }
      return mapping != null;
    }

    private Mapping take() {
      lock.lock();
      try {
        while (lane != null && lane.first == null) {
          lane.threads--;
          lane = awaitCall();
        }
        if (lane == null) {
          return null;
        }
        Owner owner = lane.remove();
        owner.served = true;
        lane.progressNanos = clock.nanoTime();
        owner.takenNanos = lane.progressNanos;
        lane.waiting--;
        waiting--;
        return owner.remove();
      } finally {
        lock.unlock();
      }
    }

    /** The next disk, or null. Ignores interrupts: this thread belongs to no application. */
    private Lane awaitCall() {
      lane = null;
      idle++;
      long leftNanos = IDLE.toNanos();
      while (called.isEmpty()) {
        if (leftNanos <= 0) {
          idle--;
          return null;
        }
        try {
          leftNanos = call.awaitNanos(leftNanos);
        } catch (InterruptedException e) {
          continue;
        }
      }
      return called.remove();
    }
  }

  private void run(Mapping mapping) {
    Throwable failure = null;
    try {
      mapping.file.close();
    } catch (Throwable e) {
      failure = e;
    }
    ended(mapping, failure != null);
    if (failure != null) {
      failureLog.warn("A file could not be unmapped or freed; it is still held", failure);
    }
  }

  /** The file is closed, or never will be. */
  private void ended(Mapping mapping, boolean failed) {
    Owner owner = mapping.owner;
    lock.lock();
    try {
      owner.pending--;
      if (!mapping.inline) {
        owner.served = false;
        owner.lane.progressNanos = clock.nanoTime();
        if (owner.first == null) {
          owner.lane.active--;
        } else {
          owner.lane.add(owner);
        }
      }
      progress.signalAll();
      owner.failures += failed ? 1 : 0;
    } finally {
      lock.unlock();
    }
  }
}
