package io.weir.nrt;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The reopen that runs now, for a sampler to read from another thread without a lock.
 *
 * <p>The sampler reads {@link #serial}, then the thread and the start time, then {@link #serial}
 * again. If both serial numbers are equal, the values belong together: each reopen has a number of
 * its own, and the other fields change only while the number is {@link Measurement#NO_SERIAL}.
 *
 * <p><b>Threads:</b> {@link #begin} is called under the manager's refresh lock; the other methods
 * by any thread. Only a slow reopen allocates.
 */
final class RunningReopen {

  /** Looks at reopens from another thread. The reopening thread calls it, so nothing blocks. */
  interface Sampler {

    /** A reopen has begun. */
    void begun();

    /** Whether a reopen that took this long counts as slow. */
    boolean isSlow(long totalNanos);

    /** A slow reopen has ended. */
    void ended(long serial, long begunNanos, Reopen reopen);
  }

  private final AtomicLong serial = new AtomicLong(Measurement.NO_SERIAL);
  private final AtomicReference<Sampler> sampler = new AtomicReference<>();
  private long lastSerial; // guarded by the refresh lock
  private volatile WeakReference<Thread> thread;
  private volatile long begunNanos;
  private volatile long runningSinceNanos = Measurement.UNKNOWN_NANOS;

  /** Lets {@code newSampler} look at the reopens from now on. */
  void attach(Sampler newSampler) {
    sampler.set(newSampler);
  }

  /** Ends that; does nothing if another sampler is attached, or none. */
  void detach(Sampler oldSampler) {
    if (sampler.compareAndSet(oldSampler, null)) {
      serial.set(Measurement.NO_SERIAL);
      thread = null;
    }
  }

  boolean isSampled() {
    return sampler.get() != null;
  }

  /** The reopen of the calling thread has the lock and looks at the index from now on. */
  void begin(Measurement measurement) {
    runningSinceNanos = measurement.begunNanos;
    Sampler attached = sampler.get();
    if (attached == null) {
      return;
    }
    serial.set(Measurement.NO_SERIAL);
    thread = measurement.thread;
    begunNanos = measurement.begunNanos;
    measurement.serial = ++lastSerial;
    serial.set(measurement.serial);
    attached.begun();
  }

  /** The reopen has ended, and its measurement is complete. */
  void end(Measurement measurement, ReopenResult result) {
    if (result != ReopenResult.SKIPPED) { // else another thread's reopen runs
      runningSinceNanos = Measurement.UNKNOWN_NANOS;
    }
    Sampler attached = sampler.get();
    if (attached != null
        && measurement.serial != Measurement.NO_SERIAL
        && attached.isSlow(measurement.totalNanos())) {
      // Before the next reopen can begin.
      attached.ended(measurement.serial, measurement.begunNanos, measurement.toReopen(result));
    }
    serial.compareAndSet(measurement.serial, Measurement.NO_SERIAL);
  }

  /** A reopen without a measurement has ended. */
  void end() {
    runningSinceNanos = Measurement.UNKNOWN_NANOS;
  }

  /** When the reopen that runs had the lock; {@link Measurement#UNKNOWN_NANOS} if none runs. */
  long runningSinceNanos() {
    return runningSinceNanos;
  }

  /** Its number; {@link Measurement#NO_SERIAL} if no reopen runs. */
  long serial() {
    return serial.get();
  }

  /** Its thread; null if the thread has ended or no reopen has begun. */
  Thread thread() {
    WeakReference<Thread> current = thread;
    return current == null ? null : current.get();
  }

  /** When it had the lock. */
  long begunNanos() {
    return begunNanos;
  }
}
