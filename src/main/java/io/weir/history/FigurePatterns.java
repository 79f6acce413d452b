package io.weir.history;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which figures of a history are shown. In a pattern, {@code *} stands for any text.
 *
 * @param patterns of names of figures; empty for those that a command is about
 */
public record FigurePatterns(List<String> patterns) {

  /** What each command is about. */
  private static final Map<String, List<String>> DEFAULTS =
      Map.of(
          "index",
          List.of("cells[*].steady.figures.gigabytesPerHour"),
          "load",
          List.of("arms[*].saturation.kept", "arms[*].steps[*].client.latency.p99Millis"),
          "stress",
          List.of(
              "arms[*].reopen.during.p99Millis",
              "arms[*].search.during.latency.p99Millis",
              "arms[*].merge.seconds"));

  /** How many figures are shown where none is known. */
  private static final int MOST_UNKNOWN = 24;

  /**
   * The names to show of those that a series has. Without patterns, a figure that only one of
   * several runs has is left out: a search for saturation tries other loads in each run.
   */
  List<String> of(List<HistoryEntry> runs) {
    TreeMap<String, Integer> names = new TreeMap<>();
    runs.forEach(run -> run.figures().keySet().forEach(name -> names.merge(name, 1, Integer::sum)));
    if (!patterns.isEmpty()) {
      return matching(names.keySet(), patterns.stream());
    }
    if (runs.size() > 1) {
      names.values().removeIf(count -> count == 1);
    }
    List<String> known = matching(names.keySet(), DEFAULTS.values().stream().flatMap(List::stream));
    return known.isEmpty() ? names.keySet().stream().limit(MOST_UNKNOWN).toList() : known;
  }

  private static List<String> matching(Set<String> names, Stream<String> patterns) {
    Pattern any =
        Pattern.compile(
            patterns
                .map(
                    pattern ->
                        Stream.of(pattern.split("\\*", -1))
                            .map(Pattern::quote)
                            .collect(Collectors.joining(".*")))
                .collect(Collectors.joining("|")));
    return names.stream().filter(any.asMatchPredicate()).toList();
  }
}
