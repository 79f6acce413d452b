package io.weir.control;

import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides for all merges of this process whether they should leave the disk to readers now.
 *
 * <p>The pressure is read first, once per window. Only while it is high are the reads counted: one
 * of the merging threads reads the counters of all of them, and the others use its result. After a
 * slow look the next one comes later, so that looking takes at most a twentieth of one thread.
 *
 * <p><b>Threads:</b> any; no thread waits for another one's look. <b>Failure:</b> no method throws.
 * If a counter is missing or denied, merges do not yield; the reason is kept, and the first one is
 * logged at INFO. The watch tries again every {@link #RETRY_NANOS}, because the cause may be
 * temporary: a process without free file descriptors, a policy that depends on the caller.
 */
final class ReaderWatch {

  static final double LEAST_PRESSURE = 0.2;
  static final long HOLD_NANOS = 20_000_000;
  static final long LOOK_NANOS = 2_000_000;
  static final long RETRY_NANOS = 60_000_000_000L;

  private static final int LOOK_SHARE = 20;
  private static final String ACTIVE = "the kernel reports its pressure and the reads of threads";

  static final ReaderWatch OF_THIS_PROCESS = new ReaderWatch(Procfs.SYSTEM, NanoClock.SYSTEM);

  private final Procfs procfs;
  private final NanoClock clock;
  private final ForegroundReads reads;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final OnceLog log = new OnceLog(ReaderWatch.class);
  private DiskPressure pressure; // of the looking thread; null before it could be read
  private long readNanos; // of the looking thread
  private volatile long nextLookNanos;
  private volatile boolean standAside;
  private volatile boolean active;
  private volatile String reason = ACTIVE;

  ReaderWatch(Procfs procfs, NanoClock clock) {
    this.procfs = procfs;
    this.clock = clock;
    this.reads = new ForegroundReads(procfs);
    long nowNanos = clock.nanoTime();
    this.readNanos = nowNanos - HOLD_NANOS;
    this.nextLookNanos = nowNanos;
    standAside();
  }

  boolean isActive() {
    return active;
  }

  /** Why it is active or inactive. */
  String reason() {
    return reason;
  }

  boolean standAside() {
    if (clock.nanoTime() - nextLookNanos >= 0 && looking.compareAndSet(false, true)) {
      try {
        look();
      } catch (RuntimeException | LinkageError e) {
        suspend(e);
      } finally {
        looking.set(false);
      }
    }
    return standAside;
  }

  /** The calling thread begins a merge or a part of one. */
  void mergeBegins() {
    attempt(reads::mergeBegins);
  }

  /** The merge or part that the calling thread began last has ended. */
  void mergeEnds() {
    attempt(reads::mergeEnds);
  }

  private void look() {
    long nowNanos = clock.nanoTime();
    if (nowNanos - nextLookNanos < 0) {
      return; // another thread has just looked
    }
    if (!active) {
      pressure = open(nowNanos);
      nextLookNanos = nowNanos + DiskPressure.WINDOW_NANOS;
      reason = ACTIVE;
      active = true;
      return;
    }
    if (pressure.share(nowNanos) < LEAST_PRESSURE) {
      standAside = false;
      reads.rest();
      nextLookNanos = nowNanos + DiskPressure.WINDOW_NANOS;
      return;
    }
    if (reads.bytesSinceLast() > 0) {
      readNanos = nowNanos;
    }
    standAside = nowNanos - readNanos < HOLD_NANOS;
    nextLookNanos = nowNanos + Math.max(LOOK_NANOS, LOOK_SHARE * (clock.nanoTime() - nowNanos));
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | LinkageError e) {
      suspend(e);
    }
  }

  /** Fails if the pressure or one of the counters cannot be read. */
  private DiskPressure open(long nowNanos) {
    DiskPressure opened = new DiskPressure(procfs, nowNanos);
    require(opened.isKnown(), "the I/O pressure (of the control group, or /proc/pressure/io)");
    require(procfs.selfIo().flatMap(ReaderWatch::readBytes).isPresent(), "/proc/self/io");
    require(canReadThreads(), "/proc/self/task/*/io");
    return opened;
  }

  private static void require(boolean readable, String file) {
    if (!readable) {
      throw new UncheckedIOException(new IOException(file + " cannot be read"));
    }
  }

  private boolean canReadThreads() {
    OptionalLong number = procfs.threadNumber();
    return number.isPresent()
        && procfs.threadIo(number.getAsLong()).flatMap(ReaderWatch::readBytes).isPresent();
  }

  private static Optional<Long> readBytes(IoCounters counters) {
    return counters.readBytes().stream().boxed().findFirst();
  }

  private void suspend(Throwable failure) {
    String why =
        failure instanceof UncheckedIOException
            ? failure.getCause().getMessage()
            : failure.toString();
    reason = why;
    active = false;
    standAside = false;
    nextLookNanos = clock.nanoTime() + RETRY_NANOS;
    log.log(Level.INFO, "merges do not stand aside for readers: " + why);
    try {
      reads.rest();
    } catch (RuntimeException | LinkageError e) {
      // The files stay open until they are garbage-collected.
    }
  }
}
