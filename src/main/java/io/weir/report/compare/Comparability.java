package io.weir.report.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Whether two runs may be held against each other: the same work on the same machine.
 *
 * @param obstacles in what they differ and must not; empty if they may be compared
 * @param changes in what they differ and may, versions and settings of arms of the same name: what
 *     the comparison may be about, or what spoils it
 */
record Comparability(List<String> obstacles, List<String> changes) {

  /** What of a workload may differ: how often, in which order, and what the indexes came to. */
  private static final Predicate<String> FREE_WORKLOAD =
      Pattern.compile("rounds|order|indexBytes(-\\w+)*").asMatchPredicate();

  /** JSON pointers into the environment: what makes a machine another one. */
  private static final List<String> MACHINE =
      List.of(
          "/cpu/model",
          "/cpu/logicalCores",
          "/virtualization",
          "/storage/fileSystemType",
          "/storage/mount",
          "/storage/device",
          "/storage/diskModel",
          "/storage/totalBytes",
          "/dirtySettings/dirtyRatioPercent",
          "/dirtySettings/dirtyBackgroundRatioPercent",
          "/dirtySettings/dirtyBytes",
          "/dirtySettings/dirtyBackgroundBytes",
          "/dirtySettings/dirtyExpireCentisecs",
          "/dirtySettings/dirtyWritebackCentisecs",
          "/cgroup/memoryLimitBytes");

  /** The same, but told: an upgrade is what one may want to compare. */
  private static final List<String> SOFTWARE = List.of("/kernel", "/os/version", "/jvm/version");

  /** Memory that the kernel manages changes a little with the kernel. */
  private static final double MEMORY_TOLERANCE = 0.01;

  /** What every run searched for before it could be chosen. */
  private static final String OF_OLDER_RUNS = "terms";

  /** Share of an index in the page cache by which two runs may differ without a word. */
  private static final double CACHE_TOLERANCE = 0.1;

  static Comparability of(RunResult base, RunResult other) {
    List<String> obstacles = new ArrayList<>();
    add(
        obstacles,
        "schemaVersion",
        Integer.toString(base.schemaVersion()),
        Integer.toString(other.schemaVersion()));
    maps(obstacles, "", base.workload(), other.workload(), FREE_WORKLOAD);
    for (String pointer : MACHINE) {
      add(obstacles, name(pointer), text(base, pointer), text(other, pointer));
    }
    double memory = at(base, "/memoryBytes").asDouble();
    if (Math.abs(memory - at(other, "/memoryBytes").asDouble()) > MEMORY_TOLERANCE * memory) {
      add(obstacles, "memoryBytes", text(base, "/memoryBytes"), text(other, "/memoryBytes"));
    }
    List<String> changes = new ArrayList<>();
    queries(obstacles, changes, base.queries(), other.queries());
    add(changes, "weir", base.weir(), other.weir());
    add(changes, "lucene", base.lucene(), other.lucene());
    for (String pointer : SOFTWARE) {
      add(changes, name(pointer), text(base, pointer), text(other, pointer));
    }
    Map<String, Map<String, String>> settings = settings(other);
    settings(base)
        .forEach(
            (arm, mine) -> {
              if (settings.containsKey(arm)) {
                maps(changes, "arm " + arm + ": ", mine, settings.get(arm), name -> false);
              }
            });
    residentShares(changes, base, other);
    return new Comparability(List.copyOf(obstacles), List.copyOf(changes));
  }

  private static Map<String, Map<String, String>> settings(RunResult run) {
    Map<String, Map<String, String>> settings = new TreeMap<>();
    for (ArmResult arm : run.arms()) {
      if (arm.settings() != null) {
        Map<String, String> all = new TreeMap<>(arm.settings());
        all.putIfAbsent("cache", "as-is"); // what runs had before it could be asked for
        all.putIfAbsent("compound", "default");
        settings.putIfAbsent(arm.name(), all);
      }
    }
    return settings;
  }

  /**
   * Other queries are other work. But single terms are drawn by segment, and an index that is built
   * anew has others: those are told.
   */
  private static void queries(
      List<String> obstacles, List<String> changes, QueriesResult base, QueriesResult other) {
    if (base != null && other != null && base.sha256().equals(other.sha256())) {
      return; // drawn in one run, say, and given to the other
    }
    boolean bothTerms = kind(base).equals(OF_OLDER_RUNS) && kind(other).equals(OF_OLDER_RUNS);
    if (bothTerms && base != null && other != null) {
      add(changes, "queries", text(base), text(other));
    } else if (!bothTerms) {
      add(obstacles, "queries", text(base), text(other));
    }
  }

  private static String kind(QueriesResult queries) {
    return queries == null ? OF_OLDER_RUNS : queries.kind();
  }

  private static String text(QueriesResult queries) {
    return queries == null
        ? OF_OLDER_RUNS + ", not kept"
        : "%s, %d with sha256 %s".formatted(queries.kind(), queries.count(), queries.sha256());
  }

  /** What was asked for is a setting; what was there may differ all the same. */
  private static void residentShares(List<String> changes, RunResult base, RunResult other) {
    Map<String, Double> shares = residentShares(other);
    residentShares(base)
        .forEach(
            (arm, share) -> {
              Double then = shares.get(arm);
              if (then != null && Math.abs(share - then) > CACHE_TOLERANCE) {
                changes.add(
                    String.format(
                        Locale.ROOT,
                        "arm %s: index in the page cache when it was opened: %.0f %%, then %.0f %%",
                        arm,
                        100 * share,
                        100 * then));
              }
            });
  }

  /** By name of the arm, the mean of its rounds. */
  private static Map<String, Double> residentShares(RunResult run) {
    return run.arms().stream()
        .filter(arm -> arm.cache() != null && arm.cache().residentShare() != null)
        .collect(
            Collectors.groupingBy(
                ArmResult::name,
                TreeMap::new,
                Collectors.averagingDouble(arm -> arm.cache().residentShare())));
  }

  private static void maps(
      List<String> list,
      String where,
      Map<String, String> base,
      Map<String, String> other,
      Predicate<String> free) {
    Set<String> names = new TreeSet<>(base.keySet());
    names.addAll(other.keySet());
    names.removeIf(free);
    names.forEach(name -> add(list, where + name, base.get(name), other.get(name)));
  }

  private static void add(List<String> list, String name, String base, String other) {
    String first = base == null ? "none" : base;
    String second = other == null ? "none" : other;
    if (!first.equals(second)) {
      list.add("%s: %s, then %s".formatted(name, first, second));
    }
  }

  private static JsonNode at(RunResult run, String pointer) {
    return run.environment() == null ? MissingNode.getInstance() : run.environment().at(pointer);
  }

  private static String text(RunResult run, String pointer) {
    JsonNode node = at(run, pointer);
    return node.isMissingNode() || node.isNull() ? null : node.asText();
  }

  private static String name(String pointer) {
    return pointer.substring(1).replace('/', '.');
  }
}
