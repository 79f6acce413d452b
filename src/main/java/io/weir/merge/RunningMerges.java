package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.time.NanoClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler.MergeSource;

/** The merges that run, and the sums of all that ever did. <b>Threads:</b> any; nothing blocks. */
final class RunningMerges {

  private final NanoClock clock;
  private final Supplier<MergeYield> yields;
  private final Map<OneMerge, RunningMerge> running = new ConcurrentHashMap<>();
  private final Map<MergeKind, KindCounters> counters = new EnumMap<>(MergeKind.class);
  private final AtomicLong lastNumber = new AtomicLong();
  private volatile boolean crowded;

  RunningMerges(NanoClock clock, MergeListeners listeners, Supplier<MergeYield> yields) {
    this.clock = clock;
    this.yields = yields;
    for (MergeKind kind : MergeKind.values()) {
      counters.put(kind, new KindCounters(kind, listeners));
    }
  }

  /** Whether indexing is about to stand still behind these merges: then they stand aside never. */
  void setCrowded(boolean nowCrowded) {
    crowded = nowCrowded;
  }

  /** The merge's account, made when it is first asked for. */
  RunningMerge open(OneMerge merge, MergeSource source) {
    return running.computeIfAbsent(
        merge,
        m -> {
          MergeKind kind = MergeKind.of(m); // once: a natural one may turn forced any moment
          KindCounters ofKind = counters.get(kind);
          ofKind.started.increment();
          return new RunningMerge(
              lastNumber.incrementAndGet(),
              m,
              source,
              kind,
              ofKind,
              yields.get(),
              () -> crowded,
              clock);
        });
  }

  /** That of a merge that runs. */
  Optional<RunningMerge> find(OneMerge merge) {
    return Optional.ofNullable(running.get(merge));
  }

  /** The merge has ended; false if that was known. */
  boolean close(RunningMerge account, MergeTotals.Outcome outcome) {
    boolean first = running.remove(account.merge, account);
    if (first) {
      account.unbind();
      counters.get(account.kind).ended(outcome);
    }
    return first;
  }

  Collection<RunningMerge> running() {
    return running.values();
  }

  /** Those that count as backlog: not critical, not called off. */
  List<RunningMerge> backlog() {
    List<RunningMerge> backlog = new ArrayList<>();
    for (RunningMerge account : running.values()) {
      if (account.kind != MergeKind.CRITICAL && !account.merge.isAborted()) {
        backlog.add(account);
      }
    }
    return backlog;
  }

  /** How many of these threads, but for {@code current}, run a critical merge. */
  int criticalBeside(Thread current, Collection<? extends Thread> mergeThreads) {
    int critical = 0;
    for (RunningMerge account : running.values()) {
      Thread thread = account.thread;
      if (account.kind == MergeKind.CRITICAL
          && thread != current
          && mergeThreads.contains(thread)
          && thread.isAlive()
          && !account.merge.isAborted()) {
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
            .filter(account -> Merges.isForced(account.merge))
            .map(
                account ->
                    new ForcedMergeProgress.Part(
                        account.lastingBytes(),
                        account.estimatedBytes(),
                        account.elapsedNanos(),
                        account.speed.bytesPerSecond(nowNanos)))
            .toList());
  }
}
