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
 * Whether two runs may be compared: they need the same work on the same machine.
 *
 * @param obstacles differences that forbid a comparison; empty if the runs may be compared
 * @param changes differences that a comparison allows, such as versions and settings of arms: they
 *     may be its subject, or may explain its result
 */
record Comparability(List<String> obstacles, List<String> changes) {

  /** The entries of a workload that may differ: rounds, their order and the sizes of indexes. */
  private static final Predicate<String> FREE_WORKLOAD =
      Pattern.compile("rounds|order|indexBytes(-\\w+)*").asMatchPredicate();

  /** JSON pointers into the environment: entries that identify the machine. */
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

  /** Entries that may differ, because a comparison may be about an upgrade. */
  private static final List<String> SOFTWARE = List.of("/kernel", "/os/version", "/jvm/version");

  /** The memory that a kernel manages depends a little on the kernel. */
  private static final double MEMORY_TOLERANCE = 0.01;

  /** What every run searched for before it could be chosen. */
  private static final String OF_OLDER_RUNS = "terms";

  /** How much the share of an index in the page cache may differ without a message. */
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
   * Other queries are other work. Single terms are drawn by segment, however, and a rebuilt index
   * has other segments: then the difference is a change.
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

  /** The requested state of the cache is a setting; the actual state may differ from it. */
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
