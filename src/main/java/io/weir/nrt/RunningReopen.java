package io.weir.nrt;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which reopen is going on, for {@link SlowReopens} to read from outside without a lock.
 *
 * <p>A reader takes {@link #running}, then the thread and the moment, then {@link #running} again:
 * if that is the same, all belong together, because each reopen has a number of its own and the
 * other fields change only while it is {@link #NONE}.
 *
 * <p><b>Threads:</b> {@link #begin} under the manager's refresh lock; all else by any. It allocates
 * nothing but for a reopen that was slow.
 */
final class RunningReopen {

  /** No reopen. */
  static final long NONE = 0;

  private final AtomicLong running = new AtomicLong(NONE);
  private long lastSerial; // guarded by the refresh lock
  private volatile WeakReference<Thread> thread;
  private volatile long begunNanos;
  private volatile SlowReopens sampler; // null: nobody looks

  /** From now on {@code newSampler} looks; {@code null} for nobody. */
  void setSampler(SlowReopens newSampler) {
    sampler = newSampler;
    if (newSampler == null) {
      running.set(NONE);
      thread = null;
    }
  }

  SlowReopens sampler() {
    return sampler;
  }

  /** The reopen of the calling thread has the lock and looks at the index from now on. */
  void begin(Measurement sample) {
    SlowReopens looking = sampler;
    if (looking == null) {
      return;
    }
    running.set(NONE);
    thread = sample.thread;
    begunNanos = sample.begunNanos;
    sample.serial = ++lastSerial;
    running.set(sample.serial);
    looking.wakeIfIdle();
  }

  /** It has ended, and all is known of it. */
  void end(Measurement sample, ReopenResult result) {
    SlowReopens looking = sampler;
    if (looking != null && sample.serial != NONE && looking.isSlow(sample.totalNanos())) {
      looking.ended(sample.serial, sample.begunNanos, sample.toReopen(result)); // before the next
    }
    running.compareAndSet(sample.serial, NONE);
  }

  long running() {
    return running.get();
  }

  /** Null if it has ended, or if there was none. */
  Thread thread() {
    WeakReference<Thread> current = thread;
    return current == null ? null : current.get();
  }

  /** When it had the lock. */
  long begunNanos() {
    return begunNanos;
  }
}
