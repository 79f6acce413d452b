package io.weir.why;

import io.weir.procfs.Procfs;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks for which the JVM could not stop its threads at once, since some were in page faults. The
 * JVM waits for such a thread until its page is read: for a look, for a collection, and for each
 * unmapping. The kernel says which these threads are, the stacks that come then what they do.
 *
 * <p><b>Units:</b> nanoseconds of the caller's clock. <b>Threads:</b> one.
 */
final class LateLooks {

  /** So many are asked about every 20 ms, those first that were not in a native method. */
  private static final int MOST_THREADS = 64;

  private static final double NANOS_PER_MILLI = 1e6;

  private final Procfs process;
  private final Map<Activity, Double> heldNanos = new EnumMap<>(Activity.class);
  private List<Long> candidates = List.of();
  private Set<Long> late = Set.of();
  private long lateAtNanos;
  private int looks;
  private long longestNanos;

  LateLooks(Procfs process) {
    this.process = process;
  }

  /** Asks the kernel, while the JVM does not answer. */
  void await(long nowNanos) {
    Set<Long> faulting =
        candidates.stream()
            .filter(thread -> process.waitOf(thread).isForPage())
            .collect(Collectors.toSet());
    if (!faulting.isEmpty()) {
      late = faulting;
      lateAtNanos = nowNanos;
    }
  }

  /** Takes the stacks that came. A thread that was in a page fault has hardly moved since. */
  void add(long fromNanos, List<ThreadDump.Thread> threads) {
    if (!late.isEmpty()) {
      long waited = lateAtNanos - fromNanos;
      looks++;
      longestNanos = Math.max(longestNanos, waited);
      threads.stream()
          .filter(thread -> thread.kernelNumber().stream().anyMatch(late::contains))
          .forEach(
              thread ->
                  heldNanos.merge(
                      Activity.of(thread.frames()), (double) waited / late.size(), Double::sum));
    }
    late = Set.of();
    candidates =
        threads.stream()
            .filter(thread -> !thread.frames().isEmpty())
            .sorted(Comparator.comparing(thread -> thread.frames().getFirst().isNativeMethod()))
            .flatMapToLong(thread -> thread.kernelNumber().stream())
            .limit(MOST_THREADS)
            .boxed()
            .toList();
  }

  /** What was seen; nothing if no look was late. */
  Map<Fact, Double> facts() {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    if (looks > 0) {
      facts.put(Fact.LOOKS_LATE, (double) looks);
      facts.put(Fact.LOOKS_LATEST, longestNanos / NANOS_PER_MILLI);
      double all = heldNanos.values().stream().mapToDouble(Double::doubleValue).sum();
      heldNanos.forEach((work, nanos) -> facts.put(Fact.heldBy(work), 100 * nanos / all));
    }
    return facts;
  }
}
