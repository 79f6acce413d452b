package io.weir.store.keys;

import io.weir.store.Disk;
import io.weir.store.held.HeldMemory;
import io.weir.store.held.ProcessMemory;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;

/**
 * Loads the dictionaries of the process when there is room for them, and keeps the JVM from
 * reclaiming those that are only idle.
 *
 * <p>It goes through no list of all dictionaries. To open, to load and to close one takes the same
 * few steps, however many are open:
 *
 * <ul>
 *   <li>Each disk has a {@link Lane}, which loads one dictionary after the other. So a disk that
 *       hangs holds up its own dictionaries only.
 *   <li>A dictionary without room leaves the lane for a {@link WaitingRoom}. It comes back when
 *       there may be room for it: when another is closed, when the limit rises, or at a look each
 *       second, because collections free heap without notice.
 *   <li>At that look, one access to {@link HeldCopies} counts as use of all that are held.
 * </ul>
 *
 * <p><b>Threads:</b> any. Each lane has a daemon thread while it has something to load, and the
 * look has one that reads no file, while a dictionary is held or waits. They end when nothing is
 * open. No method blocks or throws.
 */
public final class DictionaryLoader {

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long IDLE_SECONDS = 5;

  /** The loader of the process. */
  public static final DictionaryLoader SHARED = shared();

  private final ProcessMemory memory;
  private final HeldMemory.Allocator allocator;
  private final NanoClock clock;
  private final Executor loading;
  private final Executor looking;
  private final Map<Disk, Lane> lanes = new WeakHashMap<>(); // guarded by itself
  private final HeldCopies held = new HeldCopies(this::lookEachSecond);

  // Guarded by this.
  private final WaitingRoom waiting = new WaitingRoom();
  private final Map<WaitingRoom.Waiter, Long> stopped = new LinkedHashMap<>();
  private boolean isLooking;

  /**
   * A loader apart from that of the process.
   *
   * @param loading runs a lane, on another thread
   * @param looking runs the look each second, on another thread
   */
  public DictionaryLoader(
      ProcessMemory memory,
      HeldMemory.Allocator allocator,
      NanoClock clock,
      Executor loading,
      Executor looking) {
    this.memory = memory;
    this.allocator = allocator;
    this.clock = clock;
    this.loading = loading;
    this.looking = looking;
    memory.onMoreRoom(this::admitWaiting);
  }

  private static DictionaryLoader shared() {
    Executor threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE, // one for each lane, and one for the look
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.named("weir-resident-keys"));
    return new DictionaryLoader(
        ProcessMemory.KEYS, byte[]::new, NanoClock.SYSTEM, threads, threads);
  }

  /** The heap of the process for dictionaries. */
  ProcessMemory memory() {
    return memory;
  }

  HeldMemory.Allocator allocator() {
    return allocator;
  }

  HeldCopies held() {
    return held;
  }

  long nowNanos() {
    return clock.nanoTime();
  }

  /** The lane for the files of a directory: that of their disk. */
  public Lane laneOf(Directory files) {
    Disk disk = Disk.of(files);
    synchronized (lanes) {
      return lanes.computeIfAbsent(disk, unused -> new Lane());
    }
  }

  /** The dictionaries of one disk that can be loaded now, and the thread that loads them. */
  final class Lane {

    // Guarded by this.
    private final Set<WaitingRoom.Waiter> queue = new LinkedHashSet<>();
    private boolean running;

    private Lane() {}

    /** Loads a dictionary soon. */
    void add(WaitingRoom.Waiter dictionary) {
      synchronized (this) {
        queue.add(dictionary);
        if (running) {
          return;
        }
        running = true;
      }
      try {
        loading.execute(this::run);
      } catch (RuntimeException | VirtualMachineError | LinkageError e) {
        synchronized (this) {
          running = false;
          queue.remove(dictionary);
        }
        await(dictionary, 0); // no thread is available: the next look tries again
      }
    }

    private void run() {
      boolean done = false;
      try {
        for (WaitingRoom.Waiter next = next(); next != null; next = next()) {
          next.load();
        }
        done = true;
      } finally {
        if (!done) {
          synchronized (this) {
            running = false;
          }
        }
      }
    }

    private synchronized WaitingRoom.Waiter next() {
      WaitingRoom.Waiter first = queue.isEmpty() ? null : queue.iterator().next();
      queue.remove(first);
      running = first != null;
      return first;
    }

    /** A dictionary is closed. */
    synchronized void remove(WaitingRoom.Waiter dictionary) {
      queue.remove(dictionary);
    }
  }

  /** Enqueues a dictionary in its lane when the process has room for it. */
  void await(WaitingRoom.Waiter dictionary, long neededBytes) {
    synchronized (this) {
      waiting.add(dictionary, neededBytes);
    }
    lookEachSecond();
  }

  /**
   * Enqueues a dictionary in its lane when the heap has room for the rest of its copy, which keeps
   * its room, or at the end of its patience.
   */
  void awaitHeap(WaitingRoom.Waiter dictionary, long patienceEndNanos) {
    synchronized (this) {
      stopped.put(dictionary, patienceEndNanos);
    }
    lookEachSecond();
  }

  /** A dictionary is closed, and waits no more. */
  synchronized void forget(WaitingRoom.Waiter dictionary) {
    waiting.remove(dictionary);
    stopped.remove(dictionary);
  }

  /** Enqueues those that may have room now. */
  private void admitWaiting() {
    List<WaitingRoom.Waiter> next = new ArrayList<>();
    synchronized (this) {
      if (waiting.isEmpty() && stopped.isEmpty()) {
        return;
      }
    }
    long room = memory.roomBytes();
    long nowNanos = clock.nanoTime();
    synchronized (this) {
      stopped
          .entrySet()
          .removeIf(
              each -> (room >= 0 || nowNanos - each.getValue() >= 0) && next.add(each.getKey()));
      long left = room;
      for (long taken = 0; taken >= 0; left -= taken) {
        taken = waiting.take(left, memory.possibleBytes(), nowNanos, next::add);
      }
    }
    next.forEach(WaitingRoom.Waiter::enqueue);
  }

  private void lookEachSecond() {
    synchronized (this) {
      if (isLooking) {
        return;
      }
      isLooking = true;
    }
    try {
      looking.execute(this::lookWhileNeeded);
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      synchronized (this) {
        isLooking = false; // no thread is available; the next dictionary tries again
      }
    }
  }

  private void lookWhileNeeded() {
    do {
      long endNanos = clock.nanoTime() + LOOK_NANOS;
      for (long left = LOOK_NANOS; left > 0; left = endNanos - clock.nanoTime()) {
        clock.parkNanos(this, left);
        Thread.interrupted(); // this thread belongs to no application
      }
      try {
        look();
      } catch (RuntimeException | Error e) {
        OnceLog.write(
            DictionaryLoader.class, Level.DEBUG, "key dictionaries wait until the next look", e);
      }
    } while (isLookNeeded());
  }

  /** Whether the look goes on; if not, its thread ends. */
  private synchronized boolean isLookNeeded() {
    isLooking = !held.isEmpty() || !waiting.isEmpty() || !stopped.isEmpty();
    return isLooking;
  }

  /** What is done each second. */
  public void look() {
    held.touch();
    admitWaiting();
  }

  /** Whether it looks each second. */
  public synchronized boolean isLooking() {
    return isLooking;
  }
}
