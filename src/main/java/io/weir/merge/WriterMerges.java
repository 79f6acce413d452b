package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.time.Listeners;
import io.weir.time.NanoClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;

/**
 * The merges that run, and the counters of all merges so far. <b>Threads:</b> any; nothing blocks.
 */
final class WriterMerges {

  private final NanoClock clock;
  private final Supplier<MergeDisk> disk;
  private final Map<OneMerge, RunningMerge> byMerge = new ConcurrentHashMap<>();
  private final Map<MergeKind, KindCounters> counters = new EnumMap<>(MergeKind.class);
  private final AtomicLong lastNumber = new AtomicLong();
  private final Set<MergeKind> unyielding = ConcurrentHashMap.newKeySet();
  private volatile boolean crowded;

  WriterMerges(NanoClock clock, Listeners<MergeListener> listeners, Supplier<MergeDisk> disk) {
    this.clock = clock;
    this.disk = disk;
    for (MergeKind kind : MergeKind.values()) {
      counters.put(kind, new KindCounters(kind, listeners));
    }
  }

  /** Sets whether indexing is about to stall behind these merges: then they must not yield. */
  void setCrowded(boolean nowCrowded) {
    crowded = nowCrowded;
  }

  /** Sets whether merges of one kind may yield. */
  void setYields(MergeKind kind, boolean mayYield) {
    if (mayYield) {
      unyielding.remove(kind);
    } else {
      unyielding.add(kind);
    }
  }

  /**
   * Returns the merge, and registers it at the first call.
   *
   * @param kindNow asked once: a natural merge may become forced at any moment
   * @param source of the merge; empty if there is no scheduler of ours
   */
  RunningMerge open(OneMerge merge, Supplier<MergeKind> kindNow, Optional<MergeSource> source) {
    return byMerge.computeIfAbsent(
        merge,
        m -> {
          MergeKind kind = kindNow.get();
          KindCounters ofKind = counters.get(kind);
          ofKind.started.increment();
          return new RunningMerge(
              lastNumber.incrementAndGet(),
              m,
              kind,
              source,
              ofKind,
              disk.get(),
              () -> crowded || unyielding.contains(kind),
              clock);
        });
  }

  /** Finds a running merge. */
  Optional<RunningMerge> find(OneMerge merge) {
    return Optional.ofNullable(byMerge.get(merge));
  }

  /** Removes a merge that has ended; returns false if it was removed before. */
  boolean close(RunningMerge running, MergeTotals.Outcome outcome) {
    boolean first = byMerge.remove(running.merge, running);
    if (first) {
      running.unbind();
      counters.get(running.kind).ended(outcome);
    }
    return first;
  }

  Collection<RunningMerge> all() {
    return byMerge.values();
  }

  /** The figures of the merges that run. */
  List<MergeTotals> running() {
    return byMerge.values().stream()
        .map(running -> running.totals(MergeTotals.Outcome.RUNNING))
        .toList();
  }

  /** The merges that count as backlog: neither critical nor aborted. */
  List<RunningMerge> backlog() {
    List<RunningMerge> backlog = new ArrayList<>();
    for (RunningMerge running : byMerge.values()) {
      if (running.kind != MergeKind.CRITICAL && !running.merge.isAborted()) {
        backlog.add(running);
      }
    }
    return backlog;
  }

  /** How many of these threads, except {@code current}, run a critical merge. */
  int criticalBeside(Thread current, Collection<? extends Thread> mergeThreads) {
    int critical = 0;
    for (RunningMerge running : byMerge.values()) {
      Thread thread = running.thread;
      if (running.kind == MergeKind.CRITICAL
          && thread != current
          && mergeThreads.contains(thread)
          && thread.isAlive()
          && !running.merge.isAborted()) {
        critical++;
      }
    }
    return critical;
  }

  MergeKindTotals totals(MergeKind kind) {
    return counters.get(kind).totals();
  }

  Optional<ForcedMergeProgress> forcedMerge() {
    long nowNanos = clock.nanoTime();
    return ForcedMergeProgress.of(
        backlog().stream()
            .filter(running -> Merges.isForced(running.merge))
            .map(
                running ->
                    new ForcedMergeProgress.Part(
                        running.lastingBytes(),
                        running.estimatedBytes(),
                        running.elapsedNanos(),
                        running.speed.bytesPerSecond(nowNanos)))
            .toList());
  }
}
