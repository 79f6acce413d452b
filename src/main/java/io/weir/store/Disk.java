package io.weir.store;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.DiskOfPath;
import io.weir.procfs.Procfs;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.WeakHashMap;
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
 * of an engine also judges the engine's code and Lucene's, and denies it. <b>Memory:</b> one for
 * each disk of the process; those of directories without a disk go with them. <b>Failure:</b> no
 * method throws.
 */
public final class Disk {

  /** Requests at the disk at a time, on average. */
  static final double LEAST_REQUESTS = 0.5;

  static final long WINDOW_NANOS = 500_000_000;

  private static final long STALE_NANOS = 10 * WINDOW_NANOS;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final FinishingCommits commits;
  private final UnstartedFiles unstarted = new UnstartedFiles();
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
}
