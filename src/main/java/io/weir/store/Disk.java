package io.weir.store;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.DiskOfPath;
import io.weir.procfs.Procfs;
import io.weir.store.pages.LateLooks;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * A disk as its indexes share it: the owner of all state of a disk in this process. All directories
 * on one block device, or on one file system that has none, have the same one. A directory without
 * a path, and one whose disk the kernel does not name, has one of its own. So has a directory that
 * is not Weir's below Weir's layers, because it may read from anywhere.
 *
 * <p>While a commit finishes on a disk that is under pressure, merges leave that disk to it. It is
 * under pressure while requests are there for half of the time or more, on average over half a
 * second. Where that is not known, it counts as being so: its commits are few, and a pause is
 * short.
 *
 * <p><b>Threads:</b> any; none waits for another. A daemon thread reads a figure of the kernel, at
 * most twice a second for each disk while merges ask: on a merge's own thread the security policy
 * of an engine also judges the engine's code and Lucene's, and denies it. So another one looks at
 * what searches use of a merged segment, while that is awaited after a large merge. <b>Memory:</b>
 * one for each disk of the process; those of directories without a disk go with them.
 * <b>Failure:</b> no method throws.
 */
public final class Disk {

  /** Requests at the disk at a time, on average. */
  static final double LEAST_REQUESTS = 0.5;

  static final long WINDOW_NANOS = 500_000_000;

  private static final long STALE_NANOS = 10 * WINDOW_NANOS;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final FinishingCommits commits;
  private final UnstartedFiles unstarted = new UnstartedFiles();
  private final LateLooks lateLooks;
  private final Optional<BlockDevice> device;
  private final Procfs procfs;
  private final NanoClock clock;
  private final Executor looks;
  private final AtomicBoolean looking = new AtomicBoolean();
  private OptionalLong queueMillis = OptionalLong.empty(); // of the look's thread
  private long lookedNanos; // of the look's thread
  private volatile long nextLookNanos;
  private volatile boolean busy = true; // until it is known

  /** One that no directory is on yet. */
  Disk(Optional<BlockDevice> device, Procfs procfs, NanoClock clock, Executor looks) {
    this.looks = looks;
    this.lateLooks = new LateLooks(clock, looks);
    this.commits = new FinishingCommits(clock);
    this.device = device;
    this.procfs = procfs;
    this.clock = clock;
    this.lookedNanos = clock.nanoTime();
    this.nextLookNanos = lookedNanos;
  }

  /** The disk that holds the directory below all layers of Weir in {@code in}. */
  public static Disk of(Directory in) {
    Objects.requireNonNull(in, "in");
    return All.OF_THIS_PROCESS.of(in);
  }

  /**
   * Whether merges should leave the disk to a commit now. Merges ask thousands of times a second.
   */
  public boolean isNeededByCommits() {
    if (device.isPresent()
        && clock.nanoTime() - nextLookNanos >= 0
        && looking.compareAndSet(false, true)) {
      nextLookNanos = clock.nanoTime() + WINDOW_NANOS; // also if it fails
      try {
        looks.execute(() -> look(device.get()));
      } catch (RuntimeException | VirtualMachineError e) {
        looking.set(false); // no thread can be started now
      }
    }
    return commits.any() && busy;
  }

  /** The commits that are about to finish on it. */
  FinishingCommits commits() {
    return commits;
  }

  /** The short files of merges on it that the kernel still has in memory. */
  UnstartedFiles unstarted() {
    return unstarted;
  }

  /** What is looked at after merges on it. */
  LateLooks lateLooks() {
    return lateLooks;
  }

  private void look(BlockDevice disk) {
    try {
      compare(procfs.queueMillis(disk));
    } finally {
      looking.set(false);
    }
  }

  private void compare(OptionalLong now) {
    long nowNanos = clock.nanoTime();
    long elapsedNanos = nowNanos - lookedNanos;
    OptionalLong before = queueMillis;
    boolean known = before.isPresent() && now.isPresent() && elapsedNanos < STALE_NANOS;
    busy =
        !known
            || (now.getAsLong() - before.getAsLong()) * NANOS_PER_MILLI
                >= LEAST_REQUESTS * elapsedNanos;
    queueMillis = now;
    lookedNanos = nowNanos;
    nextLookNanos = nowNanos + WINDOW_NANOS;
  }

  /** The disks of a machine. */
  static final class All {

    static final All OF_THIS_PROCESS =
        new All(
            Procfs.SYSTEM,
            NanoClock.SYSTEM,
            look -> DaemonThreads.unstarted("weir-disk", look).start());

    private final Procfs procfs;
    private final NanoClock clock;
    private final Executor looks;
    private final Map<String, Disk> byName = new HashMap<>(); // guarded by this

    /** A disk does not refer to its directories. */
    private final Map<Directory, Disk> byDirectory = new WeakHashMap<>(); // guarded by this

    All(Procfs procfs, NanoClock clock, Executor looks) {
      this.procfs = procfs;
      this.clock = clock;
      this.looks = looks;
    }

