package io.weir.history;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
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
          "stress",
          List.of(
              "arms[*].reopen.during.p99Millis",
              "arms[*].search.during.latency.p99Millis",
              "arms[*].merge.seconds"));

  /** Of what no pattern is known for, so many figures are shown. */
  private static final int MOST_UNKNOWN = 24;

  /** The names to show of those that a series has. */
  List<String> of(List<HistoryEntry> runs) {
    TreeSet<String> names = new TreeSet<>();
    runs.forEach(run -> names.addAll(run.figures().keySet()));
    if (!patterns.isEmpty()) {
      return matching(names, patterns.stream());
    }
    List<String> known = matching(names, DEFAULTS.values().stream().flatMap(List::stream));
    return known.isEmpty() ? names.stream().limit(MOST_UNKNOWN).toList() : known;
  }

  private static List<String> matching(TreeSet<String> names, Stream<String> patterns) {
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
