package io.weir.nrt;

import io.weir.time.NanoClock;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.search.ReferenceManager;

/**
 * Lets go of old readers on another thread than the one that reopens.
 *
 * <p>A reference manager releases the old reader inside {@code maybeRefresh}. If that is the last
 * reference its files are unmapped, for which the JVM needs an answer of every thread; one that is
 * in a page fault of a mapped read answers only when its disk read returns. So one more reference
 * is held from before the refresh, and released here.
 *
 * <p>A reader that a search still holds is closed by that search, as ever.
 *
 * <p><b>Threads:</b> any thread may call any method. Only {@link #close} waits; {@link #release}
 * closes a reader itself when there is no room. <b>Ownership:</b> one may serve any number of
 * managers; whoever made it closes it, after its managers and before their directories. A reader
 * that is closed after its writer leaves files behind, until the next writer opens. <b>Failure:</b>
 * what a release throws is counted, told to the listeners, and logged the first time.
 */
public final class DeferredClose implements Closeable {

  private static final System.Logger LOGGER = System.getLogger(DeferredClose.class.getName());
  private static final int IDLE_SECONDS = 10;

  private final NanoClock clock;
  private final DeferredCloseOptions options;
  private final Executor executor;
  private final Runnable drain = () -> drain(false); // made once, not for each hand-over
  private final DeferredCloseListeners listeners = new DeferredCloseListeners();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition(); // releasing became 0
  private final ReferenceManager<?>[] managers; // guarded by lock, as all below; a ring
  private final Object[] references; // beside managers
  private int head;
  private int waiting;
  private int drains; // that run now; one that was handed over may never have begun
  private int releasing; // releases going on
  private boolean closed;
  private long deferred;
  private long inline;
  private long failed;
  private long releaseNanos;
  private long maxReleaseNanos;

  /** With the default options. */
  public DeferredClose() {
    this(DeferredCloseOptions.defaults());
  }

  /** With these options. */
  public DeferredClose(DeferredCloseOptions options) {
    this(options, NanoClock.SYSTEM);
  }

  /** With these options, releases timed by {@code clock}. */
  public DeferredClose(DeferredCloseOptions options, NanoClock clock) {
    this.options = Objects.requireNonNull(options, "options");
    this.clock = Objects.requireNonNull(clock, "clock");
    this.executor = options.executor().orElseGet(DeferredClose::daemon);
    this.managers = new ReferenceManager<?>[options.capacity()];
    this.references = new Object[options.capacity()];
  }

  /**
   * From now on the old references of {@code manager} are released here. Closing what is returned
   * ends that; it lets go of a reference that is being held, and leaves nothing at the manager.
   */
  public <G> Closeable attach(ReferenceManager<G> manager) {
    HeldReference<G> held = new HeldReference<>(manager, this);
    ReferenceManager.RefreshListener listener =
        new ReferenceManager.RefreshListener() {
          @Override
          public void beforeRefresh() {
            held.take();
          }

          @Override
          public void afterRefresh(boolean didRefresh) {
            held.letGo(didRefresh);
          }
        };
    manager.addListener(listener);
    return () -> {
      manager.removeListener(listener);
      held.close();
    };
  }

  /**
   * Releases a reference that the caller acquired from {@code manager}: soon, on another thread; or
   * now, on this one, if too many wait already or this is closed. Does not throw.
   */
  public <G> void release(ReferenceManager<G> manager, G reference) {
    Objects.requireNonNull(reference, "reference");
    boolean start = false;
    boolean room;
    lock.lock();
    try {
      room = !closed && waiting < references.length;
      if (room) {
        int tail = (head + waiting) % references.length;
        managers[tail] = manager;
        references[tail] = reference;
        waiting++;
        start = drains == 0;
      } else {
        releasing++;
      }
    } finally {
      lock.unlock();
    }
    if (!room) {
      releaseNow(manager, reference, true);
    } else if (start) {
      try {
        executor.execute(drain);
      } catch (Throwable noThread) {
        drain(true);
      }
    }
  }

  /** Releases a reference that the manager holds itself as well, so that nothing is closed. */
  <G> void releaseHere(ReferenceManager<G> manager, G reference) {
    try {
      manager.release(reference);
    } catch (Throwable failure) {
      lock.lock();
      try {
        failed++;
      } finally {
        lock.unlock();
      }
      listeners.tell(0, true, failure);
    }
  }

  /** What has been done so far. */
  public DeferredCloseSnapshot snapshot() {
    lock.lock();
    try {
      return new DeferredCloseSnapshot(
          deferred, inline, failed, waiting, releaseNanos, maxReleaseNanos);
    } finally {
      lock.unlock();
    }
  }

  /** Tells {@code listener} of releases from now on. */
  public void addListener(DeferredCloseListener listener) {
    listeners.add(listener);
  }

  /** Tells it no more. */
  public void removeListener(DeferredCloseListener listener) {
    listeners.remove(listener);
  }

  /**
   * Releases all that wait, on this thread, and waits for releases going on elsewhere, at most the
   * {@link DeferredCloseOptions#closeTimeout}; one that takes longer goes on alone, and is logged.
   * References that come later are released by those who bring them. An interrupt ends the wait and
   * stays set.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    drain(true);
    if (options.executor().isEmpty()) {
      ((ExecutorService) executor).shutdown();
    }
    int stillReleasing = awaitIdle(options.closeTimeout().toNanos());
    if (stillReleasing > 0) {
      LOGGER.log(
          Level.WARNING,
          () ->
              stillReleasing + " old readers are still being closed; closing goes on without them");
    }
  }

  /** Returns how many releases are still going on. */
  private int awaitIdle(long timeoutNanos) {
    lock.lock();
    try {
      long leftNanos = timeoutNanos;
      while (releasing > 0 && leftNanos > 0) {
        leftNanos = idle.awaitNanos(leftNanos);
      }
      return releasing;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return releasing;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Releases what waits. An executor may drop what it accepts, so only a drain that has begun
   * counts as one; until then each hand-over asks for another.
   */
  private void drain(boolean onCallersThread) {
    boolean begun = false;
    while (true) {
      ReferenceManager<?> manager;
      Object reference;
      lock.lock();
      try {
        drains += begun ? 0 : 1;
        begun = true;
        if (waiting == 0) {
          drains--;
          return;
        }
        manager = managers[head];
        reference = references[head];
        managers[head] = null;
        references[head] = null;
        head = (head + 1) % references.length;
        waiting--;
        releasing++;
      } finally {
        lock.unlock();
      }
      releaseNow(manager, reference, onCallersThread);
    }
  }

  /** The caller has counted it as releasing. */
  @SuppressWarnings("unchecked") // reference came in with its manager
  private void releaseNow(ReferenceManager<?> manager, Object reference, boolean onCallersThread) {
    long startNanos = clock.nanoTime();
    Throwable failure = null;
    try {
      ((ReferenceManager<Object>) manager).release(reference);
    } catch (Throwable e) {
      failure = e;
    }
    long tookNanos = clock.nanoTime() - startNanos;
    lock.lock();
    try {
      deferred += onCallersThread ? 0 : 1;
      inline += onCallersThread ? 1 : 0;
      failed += failure == null ? 0 : 1;
      releaseNanos += tookNanos;
      maxReleaseNanos = Math.max(maxReleaseNanos, tookNanos);
      if (--releasing == 0) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
    listeners.tell(tookNanos, onCallersThread, failure);
  }

  private static ExecutorService daemon() {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "weir-deferred-close");
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
