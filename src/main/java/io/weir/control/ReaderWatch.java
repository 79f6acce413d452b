package io.weir.control;

import io.weir.procfs.IoCounters;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether merges of this process should leave the disk to its readers: one look for all merges.
 *
 * <p>The pressure is read first, once in a window. Only while it is high does anybody ask who
 * reads: then one of the merging threads looks at all of them, and the others go by what it saw. A
 * look that takes long is followed by a longer time without one, so that looking never takes more
 * than a twentieth of one thread.
 *
 * <p><b>Threads:</b> any; nobody waits for a look. <b>Failure:</b> no method throws. What is
 * missing or denied ends the watch for good: merges stand aside no more, and the reason is kept and
 * logged once, at INFO.
 */
final class ReaderWatch {

  static final double LEAST_PRESSURE = 0.2;
  static final long HOLD_NANOS = 20_000_000;
  static final long LOOK_NANOS = 2_000_000;

  private static final int LOOK_SHARE = 20;
  private static final String ACTIVE = "the kernel tells its pressure and who reads";

  static final ReaderWatch OF_THIS_PROCESS = new ReaderWatch(Procfs.SYSTEM, NanoClock.SYSTEM);

  private final NanoClock clock;
  private final ForegroundReads reads;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final DiskPressure pressure; // of the one that looks; null where it cannot be read
  private long readNanos; // of the one that looks
  private volatile long nextLookNanos;
  private volatile boolean standAside;
  private volatile boolean active = true;
  private volatile String reason = ACTIVE;

  ReaderWatch(Procfs procfs, NanoClock clock) {
    this.clock = clock;
    this.reads = new ForegroundReads(procfs);
    long nowNanos = clock.nanoTime();
    this.readNanos = nowNanos - HOLD_NANOS;
    this.nextLookNanos = nowNanos + DiskPressure.WINDOW_NANOS;
    this.pressure = open(procfs, nowNanos);
  }

  boolean isActive() {
    return active;
  }

  /** Why it is active, or is not. */
  String reason() {
    return reason;
  }

  boolean standAside() {
    if (active && clock.nanoTime() - nextLookNanos >= 0 && looking.compareAndSet(false, true)) {
      try {
        look();
      } catch (RuntimeException | LinkageError e) {
        end(e.toString());
      } finally {
        looking.set(false);
      }
    }
    return standAside;
  }

  /** The calling thread begins a merge, or to help with one. */
  void mergeBegins() {
    attempt(reads::mergeBegins);
  }

  /** What the calling thread began last has ended. */
  void mergeEnds() {
    attempt(reads::mergeEnds);
  }

  private void look() {
    long nowNanos = clock.nanoTime();
    if (nowNanos - nextLookNanos < 0) {
      return; // another thread has just looked
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

  private void attempt(Runnable news) {
    if (active) {
      try {
        news.run();
      } catch (RuntimeException | LinkageError e) {
        end(e.toString());
      }
    }
  }

  private DiskPressure open(Procfs procfs, long nowNanos) {
    try {
      DiskPressure opened = new DiskPressure(procfs, nowNanos);
      if (!opened.isKnown()) {
        end("/proc/pressure/io cannot be read");
      } else if (procfs.selfIo().flatMap(ReaderWatch::readBytes).isEmpty()) {
        end("/proc/self/io cannot be read");
      } else if (!tellsThreads(procfs)) {
        end("/proc/self/task/*/io cannot be read");
      }
      return opened;
    } catch (RuntimeException | LinkageError e) {
      end(e.toString());
      return null;
    }
  }

  private static boolean tellsThreads(Procfs procfs) {
    OptionalLong number = procfs.threadNumber();
    return number.isPresent()
        && procfs.threadIo(number.getAsLong()).flatMap(ReaderWatch::readBytes).isPresent();
  }

  private static Optional<Long> readBytes(IoCounters counters) {
    return counters.readBytes().stream().boxed().findFirst();
  }

  private void end(String why) {
    boolean first = false;
    synchronized (this) {
      if (active) {
        reason = why;
        active = false;
        first = true;
      }
    }
    standAside = false;
    if (first) {
      log(why);
    }
    try {
      reads.forget();
    } catch (RuntimeException | LinkageError e) {
      // The files stay open until the collector finds them.
    }
  }

  private static void log(String why) {
    try {
      Logger logger = System.getLogger(ReaderWatch.class.getPackageName());
      logger.log(Level.INFO, "merges do not stand aside for readers: " + why);
    } catch (RuntimeException | LinkageError unheard) {
      // A log that fails may not fail a merge.
    }
  }
}
