package io.weir.control;

import io.weir.procfs.IoCounters;
import io.weir.procfs.IoFile;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this process fetches from storage for everything but merges: searches, reopens, page faults
 * of mapped files. It is what the kernel counts for the process, less what it counts for the
 * threads that merge. It counts a read when the disk is asked for it, so one that still waits is
 * seen.
 *
 * <p>Merges that do not tell are taken for others.
 *
 * <p><b>Threads:</b> any; one looks at a time.
 *
 * <p><b>Failure:</b> where the kernel tells nothing, nothing is ever seen.
 */
final class ForegroundReads {

  /** Of the one process there is; all that merge tell it, so that none sees another as a reader. */
  static final ForegroundReads OF_THIS_PROCESS = new ForegroundReads(Procfs.SYSTEM);

  private final Procfs procfs;
  private final List<Merge> merges = new ArrayList<>(); // guarded by this
  private IoFile process; // guarded by this; null while no merge runs, and where there is none
  private long endedBytes; // guarded by this: of merges that have ended
  private long mostBytes; // guarded by this: of others, as far as it was seen

  /** A thread that merges, and what it had read before; so often as it began and did not end. */
  private record Merge(Thread thread, IoFile file, long bytesBefore, int depth) {

    Merge withDepth(int newDepth) {
      return new Merge(thread, file, bytesBefore, newDepth);
    }
  }

  ForegroundReads(Procfs procfs) {
    this.procfs = procfs;
  }

  /** The calling thread begins a merge. */
  synchronized void mergeBegins() {
    int running = indexOfCaller();
    if (running >= 0) {
      merges.set(running, merges.get(running).withDepth(merges.get(running).depth() + 1));
      return;
    }
    if (process == null) {
      process = procfs.selfIoFile().orElse(null);
    }
    Optional<IoFile> file = procfs.threadIoFile();
    OptionalLong before = file.isPresent() ? readBytes(file.get()) : OptionalLong.empty();
    if (before.isPresent()) {
      merges.add(new Merge(Thread.currentThread(), file.get(), before.getAsLong(), 1));
    } else {
      file.ifPresent(ForegroundReads::close);
    }
  }

  /** The calling thread's last merge has ended. */
  synchronized void mergeEnds() {
    int running = indexOfCaller();
    if (running >= 0) {
      Merge merge = merges.get(running);
      if (merge.depth() > 1) {
        merges.set(running, merge.withDepth(merge.depth() - 1));
      } else {
        endedBytes += readBytes(merge);
        merges.remove(running);
        close(merge.file());
      }
    }
    if (merges.isEmpty() && process != null) {
      close(process);
      process = null;
    }
  }

  /** How many bytes others have begun to read; only grows, and means nothing by itself. */
  synchronized long bytes() {
    // The process first: a merge that reads meanwhile makes the others' share too small, which the
    // next look mends, and never too large.
    OptionalLong all = process == null ? OptionalLong.empty() : readBytes(process);
    if (all.isEmpty()) {
      return mostBytes;
    }
    long others = all.getAsLong() - endedBytes;
    for (Merge merge : merges) {
      others -= readBytes(merge);
    }
    mostBytes = Math.max(mostBytes, others);
    return mostBytes;
  }

  private int indexOfCaller() {
    for (int i = 0; i < merges.size(); i++) {
      if (merges.get(i).thread() == Thread.currentThread()) {
        return i;
      }
    }
    return -1;
  }

  private static long readBytes(Merge merge) {
    return Math.max(0, readBytes(merge.file()).orElse(merge.bytesBefore()) - merge.bytesBefore());
  }

  private static OptionalLong readBytes(IoFile file) {
    try {
      IoCounters counters = file.read();
      return counters.readBytes();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static void close(IoFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
