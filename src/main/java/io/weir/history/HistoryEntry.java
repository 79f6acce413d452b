package io.weir.history;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a history keeps of one run.
 *
 * @param series which runs it belongs to: those with the same work on the same machine
 * @param at when it started, or the moment that the user gave
 * @param versions of what was measured, each by its name
 * @param machine what must be the same in all runs of a series, each by its name
 * @param workload likewise
 * @param figures every number of the run, by its place in {@code run.json}; the median where rounds
 *     have one each
 */
public record HistoryEntry(
    String series,
    Instant at,
    Map<String, String> versions,
    Map<String, String> machine,
    Map<String, String> workload,
    Map<String, Double> figures) {

  /** What differs between the machine and the work of two entries, each in a line. */
  List<String> differences(HistoryEntry other) {
    Map<String, String> mine = new TreeMap<>(machine);
    mine.putAll(workload);
    Map<String, String> others = new TreeMap<>(other.machine);
    others.putAll(other.workload);
    TreeMap<String, String> all = new TreeMap<>(mine);
    all.putAll(others);
    return all.keySet().stream()
        .filter(name -> !mine.getOrDefault(name, "-").equals(others.getOrDefault(name, "-")))
        .map(
            name ->
                "%s: %s, not %s"
                    .formatted(name, mine.getOrDefault(name, "-"), others.getOrDefault(name, "-")))
        .toList();
  }
}
