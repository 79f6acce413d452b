package io.weir.why;

import io.weir.lucene.StackFrames;
import io.weir.nrt.CauseRules;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.StackTally;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * What the threads of another JVM do, from looks at all of them. Each look stops that JVM for a
 * moment; {@link #nextDueNanos} keeps that to a share of the time.
 *
 * <p><b>Pace.</b> Regular looks come at {@link #REGULAR_NANOS} or later, when the last one is at
 * most {@link #REGULAR_SHARE} of the time between them; on a machine without idle time, where a
 * look waits for a processor, at the latest {@link #SPARSE_NANOS} after the last one, if that took
 * no more than {@link #SPARSE_LOOK_NANOS}. While a refresh is seen, looks {@link #FOLLOWING_NANOS}
 * apart follow it to its end, as long as all of those together took at most {@link
 * #FOLLOWING_SHARE} of the time.
 *
 * <p><b>Weights.</b> A look stands for the time since the one before it: when it is due does not
 * depend on what it will see. A refresh that was followed has the weight of all its looks, in equal
 * parts. So a slow look, which comes more rarely, weighs more.
 *
 * <p><b>Units:</b> nanoseconds. <b>Threads:</b> one. <b>Memory:</b> bounded, see {@link
 * StackTally}.
 */
final class StackWatch {

  static final long REGULAR_NANOS = 250_000_000;
  static final double REGULAR_SHARE = 0.007;
  static final long SPARSE_NANOS = 2_000_000_000;
  static final long SPARSE_LOOK_NANOS = 100_000_000;
  static final long FOLLOWING_NANOS = 20_000_000;
  static final double FOLLOWING_SHARE = 0.003;

  /** Looks further apart than this may have seen two refreshes of a thread. */
  private static final long SAME_REFRESH_NANOS = 60_000_000;

  private static final int MAX_LOOKS_OF_A_REFRESH = 500;
  private static final int MOST_WRITERS = 64;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final List<String> COLLECTORS =
      List.of("GC Thread#", "G1 ", "ParGC Thread", "ZWorker", "Shenandoah GC", "ZDriver");

  /** With the serial collector this thread collects. */
  private static final String VM_THREAD = "VM Thread";

  /**
   * Parts of {@code class.method} where engines refresh or commit because a client asked for it:
   * OpenSearch and Elasticsearch after a write and by a call of its own, and Solr. A write may also
   * refresh because the memory for indexing is full; that has none of these.
   */
  private static final List<String> REQUESTS =
      List.of(
          "TransportWriteAction$AsyncAfterWriteAction.",
          "replication.PostWriteRefresh",
          ".action.admin.indices.refresh.",
          "UpdateProcessor.processCommit");

  private record Seen(List<StackTraceElement> frames, boolean blocked) {}

  /** A refresh that runs, of one thread. */
  private static final class Running {
    private final long firstNanos;
    private long lastNanos;
    private long weightNanos;
    private final List<Seen> looks = new ArrayList<>();

    private Running(long firstNanos) {
      this.firstNanos = firstNanos;
    }
  }

  private final long startNanos;
  private final StackTally tally = new StackTally();
  private final Map<ReopenCause, Long> causeNanos = new EnumMap<>(ReopenCause.class);
  private final Map<StackFrames.Work, Double> workNanos = new EnumMap<>(StackFrames.Work.class);
  private final Map<StackFrames.Work, Long> anyWorkNanos = new EnumMap<>(StackFrames.Work.class);
  private Map<String, Running> running = new HashMap<>();
  private List<Long> mergeThreads = List.of();
  private List<Long> refreshThreads = List.of();
  private List<Long> writers = List.of();
  private boolean writersAsked;
  private boolean writerStopped;
  private long lastEndNanos;
  private long lastCostNanos;
  private long costNanos;
  private long followingCostNanos;
  private long refreshNanos;
  private double awaitedNanos;
  private long longestNanos;
  private int looks;
  private int regularLooks;
  private int refreshStacks;
  private int refreshRuns;
  private int mergeLooks;
  private int mergeDiskLooks;
  private double commitNanos;
  private double commitSyncNanos;
  private long filesNanos;
  private long stoppedNanos;
  private long firstCollectorNanos = -1;
  private long lastCollectorNanos = -1;

  StackWatch(long startNanos) {
    this.startNanos = startNanos;
    this.lastEndNanos = startNanos;
  }

  /** When the next look is due. */
  long nextDueNanos() {
    boolean follows =
        !running.isEmpty()
            && followingCostNanos + lastCostNanos
                <= FOLLOWING_SHARE * (lastEndNanos + FOLLOWING_NANOS - startNanos);
    if (follows) {
      return lastEndNanos + FOLLOWING_NANOS;
    }
    // The first look is slow, since it touches what no other has touched before.
    long rest = looks <= 1 ? 0 : Math.round(lastCostNanos * (1 / REGULAR_SHARE - 1));
    if (lastCostNanos <= SPARSE_LOOK_NANOS) {
      rest = Math.min(rest, SPARSE_NANOS);
    }
    return lastEndNanos + Math.max(REGULAR_NANOS, rest);
  }

  /**
   * Asks the kernel about the merges that the last look saw, just before the next one.
   *
   * @param waitsForDisk whether a thread does, by its kernel number
   */
  void askAboutMerges(LongPredicate waitsForDisk) {
    for (long thread : mergeThreads) {
      mergeLooks++;
      mergeDiskLooks += waitsForDisk.test(thread) ? 1 : 0;
    }
  }

  /**
   * Asks the kernel about threads that the last look saw in a refresh, a commit, a flush, in
   * indexing or writing a file, just before the next one. Merges are not asked: that they are held
   * up is meant.
   *
   * @param waitsForDirtyPages whether it holds a thread up, by its number
   */
  void askAboutWriters(LongPredicate waitsForDirtyPages) {
    writersAsked = true;
    writerStopped = writers.stream().limit(MOST_WRITERS).anyMatch(waitsForDirtyPages::test);
  }

  /** Adds a look, from when it was asked for until it was answered. */
  void add(long fromNanos, long toNanos, List<ThreadDump.Thread> threads) {
    boolean refreshed = !running.isEmpty();
    boolean follows = fromNanos - lastEndNanos < REGULAR_NANOS / 2 && looks > 0;
    long weight = toNanos - lastEndNanos;
    lastCostNanos = toNanos - fromNanos;
    costNanos += lastCostNanos;
    followingCostNanos += follows ? lastCostNanos : 0;
    looks++;
    regularLooks += follows ? 0 : 1;
    Map<String, Running> now = new HashMap<>();
    Map<StackFrames.Work, Integer> work = new EnumMap<>(StackFrames.Work.class);
    List<Long> merges = new ArrayList<>();
    List<Long> refreshes = new ArrayList<>();
    List<Long> writing = new ArrayList<>();
    boolean waitsForFiles = false;
    int awaited = 0;
    for (ThreadDump.Thread thread : threads) {
      List<StackTraceElement> refresh = CauseRules.refresh(thread.frames());
      if (!refresh.isEmpty()) {
        refreshStacks++;
        boolean awaits = CauseRules.awaitsRefresh(refresh);
        awaited += awaits || isOfRequest(thread.frames()) ? 1 : 0;
        if (!awaits) {
          String key = thread.kernelNumber() + thread.name();
          Running before = running.remove(key);
          boolean same = before != null && fromNanos - before.lastNanos <= SAME_REFRESH_NANOS;
          if (before != null && !same) {
            end(before);
          }
          Running one = same ? before : new Running(fromNanos);
          one.lastNanos = toNanos;
          one.weightNanos += weight;
          if (one.looks.size() < MAX_LOOKS_OF_A_REFRESH) {
            one.looks.add(new Seen(refresh, thread.blocked()));
          }
          now.put(key, one);
          thread.kernelNumber().ifPresent(refreshes::add);
          waitsForFiles |= Observation.isOfTheDisk(CauseRules.of(refresh, thread.blocked()));
        }
      } else {
        Optional<StackFrames.Work> what = StackFrames.Work.of(thread.frames());
        what.ifPresent(one -> work.merge(one, 1, Integer::sum));
        if (what.equals(Optional.of(StackFrames.Work.MERGE))) {
          thread.kernelNumber().ifPresent(merges::add);
        } else if (what.isPresent() && what.get() != StackFrames.Work.SEARCH
            || CauseRules.of(thread.frames(), false) == ReopenCause.FILE_WRITE) {
          thread.kernelNumber().ifPresent(writing::add);
        }
        if (what.equals(Optional.of(StackFrames.Work.COMMIT))) {
          boolean syncs = CauseRules.of(thread.frames(), thread.blocked()) == ReopenCause.FILE_SYNC;
          commitNanos += weight;
          commitSyncNanos += syncs ? weight : 0;
          waitsForFiles |= syncs;
        }
      }
    }
    refreshRuns += !refreshed && !now.isEmpty() ? 1 : 0;
    running.values().forEach(this::end);
    running = now;
    mergeThreads = merges;
    refreshThreads = refreshes;
    writing.addAll(refreshes);
    writers = writing;
    stoppedNanos += writerStopped ? weight : 0;
    writerStopped = false;
    filesNanos += waitsForFiles ? weight : 0;
    refreshNanos += now.isEmpty() ? 0 : weight;
    awaitedNanos += (double) awaited * weight;
    work.forEach(
        (what, count) -> {
          workNanos.merge(what, (double) count * weight, Double::sum);
          anyWorkNanos.merge(what, weight, Long::sum);
        });
    collectors(threads)
        .ifPresent(
            nanos -> {
              firstCollectorNanos = firstCollectorNanos < 0 ? nanos : firstCollectorNanos;
              lastCollectorNanos = nanos;
            });
    lastEndNanos = toNanos;
  }

  /** An engine refreshes by time on other threads. */
  private static boolean isOfRequest(List<StackTraceElement> frames) {
    return frames.stream()
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .anyMatch(name -> REQUESTS.stream().anyMatch(name::contains));
  }

  private static OptionalLong collectors(List<ThreadDump.Thread> threads) {
    List<ThreadDump.Thread> known =
        threads.stream().filter(thread -> thread.processorNanos().isPresent()).toList();
    List<ThreadDump.Thread> collectors =
        known.stream()
            .filter(thread -> COLLECTORS.stream().anyMatch(thread.name()::startsWith))
            .toList();
    return (collectors.isEmpty()
            ? known.stream().filter(thread -> thread.name().equals(VM_THREAD)).toList()
            : collectors)
        .stream().mapToLong(thread -> thread.processorNanos().getAsLong()).reduce(Long::sum);
  }

  private void end(Running refresh) {
    longestNanos = Math.max(longestNanos, refresh.lastNanos - refresh.firstNanos);
    long each = refresh.weightNanos / refresh.looks.size();
    for (Seen seen : refresh.looks) {
      causeNanos.merge(tally.add(seen.frames(), seen.blocked(), each), each, Long::sum);
    }
  }

  /** Ends the refreshes that run; no look may come after it. */
  void end() {
    running.values().forEach(this::end);
    running = Map.of();
  }

  int looks() {
    return looks;
  }

  /** The time in which it had the JVM stopped, or asked it to. */
  long costNanos() {
    return costNanos;
  }

  long refreshNanos() {
    return refreshNanos;
  }

  int mergesRunning() {
    return mergeThreads.size();
  }

  /** The kernel's numbers of the threads that the last look saw in a refresh. */
  List<Long> refreshThreads() {
    return refreshThreads;
  }

  StackTally tally() {
    return tally;
  }

  /** What was seen. */
  Map<Fact, Double> facts() {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    double observed = lastEndNanos - startNanos;
    facts.put(Fact.STACKS, (double) looks);
    if (looks == 0) {
      return facts;
    }
    facts.put(Fact.REGULAR_LOOKS, (double) regularLooks);
    facts.put(Fact.REFRESH_STACKS, (double) refreshStacks);
    facts.put(Fact.REFRESH_RUNS, (double) refreshRuns);
    facts.put(Fact.REFRESH_SHARE, 100 * refreshNanos / observed);
    facts.put(Fact.REFRESH_AWAITED, awaitedNanos / observed);
    if (refreshStacks > 0) {
      facts.put(Fact.REFRESH_LONGEST, longestNanos / NANOS_PER_MILLI);
    }
    long sum = causeNanos.values().stream().mapToLong(Long::longValue).sum();
    causeNanos.forEach((cause, nanos) -> facts.put(Fact.of(cause), 100.0 * nanos / sum));
    facts.put(Fact.MERGE_SHARE, share(StackFrames.Work.MERGE, observed));
    facts.put(Fact.MERGES, mean(StackFrames.Work.MERGE, observed));
    if (mergeLooks > 0) {
      facts.put(Fact.MERGE_DISK, 100.0 * mergeDiskLooks / mergeLooks);
    }
    facts.put(Fact.COMMIT_SHARE, share(StackFrames.Work.COMMIT, observed));
    if (commitNanos > 0) {
      facts.put(Fact.COMMIT_SYNC, 100 * commitSyncNanos / commitNanos);
    }
    facts.put(Fact.FILES_WAIT, 100 * filesNanos / observed);
    if (writersAsked) {
      facts.put(Fact.DIRTY_STOPPED, 100 * stoppedNanos / observed);
    }
    facts.put(Fact.FLUSH_SHARE, share(StackFrames.Work.FLUSH, observed));
    facts.put(Fact.SEARCHES, mean(StackFrames.Work.SEARCH, observed));
    facts.put(Fact.INDEXING, mean(StackFrames.Work.INDEXING, observed));
    if (lastCollectorNanos > firstCollectorNanos) {
      facts.put(Fact.GC_SHARE, 100 * (lastCollectorNanos - firstCollectorNanos) / observed);
    }
    return facts;
  }

  private double share(StackFrames.Work work, double observed) {
    return 100 * anyWorkNanos.getOrDefault(work, 0L) / observed;
  }

  private double mean(StackFrames.Work work, double observed) {
    return workNanos.getOrDefault(work, 0.0) / observed;
  }
}