    Disk of(Directory in) {
      Directory bottom = below(in);
      synchronized (this) {
        Disk known = byDirectory.get(bottom);
        if (known != null) {
          return known;
        }
      }
      Optional<DiskOfPath> found = find(bottom); // reads files: not under the lock
      Optional<String> name = found.flatMap(DiskOfPath::disk);
      Optional<BlockDevice> device = found.flatMap(DiskOfPath::device);
      synchronized (this) {
        Disk disk =
            name.map(
                    n ->
                        byName.computeIfAbsent(n, unused -> new Disk(device, procfs, clock, looks)))
                .orElseGet(() -> new Disk(device, procfs, clock, looks));
        Disk other = byDirectory.putIfAbsent(bottom, disk);
        return other == null ? disk : other;
      }
    }

    private static Directory below(Directory in) {
      Directory below = in;
      for (Directory at = in; at instanceof FilterDirectory layer; at = layer.getDelegate()) {
        below = layer instanceof ForwardingDirectory ? layer.getDelegate() : below;
      }
      return below;
    }

    private Optional<DiskOfPath> find(Directory bottom) {
      if (!(bottom instanceof FSDirectory files)
          || !files.getDirectory().getFileSystem().equals(FileSystems.getDefault())) {
        return Optional.empty();
      }
      try {
        return Optional.of(DiskOfPath.find(files.getDirectory(), procfs));
      } catch (IOException | RuntimeException e) {
        return Optional.empty(); // denied, or deleted
      }
    }
  }

  /**
   * The commits that are about to finish on one {@link Disk}, under the lock of their writer. A
   * commit belongs to its directory, which alone begins and ends it.
   *
   * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry per directory, until its
   * commit has finished, or a later one begins after it no longer counts.
   */
  static final class FinishingCommits {

    /** After so long a commit no longer counts; an application may finish it when it likes. */
    static final long LONGEST_MILLIS = 250;

    private final Map<Object, Long> beganNanos = new ConcurrentHashMap<>();
    private final NanoClock clock;

    FinishingCommits(NanoClock clock) {
      this.clock = clock;
    }

    /** This commit is about to finish; its time begins anew. */
    void begins(Object commit) {
      long nowNanos = clock.nanoTime();
      beganNanos.values().removeIf(began -> !counts(began, nowNanos));
      beganNanos.put(commit, nowNanos);
    }

    /** The commit has finished or failed; no effect if there is none. */
    void ended(Object commit) {
      beganNanos.remove(commit);
    }

    /** Whether one is about to finish now. */
    boolean any() {
      if (beganNanos.isEmpty()) {
        return false; // merges ask thousands of times a second
      }
      long nowNanos = clock.nanoTime();
      return beganNanos.values().stream().anyMatch(began -> counts(began, nowNanos));
    }

    private static boolean counts(long beganNanos, long nowNanos) {
      return nowNanos - beganNanos < LONGEST_MILLIS * 1_000_000;
    }
  }

  /**
   * The finished files of merges that were too short to be smoothed, so that the kernel still has
   * all of their bytes in memory. One such file is no burden for the disk, and most are deleted
   * soon, because a compound file or a larger segment takes their place. But an engine may run
   * dozens of small merges within seconds. So when those of a {@link Disk} together exceed a limit,
   * the write of the oldest ones is started.
   *
   * <p><b>Threads:</b> any. No lock is held while a write is started. <b>Memory:</b> one entry for
   * each page of the limit, at most. <b>Failure:</b> none of its own.
   */
  static final class UnstartedFiles {

    /** Four ranges of {@link WritebackOptions#DEFAULT}. */
    private static final long MAX_BYTES = 4 << 20;

    /** What the shortest file takes in memory. */
    private static final long PAGE_BYTES = 4096;

    private record Key(Object directory, String name) {}

    private record File(long bytes, Runnable start) {}

    private final long maxBytes;

    // Guarded by this.
    private final Map<Key, File> files = new LinkedHashMap<>(); // the oldest first
    private long bytes;

    UnstartedFiles() {
      this(MAX_BYTES);
    }

    /** For files of at most so many bytes together, each in whole pages. */
    UnstartedFiles(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    /**
     * A file is finished; starts the write of the oldest ones if they are too many.
     *
     * @param start starts the write of the file, and does not throw
     */
    void add(Object directory, String name, long length, Runnable start) {
      List<Runnable> starts = new ArrayList<>();
      synchronized (this) {
        remove(directory, name);
        long pages = Math.ceilDiv(length, PAGE_BYTES) * PAGE_BYTES;
        files.put(new Key(directory, name), new File(pages, start));
        bytes += pages;
        for (Iterator<File> oldest = files.values().iterator(); bytes > maxBytes; ) {
          File file = oldest.next();
          oldest.remove();
          bytes -= file.bytes();
          starts.add(file.start());
        }
      }
      starts.forEach(Runnable::run);
    }

    /** The file was deleted, renamed or synced. */
    synchronized void remove(Object directory, String name) {
      File file = files.remove(new Key(directory, name));
      bytes -= file == null ? 0 : file.bytes();
    }

    /** The directory is closed; the kernel writes its files. */
    synchronized void removeAll(Object directory) {
      files
          .entrySet()
          .removeIf(
              entry -> {
                boolean removed = entry.getKey().directory() == directory;
                bytes -= removed ? entry.getValue().bytes() : 0;
                return removed;
              });
    }
  }
}
