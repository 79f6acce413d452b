package io.weir.why;

import io.weir.nrt.ReopenCause;
import io.weir.nrt.SlowReopen;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What was seen of one application, wherever it came from. What was not seen is absent, never 0.
 *
 * @param facts the values of facts, in the order in which they are shown
 * @param stacks of refreshes, largest time first
 * @param series what was seen over time
 * @param about what was looked at, by name, such as the version of Java
 * @param unseen what could not be seen, in sentences
 * @param cost what the look has cost, in sentences
 */
public record Observation(
    Map<Fact, Double> facts,
    List<SlowReopen.Stack> stacks,
    Series series,
    Map<String, String> about,
    List<String> unseen,
    List<String> cost) {

  /**
   * Values at moments; NaN is a gap. All lists are as long as the first.
   *
   * @param seconds of the moments, from the beginning
   * @param refresh the share of the time before the moment in which a refresh ran, in percent
   * @param merges running
   * @param diskMegabytes what the disk read and wrote in a second
   * @param dirtyMegabytes dirty pages
   * @param pressure the share of the time in which some thread stalled on a disk, in percent
   */
  public record Series(
      List<Double> seconds,
      List<Double> refresh,
      List<Double> merges,
      List<Double> diskMegabytes,
      List<Double> dirtyMegabytes,
      List<Double> pressure) {

    static final Series EMPTY =
        new Series(List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** How a sentence of {@link #unseen} begins that says why the look ended early. */
  static final String ENDING = "The end of the time: ";

  /**
   * Causes that a busy disk makes long: those of files; deletes, whose terms are read from disk;
   * and unmapping, which waits for threads in page faults.
   */
  private static final List<ReopenCause> OF_THE_DISK =
      List.of(
          ReopenCause.UNMAP,
          ReopenCause.FILE_MAP,
          ReopenCause.FILE_WRITE,
          ReopenCause.FILE_SYNC,
          ReopenCause.FILE_DELETE,
          ReopenCause.FILE_OPEN,
          ReopenCause.FILE_READ,
          ReopenCause.SEGMENT_OPEN,
          ReopenCause.DELETES_TERMS);

  /** Keeps copies, and adds up the causes of the disk. */
  public Observation {
    facts = new LinkedHashMap<>(facts);
    if (List.of(ReopenCause.values()).stream().map(Fact::of).anyMatch(facts::containsKey)) {
      facts.put(
          Fact.REFRESH_DISK,
          OF_THE_DISK.stream()
              .map(Fact::of)
              .map(facts::get)
              .filter(Objects::nonNull)
              .mapToDouble(Double::doubleValue)
              .sum());
    }
    stacks = List.copyOf(stacks);
    about = new LinkedHashMap<>(about);
    unseen = List.copyOf(unseen);
    cost = List.copyOf(cost);
  }

  /** One of facts alone. */
  static Observation of(Map<Fact, Double> facts) {
    return new Observation(facts, List.of(), Series.EMPTY, Map.of(), List.of(), List.of());
  }

  /** With what was seen in the same time of a part of it, more closely: that goes before this. */
  Observation with(Observation closer) {
    Map<Fact, Double> both = new LinkedHashMap<>(facts);
    both.putAll(closer.facts);
    Map<String, String> named = new LinkedHashMap<>(about);
    closer.about.forEach(named::putIfAbsent);
    return new Observation(
        both,
        closer.stacks.isEmpty() ? stacks : closer.stacks,
        closer.series.seconds().isEmpty() ? series : closer.series,
        named,
        joined(unseen, closer.unseen),
        joined(cost, closer.cost));
  }

  /**
   * The same, with how long the look was.
   *
   * @param early why it ended before its time, in a sentence; empty if it did not
   */
  Observation ended(double seconds, String early) {
    Map<String, String> named = new LinkedHashMap<>(about);
    named.put("looked for", "%.1f s".formatted(seconds));
    List<String> ending = early.isEmpty() ? List.of() : List.of(early);
    return new Observation(facts, stacks, series, named, joined(ending, unseen), cost);
  }

  /** The same, which has cost more. */
  Observation withCost(List<String> more) {
    return new Observation(facts, stacks, series, about, unseen, joined(cost, more));
  }

  private static List<String> joined(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).distinct().toList();
  }

  /** Whether a busy disk makes the cause long. */
  static boolean isOfTheDisk(ReopenCause cause) {
    return OF_THE_DISK.contains(cause);
  }

  OptionalDouble value(Fact fact) {
    Double value = facts.get(fact);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The causes that have a share of the time of refreshes, largest first. */
  List<ReopenCause> causes() {
    List<ReopenCause> causes = new ArrayList<>(List.of(ReopenCause.values()));
    causes.removeIf(cause -> value(Fact.of(cause)).isEmpty());
    causes.sort((a, b) -> Double.compare(facts.get(Fact.of(b)), facts.get(Fact.of(a))));
    return causes;
  }
}
