package io.weir.why;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One node of a cluster: its stacks, and the differences of its counters.
 *
 * <p><b>Units:</b> nanoseconds of the caller's clock. <b>Threads:</b> one. <b>Memory:</b> bounded.
 */
final class NodeWatch {

  private static final int MOST_SAMPLES = 3700;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MILLIS_PER_SECOND = 1e3;
  private static final double KILOBYTES_PER_MEGABYTE = 1e6 / 1024;

  /** What a node says of itself: sums since it began, and values of a moment. */
  enum Counter {
    REFRESHES,
    REFRESH_MILLIS,
    MERGES_RUNNING,
    MERGE_MILLIS,
    MERGE_THROTTLED_MILLIS,
    FORCED_MERGES_RUNNING,
    INDEXING_THROTTLED_MILLIS,
    SEGMENTS,
    DOCUMENTS,
    DELETED_DOCUMENTS,
    COLLECTION_MILLIS,
    CPU_PERCENT,
    DISK_OPERATIONS,
    DISK_KILOBYTES
  }

  private record Sample(long atNanos, Map<Counter, Double> values) {

    double seconds(Sample later) {
      return (later.atNanos - atNanos) / NANOS_PER_SECOND;
    }

    /** What was counted until a later sample; empty if either does not say, or it began anew. */
    OptionalDouble until(Sample later, Counter counter) {
      Double from = values.get(counter);
      Double to = later.values.get(counter);
      return from == null || to == null || to < from
          ? OptionalDouble.empty()
          : OptionalDouble.of(to - from);
    }
  }

  private final StackWatch stacks;
  private final List<Sample> samples = new ArrayList<>();

  NodeWatch(long startNanos) {
    this.stacks = new StackWatch(startNanos);
  }

  void addCounters(long nowNanos, Map<Counter, Double> values) {
    if (samples.size() < MOST_SAMPLES) {
      samples.add(new Sample(nowNanos, new EnumMap<>(values)));
    }
  }

  void addStacks(long fromNanos, long toNanos, List<ThreadDump.Thread> threads) {
    stacks.add(fromNanos, toNanos, threads);
  }

  /** Ends refreshes that run; no look may come after it. */
  StackWatch end() {
    stacks.end();
    return stacks;
  }

  /** The time of refreshes, of all shards together; 0 if the node does not say. */
  double refreshMillis() {
    return counted(Counter.REFRESH_MILLIS).orElse(0);
  }

  private OptionalDouble counted(Counter counter) {
    return samples.isEmpty()
        ? OptionalDouble.empty()
        : samples.getFirst().until(samples.getLast(), counter);
  }

  /** What was seen. */
  Map<Fact, Double> facts() {
    Map<Fact, Double> facts = new LinkedHashMap<>();
    if (stacks.looks() > 0) {
      facts.putAll(stacks.facts());
      facts.remove(Fact.REFRESH_LONGEST); // looks are too far apart to follow one
    }
    if (samples.size() < 2) {
      return facts;
    }
    double seconds = samples.getFirst().seconds(samples.getLast());
    double millis = seconds * MILLIS_PER_SECOND;
    put(facts, Fact.REFRESH_RATE, Counter.REFRESHES, 1 / seconds);
    put(facts, Fact.REFRESH_RUNNING, Counter.REFRESH_MILLIS, 1 / millis);
    putRatio(facts, Fact.REFRESH_MEAN, Counter.REFRESH_MILLIS, Counter.REFRESHES, 1);
    putMean(facts, Fact.MERGES, Counter.MERGES_RUNNING);
    putRatio(
        facts, Fact.MERGE_THROTTLED, Counter.MERGE_THROTTLED_MILLIS, Counter.MERGE_MILLIS, 100);
    putMean(facts, Fact.FORCED_MERGES, Counter.FORCED_MERGES_RUNNING);
    put(facts, Fact.INDEXING_THROTTLED, Counter.INDEXING_THROTTLED_MILLIS, 100 / millis);
    put(facts, Fact.GC_SHARE, Counter.COLLECTION_MILLIS, 100 / millis); // one processor at least
    putMean(facts, Fact.CPU_BUSY, Counter.CPU_PERCENT);
    put(facts, Fact.DISK_OPERATIONS, Counter.DISK_OPERATIONS, 1 / seconds);
    put(facts, Fact.DISK_RATE, Counter.DISK_KILOBYTES, 1 / KILOBYTES_PER_MEGABYTE / seconds);
    Map<Counter, Double> last = samples.getLast().values();
    if (last.containsKey(Counter.SEGMENTS)) {
      facts.put(Fact.NODE_SEGMENTS, last.get(Counter.SEGMENTS));
    }
    double documents = last.getOrDefault(Counter.DOCUMENTS, 0.0);
    double deleted = last.getOrDefault(Counter.DELETED_DOCUMENTS, 0.0);
    if (documents + deleted > 0) {
      facts.put(Fact.DELETED, 100 * deleted / (documents + deleted));
    }
    return facts;
  }

  private void put(Map<Fact, Double> facts, Fact fact, Counter counter, double factor) {
    counted(counter).ifPresent(count -> facts.put(fact, count * factor));
  }

  private void putRatio(
      Map<Fact, Double> facts, Fact fact, Counter part, Counter whole, double factor) {
    OptionalDouble count = counted(part);
    OptionalDouble of = counted(whole);
    if (count.isPresent() && of.orElse(0) > 0) {
      facts.put(fact, factor * count.getAsDouble() / of.getAsDouble());
    }
  }

  private void putMean(Map<Fact, Double> facts, Fact fact, Counter counter) {
    samples.stream()
        .filter(sample -> sample.values().containsKey(counter))
        .mapToDouble(sample -> sample.values().get(counter))
        .average()
        .ifPresent(mean -> facts.put(fact, mean));
  }

  /** The samples as they came. Of refreshes of several shards at once it says 100 %. */
  Observation.Series series() {
    List<Double> seconds = new ArrayList<>();
    List<Double> refresh = new ArrayList<>();
    List<Double> merges = new ArrayList<>();
    List<Double> disk = new ArrayList<>();
    List<Double> none = new ArrayList<>();
    for (int i = 1; i < samples.size(); i++) {
      Sample before = samples.get(i - 1);
      Sample now = samples.get(i);
      double length = before.seconds(now);
      seconds.add(samples.getFirst().seconds(now));
      refresh.add(
          Math.min(
              100,
              before.until(now, Counter.REFRESH_MILLIS).orElse(Double.NaN)
                  / length
                  / MILLIS_PER_SECOND
                  * 100));
      merges.add(now.values().getOrDefault(Counter.MERGES_RUNNING, Double.NaN));
      disk.add(
          before.until(now, Counter.DISK_KILOBYTES).orElse(Double.NaN)
              / KILOBYTES_PER_MEGABYTE
              / length);
      none.add(Double.NaN);
    }
    return new Observation.Series(seconds, refresh, merges, disk, none, none);
  }
}
