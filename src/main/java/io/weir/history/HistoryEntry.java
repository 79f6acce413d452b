package io.weir.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a history keeps of one run.
 *
 * @param series which runs it belongs to: those with the same work on the same machine
 * @param at when it started, or the moment that the user gave
 * @param versions of what was measured, each by its name
 * @param settings of each arm, by its name: those that the workload does not have
 * @param machine what must be the same in all runs of a series, each by its name
 * @param workload likewise
 * @param figures every number of the run, by the names of its part and its figure; the median where
 *     rounds have one each
 */
public record HistoryEntry(
    String series,
    Instant at,
    Map<String, String> versions,
    Map<String, Map<String, String>> settings,
    Map<String, String> machine,
    Map<String, String> workload,
    Map<String, Double> figures) {

  /** What differs between the machine and the work of two entries, each in a line. */
  List<String> differences(HistoryEntry other) {
    Map<String, String> mine = new TreeMap<>(machine);
    mine.putAll(workload);
    Map<String, String> others = new TreeMap<>(other.machine);
    others.putAll(other.workload);
    return differing(mine, others).stream()
        .map(name -> "%s: %s, not %s".formatted(name, text(mine, name), text(others, name)))
        .toList();
  }

  /** The versions and the settings of arms that are not those of the entry before. */
  List<String> changesSince(HistoryEntry before) {
    List<String> changes = new ArrayList<>();
    differing(versions, before.versions).stream()
        .filter(name -> versions.containsKey(name) && before.versions.containsKey(name))
        .forEach(name -> changes.add(name + " " + versions.get(name)));
    settings.forEach(
        (arm, mine) ->
            Optional.ofNullable(before.settings.get(arm)).stream()
                .flatMap(old -> differing(mine, old).stream())
                .forEach(name -> changes.add("%s: %s %s".formatted(arm, name, text(mine, name)))));
    return changes;
  }

  private static Set<String> differing(Map<String, String> mine, Map<String, String> others) {
    Set<String> names = new TreeSet<>(mine.keySet());
    names.addAll(others.keySet());
    names.removeIf(name -> text(mine, name).equals(text(others, name)));
    return names;
  }

  private static String text(Map<String, String> texts, String name) {
    return texts.getOrDefault(name, "-");
  }
}
