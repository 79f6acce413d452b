package io.weir.control;

import io.weir.control.ThreadReadMeter.ReadCounter;
import io.weir.merge.MergeYield;
import io.weir.procfs.CgroupStat;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes merges yield to readers on a busy disk. A disk gets busy when tasks wait for it a tenth of
 * the time or more, and stays so until they wait for less than a twentieth. Then each read by a
 * search, a reopen or other work of this process pauses merges: for twice the time that nine of ten
 * such reads follow each other within, but at least 6 ms and at most 20. So a search that needs
 * several reads has the disk to itself from its second read on, and merges have it soon after its
 * last.
 *
 * <p>Pass it to {@link io.weir.merge.RateLimitedMergeScheduler#setYield} or {@link
 * io.weir.merge.MergeTracker#setYield}. Each of them may have its own; all of a process share one
 * decision. On a disk that keeps up it does nothing. It needs {@code /proc/self/io}, the same file
 * of each thread, and the kernel's I/O pressure: that of this process's control group (version 2)
 * if the kernel has one, otherwise the machine's, {@code /proc/pressure/io}. If one of them is
 * missing or denied it does nothing, and {@link #reason} says why; it tries again once a minute.
 *
 * <p>A merge asks when it writes. It also asks when it reads its input in order, if its reads pass
 * a {@link io.weir.store.MergeReadsDirectory}. A merge that reads from the disk does one of these
 * most of the time.
 *
 * <p><b>Threads:</b> any. While the disk keeps up, one thread reads the pressure twice a second.
 * Under pressure, one thread reads the counters of all merging threads every 2 ms, or less often if
 * that takes more than 0.1 ms. Calls in between return the last result, without a lock.
 * <b>Ownership:</b> keeps kernel files open while merges run under pressure. <b>Failure:</b> no
 * method throws; the first failure is logged.
 */
public final class ReadersFirst implements MergeYield {

  private final ReaderWatch watch;

  /** For the merges of this process. */
  public ReadersFirst() {
    this(ReaderWatch.OF_THIS_PROCESS);
  }

  ReadersFirst(ReaderWatch watch) {
    this.watch = watch;
  }

  /** Whether all the figures that it needs can be read. */
  public boolean isActive() {
    return watch.isActive();
  }

  /** Why it is active or inactive. */
  public String reason() {
    return watch.reason();
  }

  @Override
  public boolean standAside() {
    return watch.standAside();
  }

  @Override
  public void mergeBegins() {
    watch.mergeBegins();
  }

  @Override
  public void mergeEnds(Thread thread) {
    watch.mergeEnds(Objects.requireNonNull(thread, "thread"));
  }

  /**
   * Decides for all merges of this process whether they should leave the disk to readers now.
   *
   * <p>The pressure is read first, once per window. Only while it is high are the reads counted:
   * one of the merging threads reads the counters of all of them, and the others use its result.
   * After a slow look the next one comes later, so that looking takes at most a twentieth of one
   * thread.
   *
   * <p><b>Threads:</b> any; no thread waits for another one's look. <b>Failure:</b> no method
   * throws. If a counter is missing or denied, merges do not yield; the reason is kept, and the
   * first one is logged at INFO. The watch tries again every {@link #RETRY_NANOS}, because the
   * cause may be temporary: a process without free file descriptors, a policy that depends on the
   * caller.
   */
  static final class ReaderWatch {

    /** More than a merge causes on a disk that keeps up, and less than on a cloud volume. */
    static final double BUSY_PRESSURE = 0.1;

    /** Yielding itself lowers the pressure. */
    static final double STILL_BUSY_PRESSURE = 0.05;

    static final long LONGEST_HOLD_NANOS = 20_000_000;

    /** Three looks: a read in the middle of a search is not taken for its last one. */
    static final long SHORTEST_HOLD_NANOS = 6_000_000;

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
    private final ReadGaps gaps = new ReadGaps(LONGEST_HOLD_NANOS); // of the looking thread
    private boolean busy; // of the looking thread
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
      this.readNanos = nowNanos - LONGEST_HOLD_NANOS;
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

    /** The merge or part that this thread began last has ended. */
    void mergeEnds(Thread thread) {
      attempt(() -> reads.mergeEnds(thread));
    }

    private void look() {
      long nowNanos = clock.nanoTime();
      if (nowNanos - nextLookNanos < 0) {
        return; // another thread has just looked
      }
      if (!active) {
        pressure = open(nowNanos);
        busy = false;
        nextLookNanos = nowNanos + DiskPressure.WINDOW_NANOS;
        reason = ACTIVE;
        active = true;
        return;
      }
      busy = pressure.share(nowNanos) >= (busy ? STILL_BUSY_PRESSURE : BUSY_PRESSURE);
      if (!busy) {
        standAside = false;
        reads.rest();
        nextLookNanos = nowNanos + DiskPressure.WINDOW_NANOS;
        return;
      }
      if (reads.bytesSinceLast() > 0) {
        gaps.add(nowNanos - readNanos);
        readNanos = nowNanos;
      }
      standAside = nowNanos - readNanos < holdNanos();
      nextLookNanos = nowNanos + Math.max(LOOK_NANOS, LOOK_SHARE * (clock.nanoTime() - nowNanos));
    }

    /**
     * Twice what passes between most reads of a search: more on a disk that takes longer for one.
     */
    private long holdNanos() {
      return Math.clamp(2 * gaps.nanos(), SHORTEST_HOLD_NANOS, LONGEST_HOLD_NANOS);
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

  /**
   * The time between two reads of others that nine of ten are below, as an estimate that follows
   * it. Gaps of the longest hold or more are between searches, and not counted.
   *
   * <p><b>Threads:</b> one at a time.
   */
  static final class ReadGaps {

    private static final long STEP_NANOS = 50_000;
    private static final int SHARE_BELOW = 9;

    private final long longestNanos;
    private long nanos;

    /** An estimate that begins at half the longest hold. */
    ReadGaps(long longestHoldNanos) {
      this.longestNanos = longestHoldNanos;
      this.nanos = longestHoldNanos / 2;
    }

    /** Two reads came so far apart. */
    void add(long gapNanos) {
      if (gapNanos < longestNanos) {
        nanos += gapNanos > nanos ? SHARE_BELOW * STEP_NANOS : -STEP_NANOS;
      }
    }

    long nanos() {
      return nanos;
    }
  }

  /**
   * The fraction of time in which some task stalled on a disk, over the last half second or more.
   * It comes from the kernel's pressure information, read at most once per window: that of this
   * process's own control group where the kernel keeps one (version 2), else the machine's. So
   * other containers, on disks of their own, do not count.
   *
   * <p><b>Threads:</b> one at a time. <b>Failure:</b> 0 if the kernel does not record it.
   */
  static final class DiskPressure {

    static final long WINDOW_NANOS = Duration.ofMillis(500).toNanos();

    private static final double NANOS_PER_MICRO = 1000;

    private final Procfs procfs;
    private OptionalLong stalledMicros;
    private long lookedNanos;
    private double share;

    DiskPressure(Procfs procfs, long nowNanos) {
      this.procfs = procfs;
      this.stalledMicros = look();
      this.lookedNanos = nowNanos;
    }

    /** Whether the last read found it. */
    boolean isKnown() {
      return stalledMicros.isPresent();
    }

    /** The fraction, from 0 to 1; 0 until the first window has passed. */
    double share(long nowNanos) {
      if (nowNanos - lookedNanos >= WINDOW_NANOS) {
        OptionalLong now = look();
        if (now.isPresent() && stalledMicros.isPresent()) {
          double stalledNanos = (now.getAsLong() - stalledMicros.getAsLong()) * NANOS_PER_MICRO;
          share = Math.clamp(stalledNanos / (nowNanos - lookedNanos), 0, 1);
        } else {
          share = 0;
        }
        stalledMicros = now;
        lookedNanos = nowNanos;
      }
      return share;
    }

    private OptionalLong look() {
      return procfs
          .cgroupStat()
          .flatMap(CgroupStat::ioPressure)
          .or(procfs::ioPressure)
          .map(Pressure::someTotalMicros)
          .orElse(OptionalLong.empty());
    }
  }

  /**
   * The bytes that this process reads from storage for other purposes than merges: searches,
   * reopens, page faults of mapped files. They are the kernel's count for the process minus its
   * counts for the merging threads. The kernel counts a read when it is submitted to the disk, so a
   * read that still waits is included.
   *
   * <p>A merge that begins only registers its thread's number. The counters are opened at the first
   * call of {@link #bytesSinceLast}, and closed by {@link #rest}. The reads of unregistered merges
   * count as foreground reads.
   *
   * <p><b>Threads:</b> any; one looks at a time. <b>Failure:</b> {@link UncheckedIOException} if a
   * counter cannot be read; call {@link #rest} then.
   */
  static final class ForegroundReads {

    private final Procfs procfs;
    private final Map<Thread, Merge> merges = new HashMap<>(); // guarded by this
    private ReadCounter process; // guarded by this; null while the counters are closed
    private long endedBytes; // guarded by this: read by merges that have ended since the last look
    private long aheadBytes; // guarded by this: of merges, not yet counted for the process

    /** A merging thread, with the number of its nested merges. */
    private static final class Merge {
      final OptionalLong threadNumber;
      int depth = 1;
      ReadCounter counter; // null while the counters are closed

      Merge(OptionalLong threadNumber) {
        this.threadNumber = threadNumber;
      }
    }

    ForegroundReads(Procfs procfs) {
      this.procfs = procfs;
    }

    /** The calling thread begins a merge. */
    synchronized void mergeBegins() {
      Merge running = merges.get(Thread.currentThread());
      if (running != null) {
        running.depth++;
        return;
      }
      Merge merge = new Merge(procfs.threadNumber());
      merges.put(Thread.currentThread(), merge);
      if (process != null) {
        open(merge);
      }
    }

    /** The last merge that this thread began has ended. */
    synchronized void mergeEnds(Thread thread) {
      Merge running = merges.get(thread);
      if (running == null || --running.depth > 0) {
        return;
      }
      merges.remove(thread);
      if (running.counter != null && !thread.isAlive()) {
        running.counter.close(); // the kernel has forgotten what it read last
      } else if (running.counter != null) {
        try (ReadCounter counter = running.counter) {
          endedBytes += counter.bytesSinceLast();
        }
      }
      if (merges.isEmpty()) {
        rest();
      }
    }

    /** The foreground bytes since the last call; 0 at the first call. */
    synchronized long bytesSinceLast() {
      if (merges.isEmpty()) {
        return 0;
      }
      if (process == null) {
        process =
            ReadCounter.of(procfs.selfIoFile().orElseThrow(() -> unreadable("/proc/self/io")));
        merges.values().forEach(this::open);
        return 0;
      }
      // The process first: bytes that a merge reads in between are subtracted at the next call.
      long others = process.bytesSinceLast() - endedBytes - aheadBytes;
      for (Merge merge : merges.values()) {
        others -= merge.counter.bytesSinceLast();
      }
      endedBytes = 0;
      aheadBytes = Math.max(0, -others);
      return Math.max(0, others);
    }

    /** Closes the counters until the next call of {@link #bytesSinceLast}. */
    synchronized void rest() {
      for (Merge merge : merges.values()) {
        if (merge.counter != null) {
          merge.counter.close();
          merge.counter = null;
        }
      }
      if (process != null) {
        process.close();
        process = null;
      }
      endedBytes = 0;
      aheadBytes = 0;
    }

    private void open(Merge merge) {
      long number =
          merge.threadNumber.orElseThrow(() -> unreadable("the number of a merge thread"));
      merge.counter =
          ReadCounter.of(
              procfs
                  .threadIoFile(number)
                  .orElseThrow(() -> unreadable("/proc/self/task/" + number + "/io")));
    }

    private static UncheckedIOException unreadable(String what) {
      return new UncheckedIOException(new IOException(what + " cannot be read"));
    }
  }
}
